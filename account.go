package overlap

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gpu-overlap/overlap/gpu"
	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/timeline"
)

// Spent says what a piece of the wall time went into.
type Spent uint8

const (
	Working     Spent = iota // an op, as long as it takes alone
	Stretched                // an op, beyond what it takes alone
	Issuing                  // the host's calls, up to the return of the one that issues the op
	Starting                 // from the return of that call to the start of the op
	HandingOver              // from the end of an op to the start of one that waits for it
	Queued                   // ready and issued, while SMs or a copy engine were too full for the op
	Delayed                  // ready and issued, the hardware free, longer than starting or handing over takes
	Syncing                  // from the end of what the host waited for to the return of that call
	Returning                // the same, of the last call
	numSpent
)

var spentNames = [numSpent]string{"ops", "stretch", "issue", "start", "hand-off", "engine full", "delay", "host sync", "return"}

func (s Spent) String() string { return spentNames[s] }

// Step is a piece of the wall time, in host time from the start of the Body.
type Step struct {
	Spent    Spent
	Op       int32 // that runs, is issued, starts late, or is waited for; None for none
	With     int32 // another op that is involved: what ended before, what holds the hardware; None for none
	From, To time.Duration
}

// Dur is To − From.
func (s Step) Dur() time.Duration { return s.To - s.From }

// Account says where the wall time of one repetition went: the path of what waited for what, walked back from the return
// of the last call to the start of the Body. Its steps follow one another without a gap, so that they add up to Wall.
type Account struct {
	Rep   int // the repetition: the one whose wall time is the median
	Wall  time.Duration
	Steps []Step        // first to last
	Waits []HostWait    // of the host on this path, first to last, without the final one
	Error time.Duration // of the border between host and device times
}

// Sum is the time that went into s.
func (a *Account) Sum(s Spent) (sum time.Duration) {
	for _, step := range a.Steps {
		if step.Spent == s {
			sum += step.Dur()
		}
	}
	return sum
}

// HostWait is a call in which the host waited, so that it could issue an op only after it.
type HostWait struct {
	Call int32 // index into Program.Body
	For  int32 // the op
	Next int32 // the op that was issued after it
	Took time.Duration
}

// Line is the account in one line, what took most first: "issue 21µs, ops 10µs, return 5.5µs".
func (a *Account) Line() string {
	var parts []string
	for _, s := range a.bySum() {
		parts = append(parts, fmt.Sprintf("%s %v", s, a.Sum(s)))
	}
	return strings.Join(parts, ", ")
}

// accountant walks back through a transcript. What is not yet accounted for lies before now.
type accountant struct {
	*judgement
	t     *gpu.Transcript
	body  []schedule.Instr
	at    []int32 // by op: the call of the Body that issues it; None when none does
	hw    *hardware
	solo  []time.Duration // as it was at the time
	held  []int32         // by call: the op that it issued and for which it held the host; None for none
	now   time.Duration
	steps []Step // last to first
	waits []HostWait
}

// account gives the account of the repetition whose wall time is the median; nil without a program or a repetition, or
// when an op did not run.
func (j *judgement) account() *Account {
	if j.Program == nil || j.again || len(j.Reps) == 0 || len(j.order.Missing) > 0 {
		return nil
	}
	rep := medianRep(j.pairedReps())
	t := &j.Reps[rep]
	for _, s := range t.Spans {
		if !s.Ran {
			return nil
		}
	}
	a := &accountant{judgement: j, t: t, body: j.Program.Body, at: issuedAt(j.Program), solo: j.soloAt(rep), now: t.Wall}
	a.hw = newHardware(j.Intent, a.spans(), a.at)
	a.held = a.holding()
	a.host(int32(len(a.body) - 1))
	slices.Reverse(a.steps)
	slices.Reverse(a.waits)
	return &Account{Rep: rep, Wall: t.Wall, Steps: a.steps, Waits: a.waits, Error: t.Clock.Error}
}

// medianRep is the repetition whose wall time is the median; of several, the first. Those without a wall time do not count.
func medianRep(walls []time.Duration) int {
	var order []int
	for i, w := range walls {
		if w > 0 {
			order = append(order, i)
		}
	}
	if len(order) == 0 {
		return 0
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(walls[a], walls[b]) })
	return order[(len(order)-1)/2]
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
		case in.Verb == schedule.Replay && replays[in.Graph.Index()] == schedule.None:
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
		case in.Verb == schedule.EndCapture:
			for _, op := range captured {
				at[op] = replays[in.Graph.Index()]
			}
		}
	}
	return at
}

// spans are those of the transcript in host time. Without a known relation of the clocks, the op that starts first is
// taken to start when its call returns.
func (a *accountant) spans() []timeline.Span {
	offset := a.t.Clock.Offset
	if !a.t.Clock.Known {
		first := schedule.None
		for op, s := range a.t.Spans {
			if s.Clock == timeline.DeviceClock && a.at[op] != schedule.None && (first == schedule.None || s.Start < a.t.Spans[first].Start) {
				first = int32(op)
			}
		}
		if first != schedule.None {
			offset = a.t.Spans[first].Start - a.returned(a.at[first])
		}
	}
	spans := slices.Clone(a.t.Spans)
	for i := range spans {
		if spans[i].Clock == timeline.DeviceClock {
			spans[i].Start -= offset
			spans[i].End -= offset
		}
	}
	return spans
}

// returned is the host time at which a call of the Body returned.
func (a *accountant) returned(call int32) time.Duration {
	if int(call)+1 < len(a.t.Issued) {
		return a.t.Issued[call+1]
	}
	return a.t.Wall
}

// step accounts for the time from an earlier moment up to now.
func (a *accountant) step(s Spent, op, with int32, from time.Duration) {
	from = min(max(from, 0), a.now)
	if from < a.now {
		a.steps = append(a.steps, Step{s, op, with, from, a.now})
	}
	a.now = from
}

// host goes back through the calls, from the return of one of them, to the last before it in which the host waited for an
// op that had not ended; then through the ops, and so on.
func (a *accountant) host(call int32) {
	next := schedule.None   // the op for which the host makes its calls
	waited := schedule.None // the last call in which it was found to wait
	for i := call; i >= 0; i-- {
		y := a.waitedFor(i)
		if i == waited || y == schedule.None || a.hw.spans[y].End <= a.t.Issued[i] {
			continue
		}
		waited = i
		a.step(Issuing, next, schedule.None, a.returned(i))
		spent := Syncing
		if next == schedule.None { // nothing comes next: the host waits for the end of it all
			spent = Returning
		} else {
			a.waits = append(a.waits, HostWait{Call: i, For: y, Next: next, Took: a.returned(i) - a.t.Issued[i]})
		}
		a.step(spent, y, next, a.hw.spans[y].End)
		next = a.ops(y)
		if i = a.at[next]; a.waitedFor(i) != next {
			i++ // the host may have waited in that very call, for another op
		}
	}
	a.step(Issuing, next, schedule.None, 0)
}

// ops goes back through the ops, from one that ended now, along the latest end of what each waited for, to one that
// waited for the host, and gives that one.
func (a *accountant) ops(op int32) int32 {
	for {
		s := a.hw.spans[op]
		solo := min(a.solo[op], a.now-s.Start)
		beside := a.hw.beside(op)
		longer := Stretched
		if beside != schedule.None && a.hw.rival(op, beside) && a.hw.share(op)+a.hw.share(beside) > 100 {
			longer = Queued // some of its blocks were resident, the others waited
		}
		a.step(longer, op, beside, s.Start+solo)
		a.step(Working, op, schedule.None, s.Start)
		before, end := a.latest(op)
		issued := a.issued(op)
		if before == schedule.None || issued >= end {
			a.gap(op, schedule.None, issued)
			return op
		}
		a.gap(op, before, end)
		op = before
	}
}

// issued is when the host had issued an op: the return of its call, or, where the host was held in that, its beginning.
func (a *accountant) issued(op int32) time.Duration {
	call := a.at[op]
	held := a.held[call] // what is beside a pageable copy in a graph is issued when that returns
	if a.Intent.Ops[op].Pageable || held != schedule.None && !a.Intent.Ops[held].Pageable {
		return min(a.t.Issued[call], a.now)
	}
	return min(a.returned(call), a.now)
}

// latest is the op that ended last of those that directly precede op, and its end.
func (a *accountant) latest(op int32) (before int32, end time.Duration) {
	before = schedule.None
	for _, p := range a.order.Preds(op) {
		if e := a.hw.spans[p].End; before == schedule.None || e > end {
			before, end = p, e
		}
	}
	return before, end
}

// waitedFor is the op that ended last of those that the host waited for in a call; None when it did not wait there.
func (a *accountant) waitedFor(call int32) int32 {
	if held := a.held[call]; held != schedule.None {
		return held
	}
	if !a.body[call].Verb.Blocks() {
		return schedule.None
	}
	return a.hw.lastEnded(a.returned(call)+a.t.Clock.Error, call)
}

// holding gives, by call, the op that it issues and for which it held the host; None when it did not. That is an op that copies
// from or to pageable memory: a copy, or the last such of a graph of which most was done when its launch returned, for the
// call returns when the data has left the host's memory, which may be before all of it has arrived. Or, where launches
// block, the last op of the call, when it had surely ended before the call returned.
func (a *accountant) holding() []int32 {
	held, last := make([]int32, len(a.body)), make([]int32, len(a.body))
	for i := range held {
		held[i], last[i] = schedule.None, schedule.None
	}
	later := func(list []int32, call, op int32) {
		if list[call] == schedule.None || a.hw.spans[op].End > a.hw.spans[list[call]].End {
			list[call] = op
		}
	}
	for op, call := range a.at {
		if call == schedule.None {
			continue
		}
		s := a.hw.spans[op]
		most := s.End-s.Dur()/2 <= a.returned(call)+a.t.Clock.Error
		if a.Intent.Ops[op].Pageable && (most || a.body[call].Verb == schedule.Copy && a.Intent.Ops[op].HoldsHost()) {
			later(held, call, int32(op))
		}
		later(last, call, int32(op))
	}
	for call, op := range last {
		if op != schedule.None && held[call] == schedule.None && a.t.Clock.Known && a.hw.spans[op].End+a.t.Clock.Error < a.returned(int32(call)) {
			held[call] = op
		}
	}
	return held
}
