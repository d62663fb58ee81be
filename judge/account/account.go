// Package account says where the time of one repetition went: it walks back from the return of the last call along what
// waited for what, so that every nanosecond of the wall time is an op, its stretch, or a gap with one cause.
package account

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/gpu-overlap/overlap/gpu"
	"github.com/gpu-overlap/overlap/judge/calls"
	"github.com/gpu-overlap/overlap/judge/sample"
	"github.com/gpu-overlap/overlap/order"
	"github.com/gpu-overlap/overlap/schedule"
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

func (s Spent) String() string {
	if s < numSpent {
		return spentNames[s]
	}
	return fmt.Sprintf("spent %d", uint8(s))
}

// Step is a piece of the wall time, in host time from the start of the Body.
type Step struct {
	Spent    Spent
	Op       schedule.Ref // that runs, is issued, starts late, or is waited for
	With     schedule.Ref // another op that is involved: what ended before, what holds the hardware
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
	Call int32        // index into Program.Body
	For  schedule.Ref // the op
	Next schedule.Ref // the op that was issued after it
	Took time.Duration
}

// Input is what an account is made of. Of a program whose graphs are launched more than once there is none: the spans of all
// but the last launch are gone.
type Input struct {
	Intent  *schedule.Intent
	Program *schedule.Program
	Order   *order.Order // that the program imposes
	View    *calls.View  // of the program; nil: it is looked at anew whether the program is valid
	Rep     int          // the repetition that is accounted for
	Run     *gpu.Transcript
	Solo    []time.Duration // by op: as long as it took alone at the time
	Costs   sample.Costs
	// Widened says that the schedule is faster with more connections: what is late is then late for that.
	Widened bool
}

// Of gives the account of a repetition; nil when an op did not run in it, when the order does not hold every op, or when its
// parts do not fit one another.
func Of(in Input) *Account {
	if !in.fits() {
		return nil
	}
	if len(in.Order.Missing) > 0 || len(in.Run.Spans) < len(in.Intent.Ops) {
		return nil
	}
	for _, s := range in.Run.Spans {
		if !s.Ran {
			return nil
		}
	}
	w := &walk{Input: in, body: in.Program.Body, at: issuedAt(in.Program), now: in.Run.Wall}
	w.hw = newHardware(in.Intent, w.spans(), w.at)
	w.held = w.holding()
	w.host(int32(len(w.body) - 1))
	slices.Reverse(w.steps)
	slices.Reverse(w.waits)
	return &Account{Rep: in.Rep, Wall: in.Run.Wall, Steps: w.steps, Waits: w.waits, Error: in.Run.Clock.Error}
}

// fits says whether the parts of the input are sound and of the same ops.
func (in *Input) fits() bool {
	return in.Intent != nil && in.Program != nil && in.Program.Intent != nil && in.Order != nil && in.Run != nil &&
		len(in.Program.Intent.Ops) == len(in.Intent.Ops) && len(in.Solo) == len(in.Intent.Ops) && in.Order.Fits(in.Intent) &&
		len(in.Run.Issued) == len(in.Program.Body) && in.Run.Validate(in.Intent, in.Program) == nil &&
		(in.View.Of(in.Program) || in.Program.Validate() == nil)
}

// Median is the repetition whose wall time is the median; of several, the first. Those without a wall time do not count.
func Median(walls []time.Duration) int {
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
