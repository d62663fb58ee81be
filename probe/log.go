package probe

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/tools/txtar"

	"github.com/gpu-overlap/overlap/gpu"
)

// Log is what a device showed of a probe.
type Log struct {
	Device string // what it is, with driver and date
	Parts  []PartLog
}

// PartLog is what it showed of one part.
type PartLog struct {
	Title string
	Rows  []Row
}

// Row is one thing that was shown: what a call gave, or the order of two ops.
type Row struct {
	What             string
	Saw              []string // the first stands behind What, the others on lines of their own
	Free, Unmodelled bool
}

// Run runs every part of a probe on a device. Parts with variables of their own run in another process, which is that of the
// part before when it had the same. A part that fails is not in the log: the error says which, and all of them are run
// nevertheless, unless ctx ends.
func Run(ctx context.Context, dev gpu.Tracer, f *File, what string) (*Log, error) {
	log := &Log{Device: what}
	r := runner{dev: dev}
	var failed error
	for i := range f.Parts {
		p := &f.Parts[i]
		rows, err := r.part(ctx, p)
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("%s: %s: %w", f.Path, p.Title, err))
		} else {
			log.Parts = append(log.Parts, PartLog{Title: p.Title, Rows: rows})
		}
		if ctx.Err() != nil {
			break
		}
	}
	return log, errors.Join(failed, r.close())
}

// runner keeps the device of the latest part that had variables of its own.
type runner struct {
	dev   gpu.Tracer
	env   []string
	other gpu.Device
}

func (r *runner) part(ctx context.Context, p *Part) ([]Row, error) {
	dev, err := r.device(ctx, p.Env)
	if err != nil {
		return nil, err
	}
	t, err := dev.Trace(ctx, p.Program)
	if err != nil {
		return nil, err
	}
	if len(t.Steps) != len(p.Program.Body) || len(t.Spans) != len(p.Program.Intent.Ops) {
		return nil, fmt.Errorf("a trace of %d steps and %d spans; want %d and %d", len(t.Steps), len(t.Spans), len(p.Program.Body), len(p.Program.Intent.Ops))
	}
	return show(p, t), nil
}

func (r *runner) device(ctx context.Context, env []string) (gpu.Tracer, error) {
	if len(env) == 0 {
		return r.dev, nil
	}
	if r.other == nil || !slices.Equal(r.env, env) {
		if err := r.close(); err != nil {
			return nil, err
		}
		other, err := r.dev.WithEnv(ctx, env)
		if err != nil {
			return nil, err
		}
		r.env, r.other = env, other
	}
	dev, ok := r.other.(gpu.Tracer)
	if !ok {
		return nil, errors.New("with other variables, the device cannot trace")
	}
	return dev, nil
}

func (r *runner) close() error {
	if r.other == nil {
		return nil
	}
	err := r.other.Close()
	r.other = nil
	return err
}

// Text prints a log as the section golden.
func (l *Log) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", l.Device)
	for _, p := range l.Parts {
		fmt.Fprintf(&b, "== %s\n", p.Title)
		for _, r := range p.Rows {
			fmt.Fprintf(&b, "%-44s  %s\n", r.What, r.Saw[0])
			for _, more := range r.Saw[1:] {
				b.WriteString("    " + more + "\n")
			}
		}
	}
	return b.String()
}

// parseLog reads what Text prints. Marks are not a part of it.
func parseLog(path string, line int, text string) (*Log, error) {
	l := &Log{}
	for i, s := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		bad := func(want string) error { return fmt.Errorf("%s:%d: %q; want %s", path, line+i+1, s, want) }
		title, isTitle := strings.CutPrefix(s, "== ")
		switch {
		case i == 0:
			if !strings.HasPrefix(s, "# ") {
				return nil, bad("`# ` and the GPU, its driver and the date")
			}
			l.Device = s[2:]
		case isTitle:
			l.Parts = append(l.Parts, PartLog{Title: title})
		case len(l.Parts) == 0:
			return nil, bad("`== ` and the title of a part")
		default:
			p := &l.Parts[len(l.Parts)-1]
			if more, is := strings.CutPrefix(s, "    "); is && len(p.Rows) > 0 {
				last := &p.Rows[len(p.Rows)-1]
				last.Saw = append(last.Saw, more)
				continue
			}
			what, saw, found := cutRow(s)
			if !found {
				return nil, bad("a call, at least two blanks, and its code")
			}
			p.Rows = append(p.Rows, Row{What: what, Saw: []string{saw}})
		}
	}
	return l, nil
}

// cutRow cuts a row behind its first two blanks.
func cutRow(s string) (what, saw string, found bool) {
	what, saw, found = strings.Cut(s, "  ")
	return what, strings.TrimLeft(saw, " "), found && what != ""
}

// WithGolden replaces the golden in the text of a probe, and keeps everything else.
func WithGolden(data []byte, golden string) []byte {
	arc := txtar.Parse(data)
	for i := range arc.Files {
		if arc.Files[i].Name == goldenSection {
			arc.Files[i].Data = []byte(golden)
			return txtar.Format(arc)
		}
	}
	arc.Files = append(arc.Files, txtar.File{Name: goldenSection, Data: []byte(golden)})
	return txtar.Format(arc)
}
