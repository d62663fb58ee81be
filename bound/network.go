package bound

import (
	"math"
	"slices"
	"time"

	"github.com/gpu-overlap/overlap/schedule"
)

// network is an intent as an activity network: columns by op id, successors in one array.
type network struct {
	dur   []time.Duration
	head  []time.Duration // longest path up to the op: when it can start at the earliest
	tail  []time.Duration // longest path behind the op, without the op
	order []int32         // topological; without the ops on or behind a cycle
	first []int32         // successors of op are succ[first[op]:first[op+1]]
	succ  []int32         // ascending within an op
}

// networkOf is nil of what has no bound: of durations that are not one for each op, not at least 0 each, or more than
// fit in all, and of ops that are after what is no op.
func networkOf(in *schedule.Intent, dur []time.Duration) *network {
	if in == nil || len(dur) != len(in.Ops) || !fits(dur) {
		return nil
	}
	n := len(in.Ops)
	net := &network{dur: dur, head: make([]time.Duration, n), tail: make([]time.Duration, n)}
	if !net.link(in) {
		return nil
	}
	net.forward(in)
	net.backward()
	return net
}

// fits says whether durations are at least 0, and add up to less than 146 years.
func fits(dur []time.Duration) bool {
	left := time.Duration(math.MaxInt64 / 2)
	for _, d := range dur {
		if d < 0 || d > left {
			return false
		}
		left -= d
	}
	return true
}

// link turns Op.After around. ok is false when that leads to no op.
func (net *network) link(in *schedule.Intent) (ok bool) {
	net.first = make([]int32, len(in.Ops)+1)
	for i := range in.Ops {
		for _, p := range in.Ops[i].After {
			if p < 0 || int(p) >= len(in.Ops) {
				return false
			}
			net.first[p+1]++
		}
	}
	for i := range in.Ops {
		net.first[i+1] += net.first[i]
	}
	net.succ = make([]int32, net.first[len(in.Ops)])
	fill := slices.Clone(net.first)
	for i := range in.Ops {
		for _, p := range in.Ops[i].After {
			net.succ[fill[p]] = int32(i)
			fill[p]++
		}
	}
	return true
}

// forward finds the order and the heads.
func (net *network) forward(in *schedule.Intent) {
	n := len(in.Ops)
	waits := make([]int32, n) // predecessors that are not in order yet
	net.order = make([]int32, 0, n)
	for i := range in.Ops {
		waits[i] = int32(len(in.Ops[i].After))
		if waits[i] == 0 {
			net.order = append(net.order, int32(i))
		}
	}
	for at := 0; at < len(net.order); at++ {
		op := net.order[at]
		end := net.head[op] + net.dur[op]
		for _, s := range net.after(op) {
			net.head[s] = max(net.head[s], end)
			if waits[s]--; waits[s] == 0 {
				net.order = append(net.order, s)
			}
		}
	}
	if len(net.order) == n {
		return
	}
	net.dur = slices.Clone(net.dur) // a cycle: what it holds back counts for nothing
	for op, w := range waits {
		if w > 0 {
			net.dur[op], net.head[op] = 0, 0
		}
	}
}

func (net *network) backward() {
	for _, op := range slices.Backward(net.order) {
		for _, s := range net.after(op) {
			net.tail[op] = max(net.tail[op], net.dur[s]+net.tail[s])
		}
	}
}

// after gives the ops that come directly after op.
func (net *network) after(op int32) []int32 { return net.succ[net.first[op]:net.first[op+1]] }

// longest is the length of the longest path.
func (net *network) longest() time.Duration {
	var length time.Duration
	for _, op := range net.order {
		length = max(length, net.dur[op]+net.tail[op])
	}
	return length
}

// path is a longest path, first to last; of several, at each step the one with the lowest op id.
func (net *network) path() []int32 {
	if len(net.order) == 0 {
		return nil
	}
	best := net.order[0]
	for _, op := range net.order {
		through, least := net.dur[op]+net.tail[op], net.dur[best]+net.tail[best]
		if through > least || through == least && op < best {
			best = op
		}
	}
	path := []int32{best}
	for net.tail[best] > 0 {
		next := slices.IndexFunc(net.after(best), func(s int32) bool {
			return net.dur[s]+net.tail[s] == net.tail[best]
		})
		best = net.after(best)[next]
		path = append(path, best)
	}
	return path
}

// engines sorts the ops that can start and last by engine: those of engine e are ops[first[e]:first[e+1]]. An op on an
// engine that the intent does not have is in nobody's way.
func (net *network) engines(in *schedule.Intent) (first, ops []int32) {
	first = make([]int32, len(in.Engines)+1)
	for _, op := range net.order {
		if e := in.Ops[op].On(); net.dur[op] > 0 && e >= 0 && int(e) < len(in.Engines) {
			first[e+1]++
		}
	}
	for e := range in.Engines {
		first[e+1] += first[e]
	}
	ops = make([]int32, first[len(in.Engines)])
	fill := slices.Clone(first)
	for _, op := range net.order {
		if e := in.Ops[op].On(); net.dur[op] > 0 && e >= 0 && int(e) < len(in.Engines) {
			ops[fill[e]] = op
			fill[e]++
		}
	}
	return first, ops
}
