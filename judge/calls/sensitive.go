package calls

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/verdict"
)

// Up to mostPermuted ops all orders are tried, 6! = 720; of more, a few that make a difference. A schedule of more than
// mostSensitive ops is not looked at: each order costs a pass over it.
const (
	mostPermuted  = 6
	mostSensitive = 4096
)

// Sensitive finds ops of one engine that the calls leave unordered and that the hardware cannot run at once: an engine
// whose capacity lets them, on purpose, while each holds SMs that the other needs, or copies in one direction. It finds
// nothing when their order does not matter.
func Sensitive(v *View) []verdict.Finding {
	if v == nil || !v.made {
		return nil
	}
	a, b, best, worst, ok := sensitive(v)
	if !ok {
		return nil
	}
	f := verdict.Found(verdict.OrderSensitive, v.callWhere(b), "nothing says whether %s or %s runs first", v.Name(a),
		v.Name(b))
	f.Guilty, f.Saves = []int32{b, a}, worst-best
	f.Change = verdict.Change("let " + v.Name(b) + " wait for " + v.Name(a) + ", or the other way round")
	f.Evidence = fmt.Sprintf("at nominal durations the schedule takes %v at best and %v at worst", best, worst)
	return one(f)
}

// sensitive gives the first two such ops, and how long the schedule takes in the best and in the worst order of them
// all.
func sensitive(v *View) (a, b int32, best, worst time.Duration, ok bool) {
	if len(v.Intent.Ops) > mostSensitive {
		return 0, 0, 0, 0, false
	}
	rivals := rivalsOf(v)
	if len(rivals) == 0 {
		return 0, 0, 0, 0, false
	}
	a, best = rivals[0], math.MaxInt64
	for _, x := range rivals[1:] {
		if unordered(v, a, x) {
			b = x
			break
		}
	}
	eachRanking(v, rivals, func(rank []int32) {
		m := makespan(v, rank)
		best, worst = min(best, m), max(worst, m)
	})
	return a, b, best, worst, worst > best
}

// rivalsOf are the ops of which two are unordered and cannot run at once, in the order of issue.
func rivalsOf(v *View) []int32 {
	byEngine := make([][]int32, len(v.Intent.Engines))
	for _, op := range v.Order.Issue {
		o := &v.Intent.Ops[op]
		if v.Intent.Engines[o.On()].Capacity > 1 && (o.SMs > 0 || o.Kind.Copies()) {
			byEngine[o.On()] = append(byEngine[o.On()], op)
		}
	}
	var list []int32
	for _, ops := range byEngine {
		for _, x := range ops {
			if slices.ContainsFunc(ops, func(y int32) bool { return x != y && unordered(v, x, y) }) {
				list = append(list, x)
			}
		}
	}
	return list
}

func unordered(v *View, x, y int32) bool {
	return v.Intent.Ops[x].On() == v.Intent.Ops[y].On() && v.Intent.Ops[x].Share()+v.Intent.Ops[y].Share() > 100 &&
		!v.Order.Before(x, y) && !v.Order.Before(y, x)
}

// eachRanking visits rankings of all ops, in each of which the rivals come in another order.
func eachRanking(v *View, rivals []int32, visit func(rank []int32)) {
	rank := make([]int32, len(v.Intent.Ops))
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
	tail := tails(v)
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
func tails(v *View) []time.Duration {
	tail := make([]time.Duration, len(v.Dur))
	for _, op := range slices.Backward(v.Order.Issue) {
		tail[op] += v.Dur[op]
		for _, p := range v.Order.Preds(op) {
			tail[p] = max(tail[p], tail[op])
		}
	}
	return tail
}

// makespan runs the schedule on the hardware: an op starts when all that it waits for has ended and its SMs or its copy
// engine are free, of several ready ones the one of the lowest rank first, and none overtakes it on the way to SMs.
func makespan(v *View, rank []int32) time.Duration {
	waiting := make([]int, len(v.Dur))
	next := make([][]int32, len(v.Dur))
	var ready, running []int32
	for _, op := range v.Order.Issue {
		waiting[op] = len(v.Order.Preds(op))
		for _, p := range v.Order.Preds(op) {
			next[p] = append(next[p], op)
		}
		if waiting[op] == 0 {
			ready = append(ready, op)
		}
	}
	end := make([]time.Duration, len(v.Dur))
	now := time.Duration(0)
	for len(ready)+len(running) > 0 {
		slices.SortStableFunc(ready, func(a, b int32) int { return int(rank[a] - rank[b]) })
		ready = slices.DeleteFunc(ready, func(op int32) bool {
			if !fits(v, op, running) {
				return false
			}
			end[op] = now + v.Dur[op]
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

func fits(v *View, op int32, running []int32) bool {
	o := &v.Intent.Ops[op]
	held := o.Share()
	for _, r := range running {
		x := &v.Intent.Ops[r]
		if schedule.Rivals(x.Kind, o.Kind) {
			held += x.Share()
		}
	}
	return held <= 100 || len(running) == 0
}
