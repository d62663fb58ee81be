package probe

import (
	"context"
	"errors"
	"fmt"
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

// Run runs every part of a probe on a device. Parts that set the same variables share a process of their own. Parts in
// which the device failed are left out; the error names each.
func Run(ctx context.Context, dev gpu.Tracer, f *File, what string) (*Log, error) {
	log := &Log{Device: what}
	own := map[string]gpu.Tracer{} // by variables: the device in whose process they are set
	defer func() {
		for _, d := range own {
			d.Close()
		}
	}()
	var failed []error
	for i := range f.Parts {
		p := &f.Parts[i]
		rows, err := runPart(ctx, dev, own, p)
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: %s: %w", f.Path, p.Title, err))
			continue
		}
		log.Parts = append(log.Parts, PartLog{Title: p.Title, Rows: rows})
	}
	return log, errors.Join(failed...)
}

func runPart(ctx context.Context, dev gpu.Tracer, own map[string]gpu.Tracer, p *Part) ([]Row, error) {
	if len(p.Env) > 0 {
		key := strings.Join(p.Env, " ")
		if own[key] == nil {
			d, err := dev.WithEnv(ctx, p.Env)
			if err != nil {
				return nil, err
			}
			own[key] = d.(gpu.Tracer)
		}
		dev = own[key]
	}
	t, err := dev.Trace(ctx, p.Program)
	if err != nil {
		return nil, err
	}
	if len(t.Steps) != len(p.Program.Body) || len(t.Spans) != len(p.Program.Intent.Ops) {
		return nil, fmt.Errorf("a trace of %d steps and %d spans; want %d and %d", len(t.Steps), len(t.Spans),
			len(p.Program.Body), len(p.Program.Intent.Ops))
	}
	return show(p, t), nil
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
