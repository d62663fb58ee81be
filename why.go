package overlap

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gpu-overlap/overlap/bound"
	"github.com/gpu-overlap/overlap/order"
	"github.com/gpu-overlap/overlap/schedule"
)

// maxSuspects bounds how many places on the critical path explain tries, and maxVisits how many ops it looks at for them:
// each costs up to a few passes over the schedule, and of a large one fewer are tried.
const (
	maxSuspects = 64
	maxVisits   = 40e6
)

// explain names the cause of a miss. It looks, at nominal durations, for a call that imposes an order which nothing
// needs, and without which the schedule would be shorter: a barrier of the legacy stream, a wait of the host, and along
// the critical path waits and shared streams; and, in the account of what happened, for what running the calls lost. What
// cost more is to blame. When there is neither, the miss stays a miss, and the detail says what was missed, and whether
// the calls could have met it at all.
func (j *judgement) explain(missed, where string) Verdict {
	if j.order == nil {
		return fail(Missed, where, "%s", missed)
	}
	if j.Impossible != "" {
		return fail(Environment, where, "%s", j.Impossible)
	}
	if v := j.sharedExec(); v.Cause != "" {
		return v
	}
	byCalls := j.needless()
	limit, scheduled := j.limit(), j.scheduled().Makespan
	// What the order of the calls takes beyond the limit is not lost in running it.
	miss := j.wall().Median - max(limit.Total(), limit.Total()-limit.Base+scheduled)
	inRunning, took := j.execution(miss, where)
	if byCalls.Cause == OrderSensitive && (j.spent == nil || j.spent.Sum(Queued)+j.spent.Sum(Stretched) == 0) {
		j.notes = append(j.notes, byCalls.String()+"; "+byCalls.Evidence)
		byCalls = met // it ran in its best order
	}
	if byCalls.Cause == inRunning.Cause && byCalls.Cause != "" || byCalls.Cause == OrderSensitive && inRunning.Cause == EngineFull {
		return byCalls // it is the same, and says more
	}
	byDesign := time.Duration(0)
	if byCalls.Cause != "" {
		byDesign = max(byCalls.Saves, scheduled-limit.Base)
	}
	switch {
	case inRunning.Cause != "" && took > byDesign && (byCalls.Cause != "" || miss > 0):
		if byCalls.Cause != "" {
			inRunning.Notes = append(inRunning.Notes, "also: "+byCalls.String())
		}
		return inRunning
	case byCalls.Cause != "":
		return byCalls
	}
	n := j.nominal()
	if ideal := bound.Ideal(j.Intent, n.dur); n.table.Makespan > ideal+percent(ideal, j.Target.Percent) {
		missed += ": the order of its calls is too long by itself"
	}
	return fail(Missed, where, "%s", missed)
}

// suspicion is a schedule at nominal durations, and what it would be with less order.
type suspicion struct {
	in      *schedule.Intent
	program *schedule.Program
	order   *order.Order
	*nominal
	needs needs
	calls []schedule.Instr // that issue the schedule

	room   *slack  // once an order was doubted
	queues []queue // by engine; once an op was looked for another stream
	visits int     // of ops so far, to find what less order would gain
}

func newSuspicion(in *schedule.Intent, p *schedule.Program, o *order.Order) *suspicion {
	return suspicionOf(in, p, o, nominalOf(in, o))
}

func suspicionOf(in *schedule.Intent, p *schedule.Program, o *order.Order, n *nominal) *suspicion {
	return &suspicion{in: in, program: p, order: o, nominal: n, needs: needsOf(in, o, n.inTime), calls: order.Issued(p)}
}

func (s *suspicion) stream(op int32) int32 { return s.calls[s.order.Call(op)].Stream.Index() }

// streamName is the name of an op's stream; of the stream that stands for the origin in a capture, the origin's.
func (s *suspicion) streamName(op int32) string {
	stream := s.stream(op)
	if s.calls[0].Verb == schedule.BeginCapture && s.calls[0].Stream.Index() == stream {
		stream = s.program.Origin
	}
	return s.program.Streams[stream].Name
}

func (s *suspicion) name(op int32) string { return s.in.Ops[op].Name }

// onCriticalPath looks at each op of the critical path that waits for one before it without need: first without one of
// the waits before it, then without the op before it in its stream, then without any of them.
func (s *suspicion) onCriticalPath() Verdict {
	tried := 0
	for i := 1; i < len(s.table.Critical) && tried < maxSuspects && s.visits < maxVisits; i++ {
		x := s.table.Critical[i]
		if implied(s.in, s.table.Critical[i-1], x) {
			continue
		}
		tried++
		if v := s.suspect(x); v.Cause != "" {
			return v
		}
	}
	return s.together()
}

// together takes away all order that nothing needs at once: where streams were merged, moving one op may not help. The
// first op that would start earlier is blamed.
func (s *suspicion) together() Verdict {
	t := bound.ASAP(s.inTime, s.needs.of, s.dur)
	if t.Makespan >= s.table.Makespan || s.clashes(t) {
		return met
	}
	for _, x := range s.inTime {
		if t.Start[x] == s.table.Start[x] {
			continue
		}
		v := s.several(x, s.before(x), s.waitsBefore(x), s.program.Where(s.calls[s.order.Call(x)]))
		if v.Cause != "" {
			v.Saves = s.table.Makespan - t.Makespan
			v.Notes = []string{"it saves that only together with the ops that follow in the same way"}
			return v
		}
	}
	return met
}

func (s *suspicion) suspect(x int32) Verdict {
	waits := s.waitsBefore(x)
	for _, w := range waits {
		left := s.order.PredsWithout(x, w)
		u, ok := s.lost(x, left)
		if !ok {
			continue
		}
		if saves := s.savesWith(x, left, schedule.None); saves > 0 {
			c := s.calls[w]
			v := fail(OverWideWait, s.program.Where(c), "%s waits for %s through %s", s.name(x), s.name(u), s.program.Events[c.Event.Index()])
			v.Saves, v.Change, v.Guilty = saves, s.narrower(x, u, w), []int32{x, u}
			return v
		}
	}
	where := s.program.Where(s.calls[s.order.Call(x)])
	before := s.before(x)
	preds := s.order.Preds(x)
	if before != schedule.None && !implied(s.in, before, x) {
		preds = slices.DeleteFunc(slices.Clone(s.order.Preds(x)), func(u int32) bool { return u == before })
		if saves := s.savesWith(x, preds, before); saves > 0 {
			v := fail(SerialByStream, where, "%s waits for %s on stream %s", s.name(x), s.name(before), s.streamName(x))
			v.Saves, v.Change, v.Guilty = saves, "put "+s.name(x)+" on another stream", []int32{x, before}
			return v
		}
	}
	if len(preds) == 0 {
		return met // that was all it waited for
	}
	if saves := s.savesWith(x, nil, before); saves > 0 {
		v := s.several(x, before, waits, where)
		v.Saves = saves
		return v
	}
	return met
}

// narrower is the change that mends wait w, through which x waits for u: to record its event right after the last op that
// x needs of u's stream; when it needs none of them, to wait for what only durations keep before x, or not to wait.
func (s *suspicion) narrower(x, u, w int32) string {
	event := s.program.Events[s.calls[w].Event.Index()]
	last := schedule.None
	for _, op := range s.order.Issue {
		if s.stream(op) == s.stream(u) && s.order.Before(op, x) && slices.Contains(s.needs.of(x), op) {
			last = op
		}
	}
	for _, op := range s.needs.of(x) {
		if last == schedule.None && !s.order.Before(op, x) {
			return "wait for " + s.name(op) + " instead"
		}
	}
	if last == schedule.None {
		return "drop the wait for " + event
	}
	return "record " + event + " right after " + s.name(last)
}

// several is the verdict when only all that x waits for without need, together, is to blame.
func (s *suspicion) several(x, before int32, waits []int32, where string) Verdict {
	cause := OverWideWait
	var parts []string
	for _, w := range waits {
		if u, ok := s.lost(x, s.order.PredsWithout(x, w)); ok && !implied(s.in, u, x) {
			parts = append(parts, fmt.Sprintf("for %s through %s", s.name(u), s.program.Events[s.calls[w].Event.Index()]))
		}
	}
	if before != schedule.None && !implied(s.in, before, x) {
		if len(parts) == 0 {
			cause = SerialByStream
		}
		parts = append(parts, fmt.Sprintf("for %s on stream %s", s.name(before), s.streamName(x)))
	}
	if len(parts) == 0 {
		return met
	}
	v := fail(cause, where, "%s waits %s", s.name(x), strings.Join(parts, " and "))
	v.Guilty = []int32{x}
	return v
}

// waitsBefore are the waits between x and the op before it in its stream, first to last.
func (s *suspicion) waitsBefore(x int32) (waits []int32) {
	prev := s.slack().prev
	for i := prev[s.order.Call(x)]; i != schedule.None && !s.calls[i].Op.Some(); i = prev[i] {
		if s.calls[i].Verb == schedule.Wait {
			waits = append(waits, i)
		}
	}
	slices.Reverse(waits)
	return waits
}

// before and next are the ops around x in its stream; None when there is none.
func (s *suspicion) before(x int32) int32 {
	prev := s.slack().prev
	for i := prev[s.order.Call(x)]; i != schedule.None; i = prev[i] {
		if op := s.calls[i].Op.Index(); op != schedule.None {
			return op
		}
	}
	return schedule.None
}

func (s *suspicion) next(x int32) int32 { return s.slack().next[x] }

// lost is the op that ends last of those that directly precede x and are not among preds; ok is false when there is none.
func (s *suspicion) lost(x int32, preds []int32) (u int32, ok bool) {
	for _, p := range s.order.Preds(x) {
		if !slices.Contains(preds, p) && (!ok || s.table.End[p] > s.table.End[u]) {
			u, ok = p, true
		}
	}
	return u, ok
}
