package overlap

import (
	"github.com/gpu-overlap/overlap/order"
	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/timeline"
)

// soundness is static: whether the calls impose every order that the intent needs. Only nominal durations are used, so
// that the finding is the same on every device.
func (j *judgement) soundness() Verdict {
	if j.order == nil {
		return met
	}
	for _, step := range []func() Verdict{j.frame, j.intended, j.buffers, j.engines} {
		if v := step(); v.Cause != "" {
			return v
		}
	}
	return met
}

// frame asks that the schedule be one piece of work of its origin: after what the origin did before, before what it
// does next.
func (j *judgement) frame() Verdict {
	for _, op := range j.order.Issue {
		if !j.order.Forked(op) {
			v := fail(MissingOrder, j.opWhere(op), "%s does not wait for %s: its stream was not forked from it", j.name(op), j.originName())
			v.Change = "fork its stream from " + j.originName() + " before"
			return v
		}
	}
	for _, op := range j.order.Issue {
		if !j.order.Joined(op) {
			v := fail(MissingOrder, j.opWhere(op), "%s does not wait for %s: its stream is not joined", j.originName(), j.name(op))
			v.Change = "let " + j.originName() + " join its stream behind it"
			return v
		}
	}
	return met
}

func (j *judgement) originName() string { return j.Program.Streams[j.Program.Origin].Name }

func (j *judgement) intended() Verdict {
	for op := range j.Intent.Ops {
		for _, before := range j.Intent.Ops[op].After {
			if !j.order.Before(before, int32(op)) {
				v := fail(MissingOrder, j.opWhere(int32(op)), "%s does not wait for %s", j.name(int32(op)), j.name(before))
				v.Change = "let " + j.name(int32(op)) + " wait for an event that is recorded right after " + j.name(before)
				return v
			}
		}
	}
	return met
}

// buffers asks that two ops of which one writes what the other touches be ordered.
func (j *judgement) buffers() (v Verdict) {
	eachConflict(j.Intent, j.order.Issue, func(a, b, buffer int32) bool {
		if !j.order.Before(a, b) {
			v = j.race(a, b, buffer)
		}
		return v.Cause == ""
	})
	return v
}

func (j *judgement) race(a, b, buffer int32) Verdict {
	v := fail(MissingOrder, j.opWhere(b), "%s does not wait for %s: both touch buffer %s", j.name(b), j.name(a),
		j.Intent.Buffers[buffer])
	v.Change = "let " + j.name(b) + " wait for an event that is recorded right after " + j.name(a)
	return v
}

// engines asks that no two ops of one exclusive engine coincide when every op starts as early as the calls let it.
// Where only the durations keep two apart, that is a note.
func (j *judgement) engines() Verdict {
	n, v := j.nominal(), met
	timeline.EachClash(j.Intent, n.inTime, n.table.Start, n.table.End, func(c timeline.Clash) bool {
		v = fail(EngineClash, j.opWhere(c.Op), "%s and %s run at once on %s", j.name(c.With), j.name(c.Op),
			j.Intent.Engines[c.Engine].Name)
		v.Guilty, v.Change = []int32{c.Op, c.With}, "let "+j.name(c.Op)+" wait for "+j.name(c.With)
		if j.Intent.Micro > 0 {
			v.Change = "say exclusive, or streams per engine"
		}
		return false
	})
	if v.Cause != "" {
		return v
	}
	if a, b, ok := unorderedNeighbours(j.Intent, j.order, n.inTime); ok {
		j.notes = append(j.notes, "nothing but their durations keeps "+j.name(a)+" and "+j.name(b)+" apart on "+
			j.Intent.Engines[j.Intent.Ops[a].On()].Name+"; that holds while durations are as given")
	}
	return met
}

// unorderedNeighbours finds the first two of some ops, by their start, that follow one another on an exclusive engine
// without an order.
func unorderedNeighbours(in *schedule.Intent, o *order.Order, inTime []int32) (a, b int32, ok bool) {
	last := make([]int32, len(in.Engines))
	for e := range last {
		last[e] = schedule.None
	}
	for _, op := range inTime {
		e := in.Ops[op].On()
		if u := last[e]; u != schedule.None && in.Engines[e].Capacity == 1 && !o.Before(u, op) {
			return u, op, true
		}
		last[e] = op
	}
	return 0, 0, false
}
