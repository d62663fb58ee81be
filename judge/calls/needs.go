package calls

import (
	"slices"

	"github.com/gpu-overlap/overlap/order"
	"github.com/gpu-overlap/overlap/schedule"
)

// Implied says whether x may be kept waiting for u: by the intent, by an exclusive engine, or by a buffer. It does not
// of ops that the intent does not have.
func Implied(in *schedule.Intent, u, x int32) bool {
	if in == nil || !schedule.At(u).Within(len(in.Ops)) || !schedule.At(x).Within(len(in.Ops)) {
		return false
	}
	e := in.Ops[u].On()
	if int(e) >= len(in.Engines) || e < 0 {
		return needed(in, u, x)
	}
	return e == in.Ops[x].On() && in.Engines[e].Capacity == 1 || needed(in, u, x)
}

// needed says whether x must come after u, or the other way round: by the intent, or by a buffer.
func needed(in *schedule.Intent, u, x int32) bool {
	a, b := &in.Ops[u], &in.Ops[x]
	if slices.Contains(b.After, u) {
		return true
	}
	touches := func(w, o *schedule.Op) bool {
		return slices.ContainsFunc(w.Writes, func(buf int32) bool {
			return slices.Contains(o.Reads, buf) || slices.Contains(o.Writes, buf)
		})
	}
	return touches(a, b) || touches(b, a)
}

// needs are, by op, the ops that it must come after whatever calls are taken away: what the intent says, the previous
// op of its exclusive engine in the present timetable, be it only durations that keep the two apart, and of what the
// calls order now, the ops that touch its buffers. Together with less order they give a schedule that is as sound as
// the present one.
type needs struct {
	first []int32 // those of op are ops[first[op]:first[op+1]]
	ops   []int32
}

func (n *needs) of(op int32) []int32 { return n.ops[n.first[op]:n.first[op+1]] }

// needsOf takes the ops in issue by their start in the present timetable.
func needsOf(in *schedule.Intent, o *order.Order, inTime []int32) needs {
	n := needs{first: make([]int32, len(in.Ops)+1)}
	prev := onEngine(in, inTime)
	conflicts := func(visit func(op, before int32)) {
		eachConflict(in, o.Issue, func(a, b, _ int32) bool {
			if o.Before(a, b) {
				visit(b, a)
			}
			return true
		})
	}
	more := make([]int32, len(in.Ops)) // by op: conflicts, then where the next of them goes
	conflicts(func(op, _ int32) { more[op]++ })
	for op := range in.Ops {
		count := int32(len(in.Ops[op].After)) + more[op]
		if prev[op] != schedule.None {
			count++
		}
		n.first[op+1] = n.first[op] + count
	}
	n.ops = make([]int32, n.first[len(in.Ops)])
	for op := range in.Ops {
		at := n.first[op] + int32(copy(n.ops[n.first[op]:], in.Ops[op].After))
		if prev[op] != schedule.None {
			n.ops[at] = prev[op]
			at++
		}
		more[op] = at
	}
	conflicts(func(op, before int32) {
		n.ops[more[op]] = before
		more[op]++
	})
	return n
}

// onEngine gives, by op, the one before it on its exclusive engine, of ops by their start; None where there is none.
func onEngine(in *schedule.Intent, inTime []int32) (prev []int32) {
	prev, last := nones(len(in.Ops)), nones(len(in.Engines))
	for _, op := range inTime {
		if e := in.Ops[op].On(); in.Engines[e].Capacity == 1 {
			prev[op], last[e] = last[e], op
		}
	}
	return prev
}

func nones(n int) []int32 {
	ids := make([]int32, n)
	for i := range ids {
		ids[i] = schedule.None
	}
	return ids
}

// eachConflict visits the pairs of ops, in the order of issue, of which one writes a buffer that the other touches,
// each write against the write before it and the reads since, each read against the write before it; until visit says
// false.
func eachConflict(in *schedule.Intent, issue []int32, visit func(a, b, buffer int32) bool) {
	type use struct {
		write int32
		reads []int32
	}
	last := make([]use, len(in.Buffers))
	for b := range last {
		last[b].write = schedule.None
	}
	for _, op := range issue {
		o := &in.Ops[op]
		for _, b := range o.Reads {
			if w := last[b].write; w != schedule.None && w != op && !visit(w, op, b) {
				return
			}
			last[b].reads = append(last[b].reads, op)
		}
		for _, b := range o.Writes {
			for _, other := range append(last[b].reads, last[b].write) {
				if other != schedule.None && other != op && !visit(other, op, b) {
					return
				}
			}
			last[b] = use{write: op}
		}
	}
}
