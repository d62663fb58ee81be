package mutate

import (
	"time"

	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/verdict"
)

// Facts are what an oracle finds out about a schedule, slowly and by itself: it carries sets of ops along the calls, in the
// order of issue, and shares nothing with package schedule's order or the judge.
type Facts struct {
	before   []map[int32]bool // by op: all that must have ended; nil for an op that is not launched
	forked   []bool
	joined   map[int32]bool
	start    []time.Duration
	end      []time.Duration
	Makespan time.Duration
}

// point is what has happened before a point of a stream, an event or the host.
type point struct {
	ops    map[int32]bool
	origin bool // the origin's beginning is behind it
}

func (p point) and(others ...point) point {
	out := point{ops: map[int32]bool{}, origin: p.origin}
	for _, o := range append(others, p) {
		for op := range o.ops {
			out.ops[op] = true
		}
		out.origin = out.origin || o.origin
	}
	return out
}

// FactsOf follows the calls of a schedule.
func FactsOf(s *schedule.Schedule) *Facts {
	n := len(s.Intent.Ops)
	f := &Facts{before: make([]map[int32]bool, n), forked: make([]bool, n), start: make([]time.Duration, n), end: make([]time.Duration, n)}
	streams, events := make([]point, len(s.Streams)), make([]point, len(s.Events))
	var host, barrier point
	legacy := func(i int32) bool { return s.Streams[i].Kind == schedule.Legacy }
	for _, c := range s.Issue {
		if c.Verb == schedule.SyncContext {
			host = host.and(streams...)
		}
		if c.Verb == schedule.SyncEvent {
			host = host.and(events[c.Event.Index()])
		}
		if !c.Stream.Some() {
			continue
		}
		now := streams[c.Stream.Index()].and(host)
		for i := range s.Streams {
			if legacy(c.Stream.Index()) && s.Streams[i].Kind != schedule.NonBlocking {
				now = now.and(streams[i])
			}
		}
		if legacy(c.Stream.Index()) {
			now.origin = true
		}
		if s.Streams[c.Stream.Index()].Kind == schedule.Blocking {
			now = now.and(barrier)
		}
		switch c.Verb {
		case schedule.Wait:
			now = now.and(events[c.Event.Index()])
		case schedule.Record:
			events[c.Event.Index()] = now
		case schedule.Launch, schedule.HostFunc:
			f.launch(s, c.Op.Index(), now)
			now = now.and(point{ops: map[int32]bool{c.Op.Index(): true}})
		case schedule.SyncStream:
			host = host.and(now)
		}
		streams[c.Stream.Index()] = now
		if legacy(c.Stream.Index()) && c.Verb != schedule.SyncStream {
			barrier = now
		}
	}
	last := host
	for i := range s.Streams {
		if s.Streams[i].Kind != schedule.NonBlocking {
			last = last.and(streams[i])
		}
	}
	f.joined = last.ops
	return f
}

func (f *Facts) launch(s *schedule.Schedule, op int32, now point) {
	f.before[op], f.forked[op] = now.ops, now.origin
	for u := range now.ops {
		f.start[op] = max(f.start[op], f.end[u])
	}
	f.end[op] = f.start[op] + s.Intent.Ops[op].Dur
	f.Makespan = max(f.Makespan, f.end[op])
}

// Fault names what is wrong with a schedule, whatever it was before; Met when nothing is.
func (f *Facts) Fault(s *schedule.Schedule) verdict.Cause {
	for op := range s.Intent.Ops {
		if f.before[op] == nil {
			return verdict.BadCode
		}
	}
	for op := range s.Intent.Ops {
		if !f.forked[op] || !f.joined[int32(op)] {
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
