package overlap

import (
	"slices"
	"time"

	"github.com/gpu-overlap/overlap/bound"
	"github.com/gpu-overlap/overlap/order"
	"github.com/gpu-overlap/overlap/schedule"
)

// nominal is a program's own order at nominal durations. It takes a sort of all ops, so a judgement makes it once.
type nominal struct {
	dur    []time.Duration
	table  bound.Timetable
	inTime []int32 // the ops by their start: what must come first does
}

func nominalOf(in *schedule.Intent, o *order.Order) *nominal {
	n := &nominal{dur: in.Durations()}
	n.table = bound.Scheduled(o, n.dur)
	n.inTime = slices.Compact(byStart(o.Issue, n.table))
	return n
}

func (j *judgement) nominal() *nominal {
	if j.table == nil {
		j.table = nominalOf(j.Intent, j.order)
	}
	return j.table
}

// scheduled is the timetable of the program's own order at the durations that the ops have alone.
func (j *judgement) scheduled() bound.Timetable {
	if n := j.table; n != nil && slices.Equal(n.dur, j.Solo) {
		return n.table
	}
	return bound.Scheduled(j.order, j.Solo)
}

// ideal is the bound of the ops alone.
func (j *judgement) ideal() bound.Limit {
	if j.best == nil {
		l := bound.Of(j.Intent, j.Solo)
		j.best = &l
	}
	return *j.best
}

// limit is the target of the mode in evidence.
func (j *judgement) limit() Limit {
	if j.most == nil {
		var t bound.Timetable
		if j.order != nil {
			t = j.scheduled()
		}
		l := j.limitFrom(j.ideal(), t)
		j.most = &l
	}
	return *j.most
}

func (j *judgement) suspicion() *suspicion {
	if j.suspects == nil {
		j.suspects = suspicionOf(j.Intent, j.calls, j.order, j.nominal())
	}
	return j.suspects
}
