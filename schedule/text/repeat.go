package text

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/gpu-overlap/overlap/schedule"
)

const maxRepeat = schedule.MaxRepeat

// block is the lines between `repeat N` and `end`.
type block struct {
	times int
	texts []string
	first int32 // the line of the first
}

// repeatBlock reads the block that a line `repeat N` opens; rest is what follows that line, before the number of lines
// that the blocks before it come to. ok is false for a line that opens none: without an `end` it is a statement of a
// pipeline.
func (l *line) repeatBlock(rest string, before int) (b block, after string, ok bool, err error) {
	if l.word(0) != "repeat" || l.word(1) == ":" {
		return b, rest, false, nil
	}
	b.first = l.no + 1
	for after = rest; after != ""; {
		var text string
		text, after, _ = strings.Cut(after, "\n")
		code, _, _ := strings.Cut(text, "#")
		switch words := strings.Fields(code); {
		case len(words) == 1 && words[0] == "end":
			l.at = 1
			if b.times, err = l.count("a number of times", 1, maxRepeat); err != nil {
				return b, rest, true, err
			}
			switch {
			case b.times*len(b.texts) > 2*maxOps:
				err = l.errorf(l.toks[1], fmt.Sprintf("at most %d lines in all", 2*maxOps), "%d times %d lines",
					b.times, len(b.texts))
			case before+b.times*len(b.texts) > 2*maxOps:
				err = l.errorf(l.toks[1], fmt.Sprintf("at most %d lines in all", 2*maxOps),
					"%d times %d lines, after %d of repeats before it",
					b.times, len(b.texts), before)
			default:
				err = l.end()
			}
			return b, after, true, err
		case len(words) > 0 && words[0] == "repeat":
			inner := &line{file: l.file, no: b.first + int32(len(b.texts)), text: text}
			return b, rest, true, inner.errorAt(strings.Index(text, "repeat")+1, "a repeat inside a repeat",
				"`end` before it")
		}
		b.texts = append(b.texts, text)
	}
	return b, rest, false, nil
}

// visit visits the lines of each round, numbered as they stand in the file.
func (b *block) visit(l *line, visit func() error) error {
	for i := range b.times {
		for k, text := range b.texts {
			l.no = b.first + int32(k)
			var there bool
			l.text, there = substitute(text, i)
			if !there {
				continue
			}
			if err := l.scan(); err != nil {
				return err
			}
			if len(l.toks) == 0 {
				continue
			}
			if err := visit(); err != nil {
				return err
			}
		}
	}
	l.no = b.first + int32(len(b.texts)) // of the end
	return nil
}

// substitute puts the number of the round, i, into a line: {i}, {i-1}, {i+2}, {i%2}, {i+1%2}. there is false when one
// of them would be below 0: the line is left out in this round. What is in braces and none of these stays as it is.
func substitute(text string, i int) (line string, there bool) {
	if !strings.Contains(text, "{i") {
		return text, true
	}
	var b strings.Builder
	for text != "" {
		before, after, found := strings.Cut(text, "{i")
		b.WriteString(before)
		if !found {
			break
		}
		inner, rest, closed := strings.Cut(after, "}")
		n, ok := round(inner, i)
		switch {
		case !closed || !ok:
			b.WriteString("{i")
			text = after
			continue
		case n < 0:
			return "", false
		}
		b.WriteString(strconv.Itoa(n))
		text = rest
	}
	return b.String(), true
}

// round evaluates what follows i in braces: nothing, +N or -N, and then %M. A negative number has no remainder.
func round(expr string, i int) (n int, ok bool) {
	sum, modulus, hasModulus := strings.Cut(expr, "%")
	n = i
	if sum != "" {
		d, err := strconv.Atoi(sum)
		if err != nil || sum[0] != '+' && sum[0] != '-' || d < -maxRepeat || d > maxRepeat {
			return 0, false
		}
		n += d
	}
	if !hasModulus {
		return n, true
	}
	m, err := strconv.Atoi(modulus)
	if err != nil || m < 1 {
		return 0, false
	}
	if n < 0 {
		return n, true
	}
	return n % m, true
}
