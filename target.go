package overlap

import (
	"fmt"
	"slices"
	"time"

	"github.com/gpu-overlap/overlap/bound"
	"github.com/gpu-overlap/overlap/order"
	"github.com/gpu-overlap/overlap/schedule"
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
	return l.Base + percent(l.Base, l.Percent) + l.Launch + time.Duration(l.Hops)*l.HandOff
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

// limitFrom is the same from the bound and the timetable of the program's own order, whose critical path counts; without a
// program, and so an empty one, no hand-off is granted.
func (ev *Evidence) limitFrom(ideal bound.Limit, t bound.Timetable) Limit {
	l := Limit{Base: ideal.Bound, Percent: ev.Target.Percent, Launch: ev.Costs.Launch, HandOff: ev.Costs.HandOff}
	if len(t.Start) > 0 {
		l.Hops = min(t.Hops(), ideal.Hops) // a longer path than there need be is not granted
		if ev.Target.Of == schedule.OfScheduled {
			l.Base, l.Hops = t.Makespan, t.Hops()
		}
	}
	return l
}

// time holds the wall time against its target.
func (j *judgement) time() Verdict {
	l := j.limit()
	where := j.expectWhere(j.Line)
	// A serial run needs a launch too, and a hand-off from each op to the next.
	serial := bound.Serial(j.Solo) + l.Launch + time.Duration(len(j.Solo)-1)*l.HandOff
	if l.Total() >= serial {
		return fail(Vacuous, where, "a serial run would meet the target too")
	}
	walls := j.walls()
	wall := estimate(walls, j.Steady)
	decided := wall.atMost(l.Total())
	switch {
	case decided != undecided:
	case j.overAnyway(l.Total()):
		decided = beyond
	case j.withinAnyway():
		decided = within
	}
	if c := j.conditions(); c != "" && decided != undecided {
		j.notes = append(j.notes, c)
	}
	switch decided {
	case beyond:
		return j.explain("wall time is over its target", where)
	case undecided:
		return j.undecided("the samples do not say whether the wall time meets its target", where, walls, l.Total())
	}
	if ideal := j.ideal().Bound; wall.Hi < ideal-percent(ideal, 0.5) {
		return fail(Inconclusive, where, "faster than ideal, and no order that is missing could be named")
	}
	if j.order != nil && slices.ContainsFunc(j.Intent.Engines, func(e schedule.Engine) bool { return e.Capacity > 1 }) {
		if v := j.suspicion().either(); v.Cause != "" {
			j.notes = append(j.notes, v.String()+"; "+v.Evidence)
		}
	}
	return met
}
