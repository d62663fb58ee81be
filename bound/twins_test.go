package bound

import (
	"math/rand/v2"
	"time"

	"github.com/gpu-overlap/overlap/schedule"
)

// The twins below answer what the package answers, slowly and obviously. Durations are small integers.

// randomIntent has 1 to most ops with durations of 0 to 4, on 1 to 3 engines; Op.After points in both directions.
func randomIntent(r *rand.Rand, most, capacity int) (*schedule.Intent, []time.Duration) {
	in := &schedule.Intent{Ops: make([]schedule.Op, 1+r.IntN(most))}
	for range 1 + r.IntN(3) {
		in.Engines = append(in.Engines, schedule.Engine{Name: "e", Capacity: int32(1 + r.IntN(capacity))})
	}
	dur := make([]time.Duration, len(in.Ops))
	rank := r.Perm(len(in.Ops))
	density := r.Float64()
	for i := range in.Ops {
		dur[i] = time.Duration(r.IntN(5))
		in.Ops[i].Engine = schedule.At(int32(r.IntN(len(in.Engines))))
		for p := range in.Ops {
			if rank[p] < rank[i] && r.Float64() < density*0.7 {
				in.Ops[i].After = append(in.Ops[i].After, int32(p))
			}
		}
	}
	return in, dur
}

// twinHead is the longest path up to op, by walking every path.
func twinHead(in *schedule.Intent, dur []time.Duration, op int32) (longest time.Duration) {
	for _, p := range in.Ops[op].After {
		longest = max(longest, twinHead(in, dur, p)+dur[p])
	}
	return longest
}

// twinTail is the longest path behind op, by walking every path.
func twinTail(in *schedule.Intent, dur []time.Duration, op int32) (longest time.Duration) {
	for s := range in.Ops {
		for _, p := range in.Ops[s].After {
			if p == op {
				longest = max(longest, dur[s]+twinTail(in, dur, int32(s)))
			}
		}
	}
	return longest
}

func twinLongestPath(in *schedule.Intent, dur []time.Duration) (longest time.Duration) {
	for op := range in.Ops {
		longest = max(longest, twinHead(in, dur, int32(op))+dur[op])
	}
	return longest
}

// twinJackson runs Jackson's preemptive schedule one unit of time after the other.
func twinJackson(ops []int32, dur, head, tail []time.Duration) (bound time.Duration) {
	left := map[int32]time.Duration{}
	for _, op := range ops {
		left[op] = dur[op]
	}
	for now := time.Duration(0); len(left) > 0; now++ {
		run := schedule.None
		for _, op := range ops {
			if left[op] == 0 {
				delete(left, op)
			}
			if left[op] > 0 && head[op] <= now && (run < 0 || tail[op] > tail[run]) {
				run = op
			}
		}
		if run < 0 {
			continue
		}
		if left[run]--; left[run] == 0 {
			bound = max(bound, now+1+tail[run])
		}
	}
	return bound
}

// twinSubsets is what Carlier's theorem says equals twinJackson: over all sets of ops, the largest sum of the smallest
// head, the work divided by the capacity, and the smallest tail.
func twinSubsets(ops []int32, dur, head, tail []time.Duration) (bound time.Duration) {
	for set := 1; set < 1<<len(ops); set++ {
		first, last, work := time.Duration(1<<40), time.Duration(1<<40), time.Duration(0)
		for i, op := range ops {
			if set>>i&1 == 1 {
				first, last, work = min(first, head[op]), min(last, tail[op]), work+dur[op]
			}
		}
		bound = max(bound, first+work+last)
	}
	return bound
}

// twinOptimal tries every op at every start time. An op occupies its engine from its start until just before its end.
func twinOptimal(in *schedule.Intent, dur []time.Duration) time.Duration {
	best := Serial(dur)
	starts := make([]time.Duration, len(in.Ops))
	used := make([][]int32, len(in.Engines))
	for e := range used {
		used[e] = make([]int32, best)
	}
	order := twinTopological(in)
	var try func(i int, end time.Duration)
	try = func(i int, end time.Duration) {
		if end >= best && i > 0 {
			return // not better
		}
		if i == len(order) {
			best = end
			return
		}
		op := order[i]
		engine, room := used[in.Ops[op].On()], in.Engines[in.Ops[op].On()].Capacity
		earliest := time.Duration(0)
		for _, p := range in.Ops[op].After {
			earliest = max(earliest, starts[p]+dur[p])
		}
		for at := earliest; at+dur[op] <= best; at++ {
			fits := true
			for u := at; u < at+dur[op]; u++ {
				fits = fits && engine[u] < room
			}
			if !fits {
				continue
			}
			for u := at; u < at+dur[op]; u++ {
				engine[u]++
			}
			starts[op] = at
			stop := at + dur[op]
			try(i+1, max(end, stop))
			for u := at; u < stop; u++ {
				engine[u]--
			}
		}
	}
	try(0, 0)
	return best
}

// twinTopological takes, again and again, the first op whose predecessors were all taken.
func twinTopological(in *schedule.Intent) (order []int32) {
	taken := map[int32]bool{}
	for len(order) < len(in.Ops) {
		for op := range in.Ops {
			ready := !taken[int32(op)]
			for _, p := range in.Ops[op].After {
				ready = ready && taken[p]
			}
			if ready {
				taken[int32(op)] = true
				order = append(order, int32(op))
			}
		}
	}
	return order
}

// renamed gives every op another id.
func renamed(r *rand.Rand, in *schedule.Intent, dur []time.Duration) (*schedule.Intent, []time.Duration) {
	to := r.Perm(len(in.Ops))
	out := &schedule.Intent{Ops: make([]schedule.Op, len(in.Ops)), Engines: in.Engines}
	outDur := make([]time.Duration, len(dur))
	for i, op := range in.Ops {
		var after []int32
		for _, p := range op.After {
			after = append(after, int32(to[p]))
		}
		op.After = after
		out.Ops[to[i]], outDur[to[i]] = op, dur[i]
	}
	return out, outDur
}

// reversed turns every Op.After around: the schedule as seen from its end.
func reversed(in *schedule.Intent) *schedule.Intent {
	out := &schedule.Intent{Ops: make([]schedule.Op, len(in.Ops)), Engines: in.Engines}
	for i, op := range in.Ops {
		out.Ops[i].Engine = op.Engine
		for _, p := range op.After {
			out.Ops[p].After = append(out.Ops[p].After, int32(i))
		}
	}
	return out
}
