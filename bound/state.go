package bound

import (
	"time"

	"github.com/gpu-overlap/overlap/schedule"
)

// state is a partial schedule. It is a value: a copy is a branch.
type state struct {
	done  uint32                       // the ops that are placed, as bits
	waits [MaxOptimalOps]int8          // by op: predecessors that are not placed yet
	ready [MaxOptimalOps]time.Duration // by op: when the last of its placed predecessors ends
	free  [MaxOptimalOps]time.Duration // by slot: when an engine has room again; ascending within an engine
	end   time.Duration                // of the ops that are placed
}

// root is the state in which nothing is placed.
func (s *search) root() state {
	var t state
	for _, op := range s.net.succ {
		t.waits[op]++
	}
	return t
}

// start is when an op can start at the earliest, were it placed next.
func (s *search) start(t *state, op int32) time.Duration {
	if e := s.engine[op]; e != schedule.None {
		return max(t.ready[op], t.free[s.first[e]])
	}
	return t.ready[op]
}

// place adds an op as early as it can start.
func (s *search) place(t *state, op int32) {
	end := s.start(t, op) + s.net.dur[op]
	t.done |= 1 << op
	t.end = max(t.end, end)
	for _, next := range s.net.after(op) {
		t.waits[next]--
		t.ready[next] = max(t.ready[next], end)
	}
	e := s.engine[op]
	if e == schedule.None {
		return
	}
	i := s.first[e]
	for ; i+1 < s.first[e+1] && t.free[i+1] < end; i++ {
		t.free[i] = t.free[i+1]
	}
	t.free[i] = end
}

// bound is a lower bound for every way to complete a state: the bounds of Ideal, with heads that know what is placed.
// It leaves those heads in s.head.
func (s *search) bound(t *state) time.Duration {
	least := t.end
	for _, op := range s.net.order {
		if s.head[op] = 0; t.done>>op&1 == 0 {
			s.head[op] = s.start(t, op)
		}
	}
	for _, op := range s.net.order {
		if t.done>>op&1 == 1 {
			continue
		}
		end := s.head[op] + s.net.dur[op]
		least = max(least, end+s.net.tail[op])
		for _, next := range s.net.after(op) {
			s.head[next] = max(s.head[next], end)
		}
	}
	for e, c := range s.capacity {
		s.group = s.group[:0]
		for op, on := range s.engine {
			if on == int32(e) && t.done>>op&1 == 0 {
				s.group = append(s.group, int32(op))
			}
		}
		least = max(least, s.machine.bound(s.group, c, s.net.dur, s.head[:], s.net.tail).bound)
	}
	return least
}

// dominated says whether a state with the same ops placed was seen that leaves at least as much room: no op of the rest
// can start later from there, and nothing placed ends later. It remembers the state otherwise. It needs the heads that
// bound leaves; with capacity 1 they say all about the engine.
func (s *search) dominated(t *state) bool {
	room := []time.Duration{t.end}
	for op := range s.net.dur {
		if t.done>>op&1 == 0 {
			room = append(room, s.head[op])
		}
	}
	for e, c := range s.capacity {
		if c > 1 {
			room = append(room, t.free[s.first[e]:s.first[e+1]]...)
		}
	}
	for _, other := range s.seen[t.done] {
		if noLater(other, room) {
			return true
		}
	}
	s.seen[t.done] = append(s.seen[t.done], room)
	return false
}

func noLater(a, b []time.Duration) bool {
	for i := range a {
		if a[i] > b[i] {
			return false
		}
	}
	return true
}
