package text

import (
	"fmt"
	"strings"

	"github.com/gpu-overlap/overlap/schedule"
)

// Schedule prints a schedule spelled out, call by call, as a schedule section. Parsing it gives the same calls,
// streams, events and ops, up to line numbers and what only a pipeline has: Stage, Micro, Whole.
func Schedule(s *schedule.Schedule) string {
	if s == nil {
		return ""
	}
	return scheduleText(s, nil, false, schedule.Ref{})
}

// scheduleText folds calls back into the fork or join that they come from, or spells them out. Before the call timed
// stands `timed`.
func scheduleText(s *schedule.Schedule, graphs []string, fold bool, timed schedule.Ref) string {
	var b strings.Builder
	kernel := schedule.Exact
	if len(s.Intent.Ops) > 0 {
		kernel = s.Intent.Ops[0].Kernel
	}
	writePreamble(&b, s.Intent.Engines, kernel, s.HostDelay)
	var folds []folded
	if fold {
		folds = foldsOf(s)
	}
	x, thread := &syntax{&s.Intent, s.Streams, s.Events, graphs, s.Nodes, s.Args}, int32(0)
	x.writeStreams(&b, declaredByForks(s, folds))
	for i := 0; i < len(s.Issue); {
		if timed.Is(int32(i)) {
			b.WriteString("timed\n")
		}
		if len(folds) > 0 && folds[0].from == i {
			b.WriteString(folds[0].text(x) + "\n")
			i, folds = folds[0].to, folds[1:]
			continue
		}
		thread = x.writeThread(&b, s.Issue[i], thread)
		x.write(&b, s.Issue[i])
		b.WriteByte('\n')
		i++
	}
	if timed.Is(int32(len(s.Issue))) {
		b.WriteString("timed\n")
	}
	return b.String()
}

// Program prints a program for people: its setup, then its body, a call a line.
func Program(p *schedule.Program) string {
	if p == nil {
		return ""
	}
	var b strings.Builder
	x := syntaxOf(p)
	part := func(title string, instrs []schedule.Instr) {
		b.WriteString("# " + title + "\n")
		thread := int32(0)
		for _, in := range instrs {
			thread = x.writeThread(&b, in, thread)
			x.write(&b, in)
			if in.Device != 0 {
				fmt.Fprintf(&b, " # device %d", in.Device)
			}
			b.WriteByte('\n')
		}
	}
	part("setup", p.Setup)
	part("body", p.Body)
	return b.String()
}

// Describe names a call of a program for messages, as a case spells it: "comm: wait e".
func Describe(p *schedule.Program, in schedule.Instr) string { return syntaxOf(p).instr(in) }

// writeThread says which thread makes a call, where it is not the one of the call before.
func (x *syntax) writeThread(b *strings.Builder, in schedule.Instr, before int32) int32 {
	if in.Thread != before {
		fmt.Fprintf(b, "thread %d\n", in.Thread)
	}
	return in.Thread
}

// writeStreams declares the streams, unless the forks do. Neighbours that are alike share a line.
func (x *syntax) writeStreams(b *strings.Builder, byForks bool) {
	const most = 8 // names on a line
	for i := 1; i < len(x.streams) && !byForks; {
		first := x.streams[i]
		if !first.Kind.Created() {
			break
		}
		b.WriteString("stream")
		attributes, start := x.attributes(schedule.At(int32(i))), i
		for ; i < len(x.streams) && i < start+most && x.streams[i].Kind == first.Kind &&
			x.streams[i].Priority == first.Priority; i++ {
			b.WriteString(" " + x.streams[i].Name)
		}
		b.WriteString(attributes + "\n")
	}
}
