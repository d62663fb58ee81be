package bound

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/gpu-overlap/overlap/schedule"
)

// MaxOptimalOps is the most ops for which Optimal searches.
const MaxOptimalOps = 24

// maxNodes is how many partial schedules Optimal looks at before it gives up. It is a count, not a time, so that the
// answer is the same on every machine.
const maxNodes = 1 << 16

// Optimal is the makespan of the best schedule of the intent: each op runs once, without interruption, after the ops
// that it comes after, and no engine runs more ops at once than its capacity. It gives up, with ok false and best 0,
// when there are more than MaxOptimalOps ops, when there is a cycle, when Of has no bound, or when the search grows too
// large.
func Optimal(in *schedule.Intent, dur []time.Duration) (best time.Duration, ok bool) {
	if in == nil || len(in.Ops) > MaxOptimalOps {
		return 0, false
	}
	s := newSearch(in, dur)
	if s.net == nil || len(s.net.order) < len(in.Ops) {
		return 0, false
	}
	s.floor = Ideal(in, dur)
	s.best = s.list()
	s.expand(s.root())
	if s.nodes > maxNodes && s.best > s.floor {
		return 0, false
	}
	return s.best, true
}

// search is a branch and bound over active schedules, those in which no op could start earlier without delaying
// another: one of them is optimal. It places ops one by one, each as early as it can start behind the ops that were
// placed on its engine before.
type search struct {
	net      *network
	capacity []int32 // by engine
	engine   []int32 // by op; schedule.None when no engine can delay it
	first    []int32 // by engine: its slots are first[e] to first[e+1], one for each op that may run at once
	floor    time.Duration
	best     time.Duration // of the schedules seen so far
	nodes    int
	seen     map[uint32][][]time.Duration // by set of placed ops: what was left open; see dominated

	machine machine
	head    [MaxOptimalOps]time.Duration // of the state at hand, by op
	group   []int32
}

func newSearch(in *schedule.Intent, dur []time.Duration) *search {
	s := &search{net: networkOf(in, dur), seen: map[uint32][][]time.Duration{}}
	if s.net == nil {
		return s
	}
	first, ops := s.net.engines(in)
	s.engine = slices.Repeat([]int32{schedule.None}, len(in.Ops))
	s.first = make([]int32, len(in.Engines)+1)
	s.capacity = make([]int32, len(in.Engines))
	for e := range in.Engines {
		mine := ops[first[e]:first[e+1]]
		s.first[e+1] = s.first[e]
		if s.capacity[e] = max(1, in.Engines[e].Capacity); int(s.capacity[e]) >= len(mine) {
			continue // room for all: it delays nothing
		}
		s.first[e+1] += s.capacity[e]
		for _, op := range mine {
			s.engine[op] = int32(e)
		}
	}
	return s
}

// expand tries every way to continue a partial schedule that could beat the best one.
func (s *search) expand(t state) {
	if s.nodes++; s.nodes > maxNodes || s.best == s.floor {
		return
	}
	if t.done == 1<<len(s.net.dur)-1 {
		s.best = min(s.best, t.end)
		return
	}
	if s.bound(&t) >= s.best || s.dominated(&t) {
		return
	}
	for _, op := range s.conflict(&t) {
		next := t
		s.place(&next, op)
		s.expand(next)
	}
}

// conflict gives the ops of which one must be placed next (Giffler and Thompson 1960): of the op that can end first,
// all rivals for its engine that can start before that end; largest tail first. In a schedule that placed none of them
// before that end, the op itself could start earlier.
func (s *search) conflict(t *state) []int32 {
	first, end := schedule.None, time.Duration(math.MaxInt64)
	var open []int32
	for op := range int32(len(s.net.dur)) {
		if t.done>>op&1 == 1 || t.waits[op] > 0 {
			continue
		}
		open = append(open, op)
		if e := s.start(t, op) + s.net.dur[op]; e < end {
			first, end = op, e
		}
	}
	if s.engine[first] == schedule.None {
		return []int32{first}
	}
	rivals := slices.DeleteFunc(open, func(op int32) bool {
		return s.engine[op] != s.engine[first] || s.start(t, op) >= end
	})
	slices.SortStableFunc(rivals, func(a, b int32) int { return cmp.Compare(s.net.tail[b], s.net.tail[a]) })
	return rivals
}

// list is a good schedule to begin with: place, again and again, the op that can start first; of several, the one with
// the largest tail.
func (s *search) list() time.Duration {
	t := s.root()
	for range s.net.dur {
		best := schedule.None
		for op := range int32(len(s.net.dur)) {
			if t.done>>op&1 == 1 || t.waits[op] > 0 {
				continue
			}
			if best == schedule.None || cmp.Or(cmp.Compare(s.start(&t, op), s.start(&t, best)),
				cmp.Compare(s.net.tail[best]+s.net.dur[best], s.net.tail[op]+s.net.dur[op])) < 0 {
				best = op
			}
		}
		s.place(&t, best)
	}
	return t.end
}
