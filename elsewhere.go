package overlap

import (
	"slices"
	"time"

	"github.com/gpu-overlap/overlap/order"
	"github.com/gpu-overlap/overlap/schedule"
)

// elsewhere finds an op on the wrong stream where only the order on an exclusive engine shows it: of two ops of the
// engine on the critical path the second follows the first without need, because they are on one stream, or one of them
// is a barrier on the legacy stream. No call can be taken away there, and which order the engine had otherwise nobody
// knows. So one of the two is put where it belongs, and all that a schedule must be is checked of that program: when it
// is as sound, and shorter, the stream is to blame.
func (s *suspicion) elsewhere() Verdict {
	tried := 0
	for i := 1; i < len(s.table.Critical) && tried < maxSuspects && s.visits < maxVisits; i++ {
		u, x := s.table.Critical[i-1], s.table.Critical[i]
		if !s.early(x) {
			continue
		}
		for _, moved := range []int32{x, u} {
			barrier := s.isBarrier(moved)
			if !barrier && s.before(x) != u {
				continue
			}
			for _, to := range s.home(moved) {
				tried++
				if saves := s.savesOn(moved, to); saves > 0 {
					v := s.misplaced(u, x, moved, barrier)
					v.Saves, v.Change = saves, "put "+s.name(moved)+" on "+s.program.Streams[to].Name
					return v
				}
			}
		}
	}
	return met
}

// early says whether an op waits, beyond all that it needs, for its exclusive engine alone.
func (s *suspicion) early(x int32) bool {
	for _, u := range s.needs.of(x) {
		if s.table.End[u] == s.table.Start[x] && needed(s.in, u, x) {
			return false
		}
	}
	return s.in.Engines[s.in.Ops[x].On()].Capacity == 1
}

// isBarrier says whether an op is on the legacy stream, and some stream is blocking.
func (s *suspicion) isBarrier(op int32) bool {
	return s.program.Streams[s.stream(op)].Kind == schedule.Legacy &&
		slices.ContainsFunc(s.program.Streams, func(st schedule.Stream) bool { return st.Kind == schedule.Blocking })
}

func (s *suspicion) misplaced(u, x, moved int32, barrier bool) (v Verdict) {
	if where := s.program.Where(s.calls[s.order.Call(moved)]); barrier {
		v = fail(LegacyBarrier, where, "%s on the legacy stream keeps blocking streams apart", s.name(moved))
	} else {
		v = fail(SerialByStream, where, "%s waits for %s on stream %s", s.name(x), s.name(u), s.streamName(x))
	}
	v.Guilty = []int32{x, u}
	return v
}

// home are the streams where an op belongs, of its device and other than its own: the one that all other ops of its engine
// share, or else those of the ops that it comes after, or else those of the ops that come after it.
func (s *suspicion) home(x int32) (streams []int32) {
	if s.queues == nil {
		s.queues = s.queuesOf()
	}
	own := s.stream(x)
	if st := s.queues[s.in.Ops[x].On()].without(own); st != schedule.None {
		streams = []int32{st}
	}
	if len(streams) == 0 {
		for _, u := range s.in.Ops[x].After {
			streams = append(streams, s.stream(u))
		}
	}
	if len(streams) == 0 {
		s.visits += len(s.inTime)
		for _, op := range s.inTime {
			if slices.Contains(s.in.Ops[op].After, x) {
				streams = append(streams, s.stream(op))
			}
		}
	}
	slices.Sort(streams)
	return slices.DeleteFunc(slices.Compact(streams), func(st int32) bool {
		return st == own || s.program.Streams[st].Device != s.program.Streams[own].Device
	})
}

// queue are the streams that launch the ops of an engine: the first two of them, and how many ops each launches.
type queue struct {
	streams [2]int32
	ops     [2]int
	more    bool
}

func (s *suspicion) queuesOf() []queue {
	queues := make([]queue, len(s.in.Engines))
	for _, op := range s.order.Issue {
		q, st := &queues[s.in.Ops[op].On()], s.stream(op)
		k := 0
		for k < 2 && q.ops[k] > 0 && q.streams[k] != st {
			k++
		}
		if k == 2 {
			q.more = true
			continue
		}
		q.streams[k] = st
		q.ops[k]++
	}
	return queues
}

// without is the one stream that launches all ops but one, which own launches; None when there is no such stream.
func (q *queue) without(own int32) int32 {
	left := schedule.None
	for k, n := range q.ops {
		if q.streams[k] == own {
			n--
		}
		if n > 0 && (q.more || left != schedule.None) {
			return schedule.None
		}
		if n > 0 {
			left = q.streams[k]
		}
	}
	return left
}

// savesOn is by how much the schedule is shorter when x is launched into another stream; 0 when it is unsound then.
func (s *suspicion) savesOn(x, stream int32) time.Duration {
	s.visits += 16 * len(s.calls)
	p := *s.program
	p.Setup, p.Body = launchedInto(stream, x, p.Setup), launchedInto(stream, x, p.Body)
	j := judgement{Evidence: &Evidence{Intent: s.in, Program: &p}, calls: &p, order: order.Of(&p)}
	if len(j.order.Missing) > 0 || j.nominal().table.Makespan >= s.table.Makespan || j.soundness().Cause != "" {
		return 0
	}
	return s.table.Makespan - j.nominal().table.Makespan
}

func launchedInto(stream, op int32, calls []schedule.Instr) []schedule.Instr {
	calls = slices.Clone(calls)
	for i := range calls {
		if calls[i].Op.Index() == op {
			calls[i].Stream = schedule.At(stream)
		}
	}
	return calls
}
