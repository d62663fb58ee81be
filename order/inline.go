package order

import (
	"fmt"
	"slices"

	"github.com/gpu-overlap/overlap/schedule"
)

// Inline gives a program that makes, in the place of each graph launch of its Body, the calls that were captured: the
// capture's origin is then the stream of the launch, its other streams and its events are new ones. That imposes the
// same order, since a graph's roots come after earlier work of that stream and its later work after the whole graph.
// What the launches of one exec impose on one another is not in it.
//
// An op that is launched again, because its graph is, is another op of the result's intent: of gives, by its op, the op
// of the program. A program that launches at most one graph, once, is its own result. What points to nothing, in a
// program that is not valid, counts as left out.
func Inline(p *schedule.Program) (q *schedule.Program, of []int32) {
	if p == nil || p.Intent == nil {
		return &schedule.Program{Intent: &schedule.Intent{}}, nil
	}
	of = make([]int32, len(p.Intent.Ops))
	for op := range of {
		of[op] = int32(op)
	}
	launches := 0
	for _, in := range p.Body {
		if in.Verb == schedule.Replay {
			launches++
		}
	}
	if launches <= 1 {
		return p, of
	}
	i := &inliner{p: p, of: of}
	intent := *p.Intent
	intent.Ops = slices.Clone(intent.Ops)
	i.q = &schedule.Program{Name: p.Name, File: p.File, Intent: &intent, Streams: slices.Clone(p.Streams),
		Events: slices.Clone(p.Events),
		Origin: p.Origin, HostDelay: p.HostDelay}
	launched := make([]int, len(p.Graphs))
	for _, in := range p.Body {
		if in.Verb != schedule.Replay {
			i.q.Body = append(i.q.Body, in)
			continue
		}
		if !in.Graph.Within(len(launched)) {
			continue
		}
		launched[in.Graph.Index()]++
		i.inline(in, launched[in.Graph.Index()])
	}
	return i.q, i.of
}

type inliner struct {
	p, q *schedule.Program
	of   []int32
}

// inline appends the calls of the graph that a launch names; it is the nth launch of that graph.
func (i *inliner) inline(launch schedule.Instr, nth int) {
	calls := capturedInto(i.p, launch.Graph.Index())
	if len(calls) == 0 {
		return
	}
	streams, events, ops := map[int32]int32{calls[0].Stream.Index(): launch.Stream.Index()}, map[int32]int32{},
		map[int32]int32{}
	for _, in := range calls {
		if in.Op.Within(len(i.p.Intent.Ops)) {
			ops[in.Op.Index()] = i.op(in.Op.Index(), nth)
		}
	}
	for _, op := range ops {
		o := &i.q.Intent.Ops[op]
		o.After = slices.Clone(o.After)
		for k, before := range o.After {
			if same, ok := ops[before]; ok {
				o.After[k] = same
			}
		}
	}
	for _, in := range calls[1 : len(calls)-1] { // without begin and end
		if in.Stream.Within(len(i.p.Streams)) {
			if _, ok := streams[in.Stream.Index()]; !ok {
				streams[in.Stream.Index()] = int32(len(i.q.Streams))
				i.q.Streams = append(i.q.Streams, schedule.Stream{Name: i.p.Streams[in.Stream.Index()].Name})
			}
			in.Stream = schedule.At(streams[in.Stream.Index()])
		}
		if in.Event.Within(len(i.p.Events)) {
			if _, ok := events[in.Event.Index()]; !ok {
				events[in.Event.Index()] = int32(len(i.q.Events))
				i.q.Events = append(i.q.Events, i.p.Events[in.Event.Index()])
			}
			in.Event = schedule.At(events[in.Event.Index()])
		}
		if in.Op.Within(len(i.p.Intent.Ops)) {
			in.Op = schedule.At(ops[in.Op.Index()])
		}
		i.q.Body = append(i.q.Body, in)
	}
}

// op is the op that the nth launch of a captured op is.
func (i *inliner) op(op int32, nth int) int32 {
	if nth == 1 {
		return op
	}
	again := i.p.Intent.Ops[op]
	again.Name = fmt.Sprintf("%s#%d", again.Name, nth)
	i.q.Intent.Ops = append(i.q.Intent.Ops, again)
	i.of = append(i.of, op)
	return int32(len(i.of) - 1)
}

// capturedInto gives the calls from the begin to the end of the capture into a graph; nil when there is none.
func capturedInto(p *schedule.Program, graph int32) []schedule.Instr {
	end := slices.IndexFunc(p.Setup,
		func(in schedule.Instr) bool { return in.Verb == schedule.EndCapture && in.Graph.Index() == graph })
	for begin := end - 1; begin >= 0; begin-- {
		if in := p.Setup[begin]; in.Verb == schedule.BeginCapture && in.Stream == p.Setup[end].Stream {
			return p.Setup[begin : end+1]
		}
	}
	return nil
}
