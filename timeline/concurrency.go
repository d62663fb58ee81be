package timeline

import (
	"cmp"
	"slices"
	"time"

	"github.com/gpu-overlap/overlap/schedule"
)

// Hidden measures how much of some ops' time lies under other ops. Total is the sum of the durations of the ops for
// which of is true; hidden is, summed over them, the time in which at least one op for which under is true and that is
// of another engine ran. Ops that did not run on the device clock count for nothing. O(n log n).
//
// One sweep serves all engines: an op of engine e is hidden while any op of under runs, except while they are all e's.
func Hidden(in *schedule.Intent, spans []Span, of, under func(op int32) bool) (hidden, total time.Duration) {
	if in == nil || of == nil || under == nil {
		return 0, 0
	}
	edges := edgesOf(in, spans, func(op int32) bool { return of(op) || under(op) })
	var (
		now     time.Duration
		running = make([]int32, len(in.Engines)) // ops of under that run now, by engine
		engines int                              // how many of these are not 0
		sum     int                              // of the ids of these; with one of them it is that one
		covered time.Duration                    // how long any op of under has run so far
		alone   = make([]time.Duration, len(in.Engines))
		at      = make([]time.Duration, len(in.Ops)) // covered − alone of its engine when the op started
	)
	for _, e := range edges {
		if engines > 0 {
			covered += e.at - now
		}
		if engines == 1 {
			alone[sum] += e.at - now
		}
		now = e.at
		engine := in.Ops[e.op].On()
		if of(e.op) {
			if e.start {
				at[e.op] = covered - alone[engine]
			} else {
				hidden += covered - alone[engine] - at[e.op]
				total += spans[e.op].Dur()
			}
		}
		if !under(e.op) {
			continue
		}
		if e.start {
			if running[engine]++; running[engine] == 1 {
				engines, sum = engines+1, sum+int(engine)
			}
		} else if running[engine]--; running[engine] == 0 {
			engines, sum = engines-1, sum-int(engine)
		}
	}
	return hidden, total
}

// onEngine says whether the engine of an op is one of the intent's.
func onEngine(in *schedule.Intent, op int32) bool {
	e := in.Ops[op].On()
	return e >= 0 && int(e) < len(in.Engines)
}

// edge is the start or the end of a span.
type edge struct {
	at    time.Duration
	op    int32
	start bool
}

func edgesOf(in *schedule.Intent, spans []Span, take func(op int32) bool) []edge {
	edges := make([]edge, 0, 2*min(len(spans), len(in.Ops)))
	for i, s := range spans[:min(len(spans), len(in.Ops))] {
		if op := int32(i); measured(s) && s.End > s.Start && onEngine(in, op) && take(op) {
			edges = append(edges, edge{s.Start, op, true}, edge{s.End, op, false})
		}
	}
	slices.SortFunc(edges, func(a, b edge) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.op, b.op)) })
	return edges
}

// Clash is an op that starts while its engine is full.
type Clash struct {
	Engine   int32
	With, Op int32         // With ran when Op started; of several it is the one that ends last
	From, To time.Duration // when the two coincide
}

// Clashes finds, in a timetable given as start and end by op id, the ops that start while as many ops of their engine
// run as it has capacity for; with capacity 1, while another runs. Of two that start together the one with the larger
// id counts as the later. First by time. An op that takes no time clashes with none. O(n log n).
func Clashes(in *schedule.Intent, start, end []time.Duration) []Clash {
	if in == nil {
		return nil
	}
	ops := make([]int32, 0, len(in.Ops))
	for op := range in.Ops[:min(len(in.Ops), len(start), len(end))] {
		if start[op] < end[op] {
			ops = append(ops, int32(op))
		}
	}
	slices.SortFunc(ops, func(a, b int32) int { return cmp.Or(cmp.Compare(start[a], start[b]), cmp.Compare(a, b)) })
	var clashes []Clash
	EachClash(in, ops, start, end, func(c Clash) bool {
		clashes = append(clashes, c)
		return true
	})
	return clashes
}

// EachClash visits the clashes among ops that are sorted by their start, and then by id, until visit says false.
// What is no op of the intent, or has no times or no engine, is left out.
func EachClash(in *schedule.Intent, ops []int32, start, end []time.Duration, visit func(Clash) bool) {
	if in == nil || visit == nil {
		return
	}
	n := min(len(in.Ops), len(start), len(end))
	running := make([]ends, len(in.Engines))
	last := make([]int32, len(in.Engines)) // the op with the latest end so far
	for _, op := range ops {
		if op < 0 || int(op) >= n || start[op] >= end[op] || !onEngine(in, op) {
			continue
		}
		e := in.Ops[op].On()
		r := &running[e]
		for len(*r) > 0 && (*r)[0] <= start[op] {
			r.pop()
		}
		if len(*r) >= int(max(in.Engines[e].Capacity, 1)) {
			with := last[e]
			if !visit(Clash{e, with, op, start[op], min(end[op], end[with])}) {
				return
			}
		}
		if len(*r) == 0 || end[op] > end[last[e]] {
			last[e] = op
		}
		r.push(end[op])
	}
}

// ends is a heap: when the running ops of an engine end, first the earliest.
type ends []time.Duration

func (h *ends) push(end time.Duration) {
	*h = append(*h, end)
	s := *h
	for i := len(s) - 1; i > 0; {
		up := (i - 1) / 2
		if s[up] <= s[i] {
			return
		}
		s[up], s[i] = s[i], s[up]
		i = up
	}
}

func (h *ends) pop() {
	last := len(*h) - 1
	(*h)[0] = (*h)[last]
	*h = (*h)[:last]
	s := *h
	for i := 0; ; {
		down := 2*i + 1
		if down+1 < last && s[down+1] < s[down] {
			down++
		}
		if down >= last || s[i] <= s[down] {
			return
		}
		s[i], s[down] = s[down], s[i]
		i = down
	}
}
