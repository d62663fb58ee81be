package overlap

import (
	"slices"
	"time"

	"github.com/gpu-overlap/overlap/bound"
	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/timeline"
)

// implied says whether x may be kept waiting for u: by the intent, by an exclusive engine, or by a buffer.
func implied(in *schedule.Intent, u, x int32) bool {
	a, b := &in.Ops[u], &in.Ops[x]
	if slices.Contains(b.After, u) || a.Engine == b.Engine && in.Engines[a.Engine].Capacity == 1 {
		return true
	}
	touches := func(w, o *schedule.Op) bool {
		return slices.ContainsFunc(w.Writes, func(buf int32) bool {
			return slices.Contains(o.Reads, buf) || slices.Contains(o.Writes, buf)
		})
	}
	return touches(a, b) || touches(b, a)
}

// needs are, by op, the ops that it must come after whatever calls are taken away: what the intent says, the previous op of
// its exclusive engine in the present timetable, be it only durations that keep the two apart, and of what the calls order
// now, the ops that touch its buffers. Together with less order they give a schedule that is as sound as the present one.
type needs [][]int32

func needsOf(in *schedule.Intent, o *schedule.Order, t bound.Timetable) needs {
	n := make(needs, len(in.Ops))
	for op := range n {
		n[op] = in.Ops[op].After
	}
	add := func(op, before int32) { n[op] = append(slices.Clip(n[op]), before) }
	last := make([]int32, len(in.Engines))
	for e := range last {
		last[e] = schedule.None
	}
	for _, op := range byStart(o.Issue, t) {
		if e := in.Ops[op].Engine; in.Engines[e].Capacity == 1 {
			if last[e] != schedule.None {
				add(op, last[e])
			}
			last[e] = op
		}
	}
	eachConflict(in, o.Issue, func(a, b, _ int32) bool {
		if o.Before(a, b) {
			add(b, a)
		}
		return true
	})
	return n
}

// eachConflict visits the pairs of ops, in the order of issue, of which one writes a buffer that the other touches, each
// write against the write before it and the reads since, each read against the write before it; until visit says false.
func eachConflict(in *schedule.Intent, issue []int32, visit func(a, b, buffer int32) bool) {
	type use struct {
		write int32
		reads []int32
	}
	last := make([]use, len(in.Buffers))
	for b := range last {
		last[b].write = schedule.None
	}
	for _, op := range issue {
		o := &in.Ops[op]
		for _, b := range o.Reads {
			if w := last[b].write; w != schedule.None && w != op && !visit(w, op, b) {
				return
			}
			last[b].reads = append(last[b].reads, op)
		}
		for _, b := range o.Writes {
			for _, other := range append(last[b].reads, last[b].write) {
				if other != schedule.None && other != op && !visit(other, op, b) {
					return
				}
			}
			last[b] = use{write: op}
		}
	}
}

// savesWith is by how much the schedule is shorter when op x waits for preds alone, and for what it needs. When x leaves
// the op before it in its stream, what comes next there follows that one.
func (s *suspicion) savesWith(x int32, preds []int32, leaves int32) time.Duration {
	after := schedule.None
	if leaves != schedule.None {
		after = s.next(x)
	}
	relaxed := func(op int32) []int32 {
		switch {
		case op == x:
			return preds
		case op == after:
			kept := slices.DeleteFunc(slices.Clone(s.order.Preds(op)), func(u int32) bool { return u == x })
			return append(kept, leaves)
		}
		return s.order.Preds(op)
	}
	saves := s.saves(relaxed, s.needs)
	// Freed, x may also fit in before an op of its engine that only durations keep before it.
	loose := slices.Clone(s.needs)
	loose[x] = s.ordered(x)
	return max(saves, s.saves(relaxed, loose))
}

// ordered is what op needs of what the calls put before it.
func (s *suspicion) ordered(op int32) []int32 {
	return slices.DeleteFunc(slices.Clone(s.needs[op]), func(u int32) bool { return !s.order.Before(u, op) })
}

// savesAs is by how much the schedule is shorter as another program issues it, be it that ops which only durations keep
// in their order on an engine keep that order or not.
func (s *suspicion) savesAs(p *schedule.Program) time.Duration {
	preds := schedule.OrderOf(p).Preds
	loose := make(needs, len(s.needs))
	for op := range loose {
		loose[op] = s.ordered(int32(op))
	}
	return max(s.saves(preds, s.needs), s.saves(preds, loose))
}

// saves is by how much the schedule is shorter when each op waits for preds and for what it needs, n. Where two ops of an
// exclusive engine would then coincide, nothing is gained; nor is it ever less than that.
func (s *suspicion) saves(preds func(op int32) []int32, n needs) time.Duration {
	var all []int32
	t := bound.ASAP(s.inTime, func(op int32) []int32 {
		all = append(append(all[:0], preds(op)...), n[op]...)
		return all
	}, s.dur)
	if len(timeline.Clashes(s.in, t.Start, t.End)) > 0 {
		return 0
	}
	return max(s.table.Makespan-t.Makespan, 0)
}

// legacy tries the same program with its blocking streams made non-blocking. When that is shorter, work on the legacy
// stream is the barrier.
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
	saves := s.savesAs(&free)
	if saves == 0 {
		return met
	}
	barrier := s.barrier(blocking)
	v := fail(LegacyBarrier, s.program.Where(barrier), "%s on the legacy stream keeps blocking streams apart",
		s.callName(barrier))
	v.Saves, v.Change = saves, "make the streams non-blocking"
	return v
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

// hostSync finds the first call in which the host waits and without which the schedule is shorter, and an op that is
// issued only after it.
func (s *suspicion) hostSync() Verdict {
	if len(s.program.Graphs) > 0 {
		return met // a capture does not outlive it: that is a bad code
	}
	tried := 0
	for i, c := range s.calls {
		next := slices.IndexFunc(s.calls[i:], func(c schedule.Instr) bool { return c.Op != schedule.None })
		if !c.Verb.Blocks() || next < 0 || tried == maxSuspects {
			continue
		}
		tried++
		free := *s.program
		free.Body = slices.Delete(slices.Clone(s.calls), i, i+1)
		if saves := s.savesAs(&free); saves > 0 {
			v := fail(HostSync, s.program.Where(c), "the host waits in %s before it issues %s", c.Verb.Call(),
				s.name(s.calls[i+next].Op))
			v.Saves, v.Change, v.Guilty = saves, "let a stream wait for an event instead", []int32{s.calls[i+next].Op}
			return v
		}
	}
	return met
}
