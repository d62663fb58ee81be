package bound

import (
	"slices"
	"time"

	"github.com/gpu-overlap/overlap/order"
)

// Timetable is when each op runs, counted from the moment at which the first can start.
type Timetable struct {
	Start, End []time.Duration // by op id; -1 for an op that is not issued
	Makespan   time.Duration   // the largest End; 0 when nothing is issued
	Critical   []int32         // the ops of the critical path, first to last; see Scheduled
}

// Hops is the number of edges on the critical path: how often one op is handed the device by another. It is one less
// than the number of ops, and 0 when there are none.
func (t Timetable) Hops() int { return max(0, len(t.Critical)-1) }

// Scheduled is the timetable of the program's own order: see ASAP.
func Scheduled(o *order.Order, dur []time.Duration) Timetable {
	if o == nil {
		o = &order.Order{}
	}
	return ASAP(o.Issue, o.Preds, dur)
}

// ASAP is the timetable in which each op starts as soon as all of its predecessors have ended. ops is a topological
// order of the ops that are issued. It knows their order and the durations, and no engine: what an engine is meant not
// to do at once, a program must order. The critical path is walked back from the op that ends last, to the predecessor
// that ends last, until an op has no predecessor; of several, the lowest op id. An op without a duration is not issued.
// A sum of durations that overflows gives no meaningful times.
func ASAP(ops []int32, preds func(op int32) []int32, dur []time.Duration) Timetable {
	t := Timetable{Start: make([]time.Duration, len(dur)), End: make([]time.Duration, len(dur))}
	for op := range dur {
		t.Start[op], t.End[op] = -1, -1
	}
	if preds == nil {
		preds = func(int32) []int32 { return nil }
	}
	ops = within(ops, len(dur))
	for _, op := range ops {
		t.Start[op] = 0
		for _, p := range preds(op) {
			if p < 0 || int(p) >= len(dur) {
				continue
			}
			t.Start[op] = max(t.Start[op], t.End[p])
		}
		t.End[op] = t.Start[op] + dur[op]
		t.Makespan = max(t.Makespan, t.End[op])
	}
	t.Critical = t.walk(ops, preds)
	return t
}

// within gives those of the ops that are below n: all of them, as a rule.
func within(ops []int32, n int) []int32 {
	out := func(op int32) bool { return op < 0 || int(op) >= n }
	if !slices.ContainsFunc(ops, out) {
		return ops
	}
	return slices.DeleteFunc(slices.Clone(ops), out)
}

// walk finds the critical path. It takes at most one step for each op, also where an order is not what it should be.
func (t *Timetable) walk(ops []int32, preds func(op int32) []int32) []int32 {
	if len(ops) == 0 {
		return nil
	}
	at := t.last(ops)
	path := []int32{at}
	for len(path) < len(ops) {
		before := within(preds(at), len(t.Start))
		if len(before) == 0 {
			break
		}
		at = t.last(before)
		path = append(path, at)
	}
	slices.Reverse(path)
	return path
}

// last is the op that ends last; of several, the lowest id.
func (t *Timetable) last(ops []int32) int32 {
	best := ops[0]
	for _, op := range ops {
		if t.End[op] > t.End[best] || t.End[op] == t.End[best] && op < best {
			best = op
		}
	}
	return best
}
