package overlap

import (
	"slices"
	"time"

	"github.com/gpu-overlap/overlap/bound"
	"github.com/gpu-overlap/overlap/order"
	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/timeline"
)

// implied says whether x may be kept waiting for u: by the intent, by an exclusive engine, or by a buffer.
func implied(in *schedule.Intent, u, x int32) bool {
	e := in.Ops[u].On()
	return e == in.Ops[x].On() && in.Engines[e].Capacity == 1 || needed(in, u, x)
}

// needed says whether x must come after u, or the other way round: by the intent, or by a buffer.
func needed(in *schedule.Intent, u, x int32) bool {
	a, b := &in.Ops[u], &in.Ops[x]
	if slices.Contains(b.After, u) {
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
type needs struct {
	first []int32 // those of op are ops[first[op]:first[op+1]]
	ops   []int32
}

func (n *needs) of(op int32) []int32 { return n.ops[n.first[op]:n.first[op+1]] }

// needsOf takes the ops in issue by their start in the present timetable.
func needsOf(in *schedule.Intent, o *order.Order, inTime []int32) needs {
	n := needs{first: make([]int32, len(in.Ops)+1)}
	prev := onEngine(in, inTime)
	conflicts := func(visit func(op, before int32)) {
		eachConflict(in, o.Issue, func(a, b, _ int32) bool {
			if o.Before(a, b) {
				visit(b, a)
			}
			return true
		})
	}
	more := make([]int32, len(in.Ops)) // by op: conflicts, then where the next of them goes
	conflicts(func(op, _ int32) { more[op]++ })
	for op := range in.Ops {
		count := int32(len(in.Ops[op].After)) + more[op]
		if prev[op] != schedule.None {
			count++
		}
		n.first[op+1] = n.first[op] + count
	}
	n.ops = make([]int32, n.first[len(in.Ops)])
	for op := range in.Ops {
		at := n.first[op] + int32(copy(n.ops[n.first[op]:], in.Ops[op].After))
		if prev[op] != schedule.None {
			n.ops[at] = prev[op]
			at++
		}
		more[op] = at
	}
	conflicts(func(op, before int32) {
		n.ops[more[op]] = before
		more[op]++
	})
	return n
}

// onEngine gives, by op, the one before it on its exclusive engine, of ops by their start; None where there is none.
func onEngine(in *schedule.Intent, inTime []int32) (prev []int32) {
	prev, last := nones(len(in.Ops)), nones(len(in.Engines))
	for _, op := range inTime {
		if e := in.Ops[op].On(); in.Engines[e].Capacity == 1 {
			prev[op], last[e] = last[e], op
		}
	}
	return prev
}

func nones(n int) []int32 {
	ids := make([]int32, n)
	for i := range ids {
		ids[i] = schedule.None
	}
	return ids
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

// ordered is what op needs of what the calls put before it.
func (s *suspicion) ordered(op int32, list []int32) []int32 {
	for _, u := range s.needs.of(op) {
		if s.order.Before(u, op) {
			list = append(list, u)
		}
	}
	return list
}

// savesAs is by how much the schedule is shorter when each op comes after others than now, be it that ops which only
// durations keep in their order on an engine keep that order or not.
func (s *suspicion) savesAs(preds func(op int32) []int32) time.Duration {
	saves := s.saves(func(op int32, all []int32) []int32 {
		return append(append(all, preds(op)...), s.needs.of(op)...)
	})
	return max(saves, s.saves(func(op int32, all []int32) []int32 {
		return s.ordered(op, append(all, preds(op)...))
	}))
}

// savesInAnyOrder is by how much the schedule is shorter when the ops of an engine may also come in another order than now,
// if only no two of them coincide: their order was a consequence of the calls that are gone.
func (s *suspicion) savesInAnyOrder(preds func(op int32) []int32) time.Duration {
	return s.saves(func(op int32, all []int32) []int32 {
		all = append(all, preds(op)...)
		for _, u := range s.needs.of(op) {
			if needed(s.in, u, op) {
				all = append(all, u)
			}
		}
		return all
	})
}

// saves is by how much the schedule is shorter when each op waits for what behind appends. Where two ops of an exclusive
// engine would then coincide, nothing is gained; nor is it ever less than that.
func (s *suspicion) saves(behind func(op int32, all []int32) []int32) time.Duration {
	s.visits += 4 * len(s.inTime) // with the sort
	var all []int32
	t := bound.ASAP(s.inTime, func(op int32) []int32 {
		all = behind(op, all[:0])
		return all
	}, s.dur)
	if t.Makespan >= s.table.Makespan || s.clashes(t) {
		return 0
	}
	return s.table.Makespan - t.Makespan
}

func (s *suspicion) clashes(t bound.Timetable) bool {
	return len(timeline.Clashes(s.in, t.Start, t.End)) > 0
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
	saves := s.savesAs(order.Of(&free).Preds)
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
		if !c.Stream.Some() {
			continue
		}
		if c.Op.Some() && slices.Contains(blocking, c.Stream.Index()) {
			seen = true
		}
		if seen && s.program.Streams[c.Stream.Index()].Kind == schedule.Legacy {
			return c
		}
	}
	return s.calls[0]
}

func (s *suspicion) callName(c schedule.Instr) string {
	if c.Op.Some() {
		return s.in.Ops[c.Op.Index()].Name
	}
	return c.Verb.Call()
}

// hostSync finds the first call in which the host waits, unintended, and without which the schedule is shorter, and an op
// that is issued only after it.
func (s *suspicion) hostSync() Verdict {
	if len(s.program.Graphs) > 0 {
		return met // a capture does not outlive it: that is a bad code
	}
	tried, next := 0, schedule.None // the op that is issued next
	var waits, nexts []int32
	for i := len(s.calls) - 1; i >= 0; i-- {
		if op := s.calls[i].Op.Index(); op != schedule.None {
			next = op
		}
		if s.calls[i].Verb.Blocks() && !s.calls[i].Intended && next != schedule.None {
			waits, nexts = append(waits, int32(i)), append(nexts, next)
		}
	}
	for k := len(waits) - 1; k >= 0 && tried < maxSuspects && s.visits < maxVisits; k-- {
		i, c := int(waits[k]), s.calls[waits[k]]
		if s.slack().passes(s, waits[k]) {
			continue
		}
		tried++
		s.visits += 16 * len(s.calls) // for the other order
		free := *s.program
		free.Body = slices.Delete(slices.Clone(s.calls), i, i+1)
		preds := order.Of(&free).Preds
		if saves := max(s.savesAs(preds), s.savesInAnyOrder(preds)); saves > 0 {
			v := fail(HostSync, s.program.Where(c), "the host waits in %s before it issues %s", c.Verb.Call(), s.name(nexts[k]))
			v.Saves, v.Change, v.Guilty = saves, "let a stream wait for an event instead", []int32{nexts[k]}
			return v
		}
	}
	return met
}
