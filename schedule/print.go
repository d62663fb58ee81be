package schedule

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/gpu-overlap/overlap/verdict"
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
	switch c.Kind {
	case PipelineCase:
		add(scheduleSection, env+c.Pipeline.Text())
	case SpelledCase:
		add(scheduleSection, env+c.Schedule.text(nil, !c.Expanded, None))
	case ProgramCase:
		add(programSection, env+c.Schedule.text(c.Graphs, !c.Expanded, c.Timed.Index()))
	}
	add(expectSection, formatExpect(&c.Expect))
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
	arc.Files = slices.DeleteFunc(arc.Files, func(f txtar.File) bool { return f.Name == graphSection || f.Name == lanesSection })
	for _, f := range []txtar.File{{Name: graphSection, Data: []byte(dot)}, {Name: lanesSection, Data: []byte(lanes)}} {
		if len(f.Data) > 0 {
			arc.Files = append(arc.Files, f)
		}
	}
	return txtar.Format(arc)
}

// Text prints the pipeline as a schedule section.
func (pl *Pipeline) Text() string {
	var b strings.Builder
	plural := "es"
	if pl.Micro == 1 {
		plural = ""
	}
	fmt.Fprintf(&b, "pipeline %d microbatch%s\n", pl.Micro, plural)
	switch pl.Layout {
	case Exclusive:
		b.WriteString("exclusive\n")
	case PerEngine:
		b.WriteString("streams per engine\n")
	}
	if pl.Offset > 0 {
		fmt.Fprintf(&b, "offset %d stages\n", pl.Offset)
	}
	if pl.Repeat > 0 {
		fmt.Fprintf(&b, "repeat %d\n", pl.Repeat)
	}
	writePreamble(&b, pl.Engines, pl.Kernel, pl.HostDelay)
	for i, st := range pl.Stages {
		if st.Started {
			b.WriteString(" starts")
		} else {
			fmt.Fprintf(&b, "stage %s", st.Kind)
		}
		for k := range max(len(st.Durs), 1) {
			b.WriteString(" " + FormatDuration(st.dur(int32(k))))
		}
		b.WriteString(st.footprint().text())
		if st.On() != int32(st.Kind) {
			b.WriteString(" on " + engineName(pl.Engines, st.On()))
		}
		if st.Whole != 0 {
			b.WriteString(" whole " + FormatDuration(st.Whole))
		}
		if i+1 == len(pl.Stages) || !pl.Stages[i+1].Started {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// Text prints the schedule spelled out, call by call, as a schedule section. Parsing it gives the same calls, streams,
// events and ops, up to line numbers and what only a pipeline has: Stage, Micro, Whole.
func (s *Schedule) Text() string { return s.text(nil, false, None) }

// text folds calls back into the fork or join that they come from, or spells them out. Before call number timed stands
// `timed`.
func (s *Schedule) text(graphs []string, fold bool, timed int32) string {
	var b strings.Builder
	kernel := Exact
	if len(s.Intent.Ops) > 0 {
		kernel = s.Intent.Ops[0].Kernel
	}
	writePreamble(&b, s.Intent.Engines, kernel, s.HostDelay)
	var folds []folded
	if fold {
		folds = s.folds()
	}
	s.writeStreams(&b, folds)
	x, thread := syntax{&s.Intent, s.Streams, s.Events, graphs, s.Nodes, s.Args}, int32(0)
	for i := 0; i < len(s.Issue); {
		if i == int(timed) {
			b.WriteString("timed\n")
		}
		if len(folds) > 0 && folds[0].from == i {
			b.WriteString(folds[0].text(s) + "\n")
			i, folds = folds[0].to, folds[1:]
			continue
		}
		if t := s.Issue[i].Thread; t != thread {
			thread = t
			fmt.Fprintf(&b, "thread %d\n", t)
		}
		b.WriteString(x.instr(s.Issue[i]))
		b.WriteByte('\n')
		i++
	}
	if int(timed) == len(s.Issue) {
		b.WriteString("timed\n")
	}
	return b.String()
}

func writePreamble(b *strings.Builder, engines []Engine, kernel Kernel, slow time.Duration) {
	if slow > 0 {
		fmt.Fprintf(b, "slow host %s\n", FormatDuration(slow))
	}
	if kernel != Exact {
		fmt.Fprintf(b, "kernels %s\n", kernel)
	}
	for _, e := range engines[min(len(engines), len(DefaultEngines())):] {
		b.WriteString("engine " + e.Name)
		if e.Capacity != 1 {
			fmt.Fprintf(b, " capacity %d", e.Capacity)
		}
		b.WriteByte('\n')
	}
}

// writeStreams declares the streams, unless the forks do. Neighbours that are alike share a line.
func (s *Schedule) writeStreams(b *strings.Builder, folds []folded) {
	if s.declaredByForks(folds) {
		return
	}
	const most = 8 // names on a line
	x := syntax{streams: s.Streams}
	for i := 1; i < len(s.Streams); {
		first := s.Streams[i]
		if !first.Kind.Created() {
			break
		}
		b.WriteString("stream")
		attributes, start := x.attributes(int32(i)), i
		for ; i < len(s.Streams) && i < start+most && s.Streams[i].Kind == first.Kind && s.Streams[i].Priority == first.Priority; i++ {
			b.WriteString(" " + s.Streams[i].Name)
		}
		b.WriteString(attributes + "\n")
	}
}

func formatPercent(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) + "%" }

// formatExpect prints the expectations as the section expect, without those that are defaults.
func formatExpect(e *verdict.Expect) string {
	var b strings.Builder
	line := func(given bool, format string, args ...any) {
		if given {
			fmt.Fprintf(&b, format+"\n", args...)
		}
	}
	line(e.Serial > 0, "serial %s", FormatDuration(e.Serial))
	line(e.Giant > 0, "giant %s", FormatDuration(e.Giant))
	line(e.Ideal > 0, "ideal %s", FormatDuration(e.Ideal))
	line(e.Optimal > 0, "optimal %s", FormatDuration(e.Optimal))
	line(e.Scheduled > 0, "scheduled %s", FormatDuration(e.Scheduled))
	line(e.Eager.Given(), "eager %s", e.Eager)
	line(e.Replay.Given(), "replay %s", e.Replay)
	for _, h := range e.Hides {
		under := ""
		if h.Under != "" {
			under = " under " + h.Under
		}
		line(true, "hides %s %s%s", h.What, formatPercent(h.Percent), under)
	}
	if e.Beats.Given {
		by := ""
		if e.Beats.Percent > 0 {
			by = " by " + formatPercent(e.Beats.Percent)
		}
		line(true, "beats giant%s", by)
	}
	line(e.Graph.Given, "graph %d nodes %d edges", e.Graph.Nodes, e.Graph.Edges)
	line(e.Verdict != (verdict.Outcome{}), "verdict %s", e.Verdict)
	line(e.EagerVerdict != nil, "eager verdict %s", e.EagerVerdict)
	line(e.ReplayVerdict != nil, "replay verdict %s", e.ReplayVerdict)
	return b.String()
}
