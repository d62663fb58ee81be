package overlap

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/gpu-overlap/overlap/schedule"
)

// Up to mostPermuted ops all orders are tried, 6! = 720; of more, a few that make a difference. A schedule of more than
// mostSensitive ops is not looked at: each order costs a pass over it.
const (
	mostPermuted  = 6
	mostSensitive = 4096
)

// sensitivity is how long a schedule takes at best and at worst, where the hardware can run only one of some ops of an
// engine at a time and no call says which comes first.
type sensitivity struct {
	a, b        int32 // the first two such ops
	best, worst time.Duration
}

// sensitive looks for ops of one engine that the calls leave unordered and that the hardware cannot run at once: an
// engine whose capacity lets them, on purpose, while each holds SMs that the other needs, or copies in one direction. ok
// is false when there are none, or when their order does not matter.
func (s *suspicion) sensitive() (found sensitivity, ok bool) {
	if len(s.in.Ops) > mostSensitive {
		return found, false
	}
	rivals := s.rivals()
	if len(rivals) == 0 {
		return found, false
	}
	found = sensitivity{a: rivals[0], best: math.MaxInt64}
	for _, b := range rivals[1:] {
		if s.unordered(found.a, b) {
			found.b = b
			break
		}
	}
	s.eachRanking(rivals, func(rank []int32) {
		m := s.makespan(rank)
		found.best, found.worst = min(found.best, m), max(found.worst, m)
	})
	return found, found.worst > found.best
}

// rivals are the ops of which two are unordered and cannot run at once, in the order of issue.
func (s *suspicion) rivals() []int32 {
	byEngine := make([][]int32, len(s.in.Engines))
	for _, op := range s.order.Issue {
		o := &s.in.Ops[op]
		if s.in.Engines[o.On()].Capacity > 1 && (o.SMs > 0 || o.Kind.Copies()) {
			byEngine[o.On()] = append(byEngine[o.On()], op)
		}
	}
	var list []int32
	for _, ops := range byEngine {
		for _, x := range ops {
			if slices.ContainsFunc(ops, func(y int32) bool { return x != y && s.unordered(x, y) }) {
				list = append(list, x)
			}
		}
	}
	return list
}

func (s *suspicion) unordered(x, y int32) bool {
	return s.in.Ops[x].On() == s.in.Ops[y].On() && holds(&s.in.Ops[x])+holds(&s.in.Ops[y]) > 100 &&
		!s.order.Before(x, y) && !s.order.Before(y, x)
}

// holds is the part of its hardware that an op holds, in per cent: a copy its whole engine, a kernel of one block little.
func holds(o *schedule.Op) int32 {
	if o.Kind.Copies() {
		return 100
	}
	return max(o.SMs, 1)
}

// eachRanking visits rankings of all ops, in each of which the rivals come in another order.
func (s *suspicion) eachRanking(rivals []int32, visit func(rank []int32)) {
	rank := make([]int32, len(s.in.Ops))
	try := func(order []int32) {
		for i, op := range order {
			rank[op] = int32(i)
		}
		visit(rank)
	}
	if len(rivals) <= mostPermuted {
		permute(slices.Clone(rivals), 0, try)
		return
	}
	tail := s.tails()
	order := slices.Clone(rivals)
	try(order) // as issued
	slices.Reverse(order)
	try(order)
	for _, sign := range []time.Duration{1, -1} {
		order = slices.Clone(rivals)
		slices.SortStableFunc(order, func(a, b int32) int { return int(min(max(sign*(tail[a]-tail[b]), -1), 1)) })
		try(order)
	}
}

func permute(ops []int32, from int, visit func([]int32)) {
	if from == len(ops) {
		visit(ops)
		return
	}
	for i := from; i < len(ops); i++ {
		ops[from], ops[i] = ops[i], ops[from]
		permute(ops, from+1, visit)
		ops[from], ops[i] = ops[i], ops[from]
	}
}

// tails are, by op, the longest path from its start to the end of the schedule.
func (s *suspicion) tails() []time.Duration {
	tail := make([]time.Duration, len(s.dur))
	for _, op := range slices.Backward(s.order.Issue) {
		tail[op] += s.dur[op]
		for _, p := range s.order.Preds(op) {
			tail[p] = max(tail[p], tail[op])
		}
	}
	return tail
}

// makespan runs the schedule on the hardware: an op starts when all that it waits for has ended and its SMs or its copy
// engine are free, of several ready ones the one of the lowest rank first, and none overtakes it on the way to SMs.
func (s *suspicion) makespan(rank []int32) time.Duration {
	waiting := make([]int, len(s.dur))
	next := make([][]int32, len(s.dur))
	var ready, running []int32
	for _, op := range s.order.Issue {
		waiting[op] = len(s.order.Preds(op))
		for _, p := range s.order.Preds(op) {
			next[p] = append(next[p], op)
		}
		if waiting[op] == 0 {
			ready = append(ready, op)
		}
	}
	end := make([]time.Duration, len(s.dur))
	now := time.Duration(0)
	for len(ready)+len(running) > 0 {
		slices.SortStableFunc(ready, func(a, b int32) int { return int(rank[a] - rank[b]) })
		ready = slices.DeleteFunc(ready, func(op int32) bool {
			if !s.fits(op, running) {
				return false
			}
			end[op] = now + s.dur[op]
			running = append(running, op)
			return true
		})
		now = end[running[0]]
		for _, op := range running {
			now = min(now, end[op])
		}
		running = slices.DeleteFunc(running, func(op int32) bool {
			if end[op] > now {
				return false
			}
			for _, n := range next[op] {
				if waiting[n]--; waiting[n] == 0 {
					ready = append(ready, n)
				}
			}
			return true
		})
	}
	return now
}

func (s *suspicion) fits(op int32, running []int32) bool {
	o := &s.in.Ops[op]
	held := holds(o)
	for _, r := range running {
		x := &s.in.Ops[r]
		if rivals(x.Kind, o.Kind) {
			held += holds(x)
		}
	}
	return held <= 100 || len(running) == 0
}

// either is the finding as a verdict.
func (s *suspicion) either() Verdict {
	found, ok := s.sensitive()
	if !ok {
		return met
	}
	v := fail(OrderSensitive, s.program.Where(s.calls[s.order.Call(found.b)]), "nothing says whether %s or %s runs first", s.name(found.a),
		s.name(found.b))
	v.Guilty = []int32{found.b, found.a}
	v.Saves = found.worst - found.best
	v.Change = "let " + s.name(found.b) + " wait for " + s.name(found.a) + ", or the other way round"
	v.Evidence = fmt.Sprintf("at nominal durations the schedule takes %v at best and %v at worst", found.best, found.worst)
	return v
}
