package judge

import (
	"fmt"
	"time"

	"github.com/gpu-overlap/overlap/bound"
	"github.com/gpu-overlap/overlap/judge/sample"
	"github.com/gpu-overlap/overlap/order"
	"github.com/gpu-overlap/overlap/verdict"
)

// Limit is what a wall time may be at most, and what that is made of.
type Limit struct {
	Base    time.Duration // ideal or scheduled, of solo durations
	Percent float64       // granted over Base
	Launch  time.Duration // one launch
	Hops    int           // hand-offs on the critical path of the schedule, no more than its bound has
	HandOff time.Duration // each
}

// Total is the limit itself.
func (l Limit) Total() time.Duration {
	return l.Base + sample.Percent(l.Base, l.Percent) + l.Launch + time.Duration(l.Hops)*l.HandOff
}

// String spells the sum out: "500ms + 2% + launch 9µs + 4 × hand-off 1.9µs = 510.0166ms".
func (l Limit) String() string {
	s := fmt.Sprintf("%v + %v%%", l.Base, l.Percent)
	if l.Launch > 0 || l.HandOff > 0 {
		s += fmt.Sprintf(" + launch %v + %d × hand-off %v", l.Launch, l.Hops, l.HandOff)
	}
	return s + fmt.Sprintf(" = %v", l.Total())
}

// limitOf is the target of the mode in evidence when the ops alone take solo.
func (ev *Evidence) limitOf(imposed *order.Order, solo []time.Duration) Limit {
	var t bound.Timetable
	if imposed != nil {
		t = bound.Scheduled(imposed, solo)
	}
	return ev.limitFrom(bound.Of(ev.Intent, solo), t)
}

// limitFrom is the same from the bound and the timetable of the program's own order, whose critical path counts;
// without a program, and so an empty one, no hand-off is granted.
func (ev *Evidence) limitFrom(ideal bound.Lower, t bound.Timetable) Limit {
	target := ev.Target.OrDefault()
	l := Limit{Base: ideal.Bound, Percent: target.Percent, Launch: ev.Costs.Launch, HandOff: ev.Costs.HandOff}
	if len(t.Start) > 0 {
		l.Hops = min(t.Hops(), ideal.Hops) // a longer path than there need be is not granted
		if target.Of == verdict.OfScheduled {
			l.Base, l.Hops = t.Makespan, t.Hops()
		}
	}
	return l
}
