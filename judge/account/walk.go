package account

import (
	"slices"
	"time"

	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/timeline"
)

// walk goes back through a transcript. What is not yet accounted for lies before now.
type walk struct {
	Input
	body  []schedule.Instr
	at    []int32 // by op: the call of the Body that issues it; None when none does
	hw    *hardware
	held  []int32 // by call: the op that it issued and for which it held the host; None for none
	now   time.Duration
	steps []Step // last to first
	waits []HostWait
}

// issuedAt gives the call of the Body that issues each op: its launch, or the launch of the graph that holds it.
func issuedAt(p *schedule.Program) []int32 {
	at := make([]int32, len(p.Intent.Ops))
	for i := range at {
		at[i] = schedule.None
	}
	replays := make([]int32, len(p.Graphs))
	for g := range replays {
		replays[g] = schedule.None
	}
	for i, in := range p.Body {
		switch {
		case in.Op.Some():
			at[in.Op.Index()] = int32(i)
		case in.Verb == schedule.Replay && in.Graph.Within(len(replays)) && replays[in.Graph.Index()] == schedule.None:
			replays[in.Graph.Index()] = int32(i)
		}
	}
	var captured []int32 // ops since the last begin
	for _, in := range p.Setup {
		switch {
		case in.Verb == schedule.BeginCapture:
			captured = captured[:0]
		case in.Op.Some():
			captured = append(captured, in.Op.Index())
		case in.Verb == schedule.EndCapture && in.Graph.Within(len(replays)):
			for _, op := range captured {
				at[op] = replays[in.Graph.Index()]
			}
		}
	}
	return at
}

// spans are those of the transcript in host time. Without a known relation of the clocks, the op that starts first is
// taken to start when its call returns.
func (w *walk) spans() []timeline.Span {
	offset := w.Run.Clock.Offset
	if !w.Run.Clock.Known {
		first := schedule.None
		for op, s := range w.Run.Spans {
			if s.Clock == timeline.DeviceClock && w.at[op] != schedule.None &&
				(first == schedule.None || s.Start < w.Run.Spans[first].Start) {
				first = int32(op)
			}
		}
		if first != schedule.None {
			offset = w.Run.Spans[first].Start - w.returned(w.at[first])
		}
	}
	spans := slices.Clone(w.Run.Spans)
	for i := range spans {
		if spans[i].Clock == timeline.DeviceClock {
			spans[i].Start -= offset
			spans[i].End -= offset
		}
	}
	return spans
}

// returned is the host time at which a call of the Body returned.
func (w *walk) returned(call int32) time.Duration {
	if int(call)+1 < len(w.Run.Issued) {
		return w.Run.Issued[call+1]
	}
	return w.Run.Wall
}

// step accounts for the time from an earlier moment up to now.
func (w *walk) step(s Spent, op, with int32, from time.Duration) {
	from = min(max(from, 0), w.now)
	if from < w.now {
		w.steps = append(w.steps, Step{s, schedule.At(op), schedule.At(with), from, w.now})
	}
	w.now = from
}

// host goes back through the calls, from the return of one of them, to the last before it in which the host waited for
// an op that had not ended; then through the ops, and so on.
func (w *walk) host(call int32) {
	next := schedule.None   // the op for which the host makes its calls
	waited := schedule.None // the last call in which it was found to wait
	for i := call; i >= 0; i-- {
		y := w.waitedFor(i)
		if i == waited || y == schedule.None || w.hw.spans[y].End <= w.Run.Issued[i] {
			continue
		}
		waited = i
		w.step(Issuing, next, schedule.None, w.returned(i))
		spent := Syncing
		if next == schedule.None { // nothing comes next: the host waits for the end of it all
			spent = Returning
		} else {
			w.waits = append(w.waits, HostWait{Call: i, For: schedule.At(y), Next: schedule.At(next),
				Took: w.returned(i) - w.Run.Issued[i]})
		}
		w.step(spent, y, next, w.hw.spans[y].End)
		next = w.ops(y)
		if i = w.at[next]; w.waitedFor(i) != next {
			i++ // the host may have waited in that very call, for another op
		}
	}
	w.step(Issuing, next, schedule.None, 0)
}

// ops goes back through the ops, from one that ended now, along the latest end of what each waited for, to one that
// waited for the host, and gives that one.
func (w *walk) ops(op int32) int32 {
	for {
		s := w.hw.spans[op]
		solo := min(w.Solo[op], w.now-s.Start)
		beside := w.hw.beside(op)
		longer := Stretched
		if beside != schedule.None && w.hw.rival(op, beside) && w.hw.share(op)+w.hw.share(beside) > 100 {
			longer = Queued // some of its blocks were resident, the others waited
		}
		w.step(longer, op, beside, s.Start+solo)
		w.step(Working, op, schedule.None, s.Start)
		before, end := w.latest(op)
		issued := w.issued(op)
		if before == schedule.None || issued >= end {
			w.gap(op, schedule.None, issued)
			return op
		}
		w.gap(op, before, end)
		op = before
	}
}

// issued is when the host had issued an op: the return of its call, or, where the host was held in that, its beginning.
func (w *walk) issued(op int32) time.Duration {
	call := w.at[op]
	held := w.held[call] // what is beside a pageable copy in a graph is issued when that returns
	if w.Intent.Ops[op].Pageable || held != schedule.None && !w.Intent.Ops[held].Pageable {
		return min(w.Run.Issued[call], w.now)
	}
	return min(w.returned(call), w.now)
}

// latest is the op that ended last of those that directly precede op, and its end.
func (w *walk) latest(op int32) (before int32, end time.Duration) {
	before = schedule.None
	for _, p := range w.Order.Preds(op) {
		if e := w.hw.spans[p].End; before == schedule.None || e > end {
			before, end = p, e
		}
	}
	return before, end
}

// waitedFor is the op that ended last of those that the host waited for in a call; None when it did not wait there.
func (w *walk) waitedFor(call int32) int32 {
	if held := w.held[call]; held != schedule.None {
		return held
	}
	if !w.body[call].Verb.Blocks() {
		return schedule.None
	}
	return w.hw.lastEnded(w.returned(call)+w.Run.Clock.Error, call)
}

// holding gives, by call, the op that it issues and for which it held the host; None when it did not. That is an op
// that copies from or to pageable memory: a copy, or the last such of a graph of which most was done when its launch
// returned, for the call returns when the data has left the host's memory, which may be before all of it has arrived.
// Or, where launches block, the last op of the call, when it had surely ended before the call returned.
func (w *walk) holding() []int32 {
	held, last := make([]int32, len(w.body)), make([]int32, len(w.body))
	for i := range held {
		held[i], last[i] = schedule.None, schedule.None
	}
	later := func(list []int32, call, op int32) {
		if list[call] == schedule.None || w.hw.spans[op].End > w.hw.spans[list[call]].End {
			list[call] = op
		}
	}
	for op, call := range w.at {
		if call == schedule.None {
			continue
		}
		s := w.hw.spans[op]
		most := s.End-s.Dur()/2 <= w.returned(call)+w.Run.Clock.Error
		if w.Intent.Ops[op].Pageable && (most || w.body[call].Verb == schedule.Copy && w.Intent.Ops[op].HoldsHost()) {
			later(held, call, int32(op))
		}
		later(last, call, int32(op))
	}
	for call, op := range last {
		if op != schedule.None && held[call] == schedule.None && w.Run.Clock.Known &&
			w.hw.spans[op].End+w.Run.Clock.Error < w.returned(int32(call)) {
			held[call] = op
		}
	}
	return held
}

// gap accounts for the time between what released an op, at from, and its start, now.
func (w *walk) gap(op, before int32, from time.Duration) {
	usual := Starting
	most := max(w.Costs.Launch, 3*w.Costs.HandOff)
	if before != schedule.None {
		usual, most = HandingOver, 3*w.Costs.HandOff
	}
	until, holder := w.hw.fullUntil(op, from, w.now)
	if w.now-until > most && !w.Widened {
		if u, h := w.hw.behind(op, until, w.now); h != schedule.None && w.now-u <= most {
			until, holder = u, h
		}
	}
	if w.now-until <= most {
		w.step(usual, op, before, until)
	} else {
		w.step(Delayed, op, w.hw.startedLast(op, from, w.now), until)
	}
	w.step(Queued, op, holder, from)
}
