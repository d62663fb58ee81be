package overlap

import (
	"slices"
	"time"

	"github.com/gpu-overlap/overlap/bound"
	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/timeline"
)

// maxSuspects bounds how many places on the critical path explain tries; each costs one pass over the schedule.
const maxSuspects = 64

// explain names the cause of a miss. It looks along the critical path of the schedule, at nominal durations, for an
// order that the intent does not need and whose removal shortens the schedule. When there is none, the miss stays a
// miss, and the detail says what was missed, and whether the calls could have met it at all.
func (j *judgement) explain(missed, where string) Verdict {
	if j.order == nil {
		return fail(Missed, where, "%s", missed)
	}
	s := newSuspicion(j.Intent, j.Program, j.order)
	for _, find := range []func() Verdict{s.legacy, s.hostSync} {
		if v := find(); v.Cause != "" {
			return v
		}
	}
	tried := 0
	for i := 1; i < len(s.table.Critical) && tried < maxSuspects; i++ {
		u, x := s.table.Critical[i-1], s.table.Critical[i]
		if s.implied(u, x) {
			continue
		}
		tried++
		if s.makespanWithout(x) < s.table.Makespan {
			return s.accuse(u, x)
		}
	}
	if ideal := bound.Ideal(j.Intent, s.dur); s.table.Makespan > ideal+percent(ideal, j.Target.Percent) {
		missed += ": the order of its calls is too long by itself"
	}
	return fail(Missed, where, "%s", missed)
}

// suspicion is a schedule at nominal durations, and what it would be with less order.
type suspicion struct {
	in      *schedule.Intent
	program *schedule.Program
	order   *schedule.Order
	dur     []time.Duration
	table   bound.Timetable
	calls   []schedule.Instr // that issue the schedule
	at      []int32          // by op: its call, an index into calls
}

func newSuspicion(in *schedule.Intent, p *schedule.Program, o *schedule.Order) *suspicion {
	s := &suspicion{in: in, program: p, order: o, dur: in.Durations(), calls: p.Issued(), at: make([]int32, len(in.Ops))}
	s.table = bound.Scheduled(o, s.dur)
	for i, c := range s.calls {
		if c.Op != schedule.None {
			s.at[c.Op] = int32(i)
		}
	}
	return s
}

// implied says whether x may be kept waiting for u: by the intent, by an exclusive engine, or by a buffer.
func (s *suspicion) implied(u, x int32) bool {
	a, b := &s.in.Ops[u], &s.in.Ops[x]
	if slices.Contains(b.After, u) || a.Engine == b.Engine && s.in.Engines[a.Engine].Capacity == 1 {
		return true
	}
	touches := func(w, o *schedule.Op) bool {
		return slices.ContainsFunc(w.Writes, func(buf int32) bool {
			return slices.Contains(o.Reads, buf) || slices.Contains(o.Writes, buf)
		})
	}
	return touches(a, b) || touches(b, a)
}

func (s *suspicion) stream(op int32) int32 { return s.calls[s.at[op]].Stream }

// next is the op that follows x in its stream; None when there is none.
func (s *suspicion) next(x int32) int32 {
	for _, c := range s.calls[s.at[x]+1:] {
		if c.Op != schedule.None && c.Stream == s.stream(x) {
			return c.Op
		}
	}
	return schedule.None
}

// needed gives the ops that x must come after in any case, of those that the calls put before it: what it is implied to
// wait for, be that behind ops that it need not wait for. The latter, as far as they directly precede x, are dropped.
func (s *suspicion) needed(x int32) (kept, dropped []int32) {
	kept = slices.Clone(s.in.Ops[x].After)
	seen := make([]bool, len(s.in.Ops))
	todo := slices.Clone(s.order.Preds(x))
	for direct := len(todo); len(todo) > 0; direct-- {
		u := todo[0]
		todo = todo[1:]
		if seen[u] {
			continue
		}
		seen[u] = true
		if s.implied(u, x) {
			kept = append(kept, u)
			continue
		}
		if direct > 0 {
			dropped = append(dropped, u)
		}
		todo = append(todo, s.order.Preds(u)...)
	}
	return kept, dropped
}

// makespanWithout is the makespan when op x waits only for what is implied. What came after x in its stream then comes
// after what x came after. When two ops of an exclusive engine would coincide, nothing is gained: the present makespan.
func (s *suspicion) makespanWithout(x int32) time.Duration {
	kept, dropped := s.needed(x)
	after := s.next(x)
	inherit := func(op int32) []int32 {
		switch {
		case op == x:
			return kept
		case op == after:
			preds := append(slices.Clone(s.order.Preds(op)), dropped...)
			if !s.implied(x, op) {
				preds = slices.DeleteFunc(preds, func(u int32) bool { return u == x })
			}
			return preds
		}
		return s.order.Preds(op)
	}
	t := bound.ASAP(s.order.Issue, inherit, s.dur)
	if len(timeline.Clashes(s.in, t.Start, t.End)) > 0 {
		return s.table.Makespan
	}
	return t.Makespan
}

// accuse says through which call x waits for u: their stream, or a wait on an event.
func (s *suspicion) accuse(u, x int32) Verdict {
	p := s.program
	where := p.Where(s.calls[s.at[x]])
	if s.stream(u) == s.stream(x) {
		return fail(SerialByStream, where, "%s waits for %s on stream %s", s.in.Ops[x].Name, s.in.Ops[u].Name,
			p.Streams[s.stream(x)].Name)
	}
	for i := s.at[x] - 1; i >= 0; i-- {
		c := s.calls[i]
		if c.Stream != s.stream(x) {
			continue
		}
		if c.Op != schedule.None {
			break
		}
		if c.Verb == schedule.Wait && s.recordedAfter(u, c.Event, i, map[int32]bool{}) {
			return fail(OverWideWait, p.Where(c), "%s waits for %s through %s", s.in.Ops[x].Name, s.in.Ops[u].Name,
				p.Events[c.Event])
		}
	}
	return fail(OverWideWait, where, "%s waits for %s", s.in.Ops[x].Name, s.in.Ops[u].Name)
}

// recordedAfter says whether the record that a wait at call i sees comes after op u: in the same stream, or through
// other waits. seen marks the waits that were looked at.
func (s *suspicion) recordedAfter(u, event, i int32, seen map[int32]bool) bool {
	if seen[i] {
		return false
	}
	seen[i] = true
	for i--; i >= 0; i-- {
		if c := s.calls[i]; c.Verb == schedule.Record && c.Event == event {
			break
		}
	}
	if i < 0 {
		return false
	}
	for k := i - 1; k >= 0; k-- {
		switch c := s.calls[k]; {
		case c.Stream != s.calls[i].Stream:
		case c.Op != schedule.None:
			return c.Op == u || s.order.Before(u, c.Op)
		case c.Verb == schedule.Wait && s.recordedAfter(u, c.Event, k, seen):
			return true
		}
	}
	return false
}

// legacy tries the same program with its blocking streams made non-blocking. When that is shorter and loses no intended
// order, work on the legacy stream is the barrier.
func (s *suspicion) legacy() Verdict {
	free := *s.program
	free.Streams = slices.Clone(free.Streams)
	var blocking []int32
	for i := range free.Streams {
		if free.Streams[i].Kind == schedule.Blocking {
			blocking = append(blocking, int32(i))
			free.Streams[i].Kind = schedule.NonBlocking
		}
	}
	if len(blocking) == 0 {
		return met
	}
	o := schedule.OrderOf(&free)
	if t := bound.Scheduled(o, s.dur); t.Makespan >= s.table.Makespan || len(timeline.Clashes(s.in, t.Start, t.End)) > 0 {
		return met
	}
	for op := range s.in.Ops {
		for _, u := range s.in.Ops[op].After {
			if !o.Before(u, int32(op)) {
				return met
			}
		}
	}
	barrier := s.barrier(blocking)
	return fail(LegacyBarrier, s.program.Where(barrier), "%s on the legacy stream keeps blocking streams apart",
		s.callName(barrier))
}

// hostSync finds a call that blocks the host and an op that is issued only after it.
func (s *suspicion) hostSync() Verdict {
	blocked := schedule.None
	for i, c := range s.calls {
		switch {
		case c.Verb.Blocks() && blocked == schedule.None:
			blocked = int32(i)
		case c.Op != schedule.None && blocked != schedule.None:
			sync := s.calls[blocked]
			return fail(HostSync, s.program.Where(sync), "the host waits in %s before it issues %s", sync.Verb.Call(),
				s.in.Ops[c.Op].Name)
		}
	}
	return met
}

// barrier is the first call on the legacy stream that has work of blocking streams before and after it.
func (s *suspicion) barrier(blocking []int32) schedule.Instr {
	seen := false
	for _, c := range s.calls {
		if c.Stream == schedule.None {
			continue
		}
		if c.Op != schedule.None && slices.Contains(blocking, c.Stream) {
			seen = true
		}
		if seen && s.program.Streams[c.Stream].Kind == schedule.Legacy {
			return c
		}
	}
	return s.calls[0]
}

func (s *suspicion) callName(c schedule.Instr) string {
	if c.Op != schedule.None {
		return s.in.Ops[c.Op].Name
	}
	return c.Verb.Call()
}
