package text

import (
	"slices"

	"golang.org/x/tools/txtar"

	"github.com/gpu-overlap/overlap/schedule"
)

// Format prints the case. Parsing what it prints gives the same case, up to line numbers; comments are not kept.
func (c *Case) Format() []byte {
	arc := &txtar.Archive{}
	if c.Why != "" {
		arc.Comment = []byte(c.Why + "\n\n")
	}
	add := func(name, text string) {
		arc.Files = append(arc.Files, txtar.File{Name: name, Data: []byte(text)})
	}
	env := ""
	for _, e := range c.Env {
		env += "env " + e + "\n"
	}
	switch {
	case c.Kind == PipelineCase && c.Pipeline != nil:
		add(scheduleSection, env+Pipeline(c.Pipeline))
	case c.Kind == ProgramCase:
		add(programSection, env+scheduleText(&c.Schedule, c.Graphs, !c.Expanded, c.Timed))
	default:
		add(scheduleSection, env+scheduleText(&c.Schedule, nil, !c.Expanded, schedule.Ref{}))
	}
	add(expectSection, Expect(&c.Expect))
	if c.Graph != "" {
		add(graphSection, c.Graph)
	}
	if c.Lanes != "" {
		add(lanesSection, c.Lanes)
	}
	return txtar.Format(arc)
}

// WithGoldens replaces the goldens in the text of a case file, and keeps everything else, comments included. An empty
// golden is removed.
func WithGoldens(data []byte, dot, lanes string) []byte {
	arc := txtar.Parse(data)
	isGolden := func(f txtar.File) bool { return f.Name == graphSection || f.Name == lanesSection }
	arc.Files = slices.DeleteFunc(arc.Files, isGolden)
	for _, f := range []txtar.File{{Name: graphSection, Data: []byte(dot)}, {Name: lanesSection, Data: []byte(lanes)}} {
		if len(f.Data) > 0 {
			arc.Files = append(arc.Files, f)
		}
	}
	return txtar.Format(arc)
}
