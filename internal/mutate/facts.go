package mutate

import (
	"time"

	"github.com/gpu-overlap/overlap/internal/rules"
	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/verdict"
)

// Facts are what the rules of the calls say of a schedule, and so without package order and the judge.
type Facts struct {
	before     []map[int32]bool // by op: all that must have ended; nil for an op that is not launched
	forked     []bool           // by op
	joined     []bool           // by op
	start, end []time.Duration  // by op: when each starts as soon as it may
	Makespan   time.Duration
}

// FactsOf follows the calls of a schedule.
func FactsOf(s *schedule.Schedule) *Facts {
	n := len(s.Intent.Ops)
	f := &Facts{before: make([]map[int32]bool, n), forked: make([]bool, n), joined: make([]bool, n),
		start: make([]time.Duration, n), end: make([]time.Duration, n)}
	run := rules.Follow(s.Eager(), nil)
	start, end := run.Timetable(s.Intent.Durations())
	for i := range run.Works {
		w := &run.Works[i]
		f.before[w.Op] = map[int32]bool{}
		for _, u := range run.Ops(w.Before()) {
			f.before[w.Op][u] = true
		}
		f.forked[w.Op], f.joined[w.Op] = w.Forked(), run.Joined[i]
		f.start[w.Op], f.end[w.Op] = start[i], end[i]
		f.Makespan = max(f.Makespan, end[i])
	}
	return f
}

// Fault names what is wrong with a schedule, whatever it was before; Met when nothing is.
func (f *Facts) Fault(s *schedule.Schedule) verdict.Cause {
	for op := range s.Intent.Ops {
		if f.before[op] == nil {
			return verdict.BadCode
		}
	}
	for op := range s.Intent.Ops {
		if !f.forked[op] || !f.joined[op] {
			return verdict.MissingOrder
		}
		for _, u := range s.Intent.Ops[op].After {
			if !f.before[op][u] {
				return verdict.MissingOrder
			}
		}
	}
	for a := range s.Intent.Ops {
		for b := range a {
			if e := s.Intent.Ops[a].On(); e == s.Intent.Ops[b].On() && s.Intent.Engines[e].Capacity == 1 &&
				f.start[a] < f.end[b] && f.start[b] < f.end[a] {
				return verdict.EngineClash
			}
		}
	}
	return verdict.Met
}

// Same says whether two schedules impose the same order.
func (f *Facts) Same(other *Facts) bool {
	for op := range f.before {
		if len(f.before[op]) != len(other.before[op]) {
			return false
		}
		for u := range f.before[op] {
			if !other.before[op][u] {
				return false
			}
		}
	}
	return true
}
