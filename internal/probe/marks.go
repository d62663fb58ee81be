package probe

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/gpu-overlap/overlap/schedule"
)

// mark says of a call, or of the order of two ops, that it need not be as it was on the GPU.
type mark struct {
	line       int
	unmodelled bool
	codes      []schedule.Code // that are allowed, when not nil
	shown      bool            // what the call shows is free
	order      [2]string       // of these ops
	waves      bool            // in which many ops run; neither: the call above
	because    string
}

type marks struct {
	list  []mark
	step  map[int]*mark      // by instruction of the Body
	order map[[2]int32]*mark // by ops, the smaller id first
	waves *mark              // on how many ops ran at once, and in which waves
}

// add reads the words of a line.
func (m *marks) add(line int, w []string) error {
	at := slices.Index(w, "because")
	if at < 0 || at+1 == len(w) {
		return fmt.Errorf("%s without a reason; want `because …` behind it", w[0])
	}
	k := mark{line: line, unmodelled: w[0] == "unmodelled"}
	for _, word := range w[at+1:] {
		k.because += " " + word
	}
	k.because = k.because[1:]
	switch rest := w[1:at]; {
	case len(rest) == 3 && rest[0] == "order":
		k.order = [2]string{rest[1], rest[2]}
	case len(rest) == 1 && rest[0] == "waves":
		k.waves = true
	case k.unmodelled && len(rest) == 0:
	case !k.unmodelled && len(rest) == 1 && rest[0] == "shown":
		k.shown = true
	case !k.unmodelled && len(rest) > 1:
		for _, word := range rest {
			n, err := strconv.ParseInt(word, 10, 32)
			if err != nil || n < 0 {
				return fmt.Errorf("%q is not a code; want codes as 0 600, shown, waves, or order A B", word)
			}
			k.codes = append(k.codes, schedule.Code(n))
		}
	default:
		return errors.New("want `free` and CODE CODE …, shown, waves or order A B; or `unmodelled` and nothing, waves or order A B")
	}
	m.list = append(m.list, k)
	return nil
}

// resolve finds the call above each mark, or its ops.
func (m *marks) resolve(path string, p *schedule.Program) error {
	m.step, m.order = map[int]*mark{}, map[[2]int32]*mark{}
	for i := range m.list {
		k := &m.list[i]
		twice := fmt.Errorf("%s:%d: a second mark of the same", path, k.line)
		if k.waves {
			if m.waves != nil {
				return twice
			}
			m.waves = k
			continue
		}
		if k.order[0] != "" {
			a, b := p.Intent.OpNamed(k.order[0]), p.Intent.OpNamed(k.order[1])
			pair := [2]int32{min(a, b), max(a, b)}
			switch {
			case pair[0] < 0 || a == b:
				return fmt.Errorf("%s:%d: order of %s and %s; want two ops of the program", path, k.line, k.order[0],
					k.order[1])
			case m.order[pair] != nil:
				return twice
			}
			m.order[pair] = k
			continue
		}
		line := int32(0) // the last with a call above the mark: all calls of it are marked
		for _, in := range p.Body {
			if int(in.Line) < k.line {
				line = max(line, in.Line)
			}
		}
		if line == 0 {
			return fmt.Errorf("%s:%d: a mark without a call above it", path, k.line)
		}
		for at, in := range p.Body {
			switch {
			case in.Line != line:
			case m.step[at] != nil:
				return twice
			default:
				m.step[at] = k
			}
		}
	}
	return nil
}
