package calls

import (
	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/timeline"
	"github.com/gpu-overlap/overlap/verdict"
)

// Sound asks whether the calls impose every order that the intent needs. Only nominal durations are used, so that the
// finding is the same on every device.
func Sound(v *View) []verdict.Finding {
	if v == nil || !v.made {
		return nil
	}
	for _, check := range []func(*View) []verdict.Finding{Framed, intended, buffers} {
		if found := check(v); len(found) > 0 {
			return found
		}
	}
	return engines(v)
}

// Framed asks that the schedule is one piece of work of its origin: after what the origin did before, before what it
// does next.
func Framed(v *View) []verdict.Finding {
	if v == nil || !v.made {
		return nil
	}
	origin := v.originName()
	for _, op := range v.Order.Issue {
		if !v.Order.Forked(op) {
			f := verdict.Found(verdict.MissingOrder, v.OpWhere(op),
				"%s does not wait for %s: its stream was not forked from it",
				v.Name(op), origin)
			f.Change = verdict.Change("fork its stream from " + origin + " before")
			return one(f)
		}
	}
	for _, op := range v.Order.Issue {
		if !v.Order.Joined(op) {
			f := verdict.Found(verdict.MissingOrder, v.OpWhere(op), "%s does not wait for %s: its stream is not joined",
				origin, v.Name(op))
			f.Change = verdict.Change("let " + origin + " join its stream behind it")
			return one(f)
		}
	}
	return nil
}

// intended asks that each op comes after what the intent says.
func intended(v *View) []verdict.Finding {
	for op := range v.Intent.Ops {
		for _, before := range v.Intent.Ops[op].After {
			if !v.Order.Before(before, int32(op)) {
				f := verdict.Found(verdict.MissingOrder, v.OpWhere(int32(op)), "%s does not wait for %s",
					v.Name(int32(op)), v.Name(before))
				f.Change = waitFor(v, int32(op), before)
				return one(f)
			}
		}
	}
	return nil
}

// buffers asks that two ops of which one writes what the other touches are ordered.
func buffers(v *View) (found []verdict.Finding) {
	eachConflict(v.Intent, v.Order.Issue, func(a, b, buffer int32) bool {
		if !v.Order.Before(a, b) {
			f := verdict.Found(verdict.MissingOrder, v.OpWhere(b), "%s does not wait for %s: both touch buffer %s",
				v.Name(b), v.Name(a),
				v.Intent.Buffers[buffer])
			f.Change = waitFor(v, b, a)
			found = one(f)
		}
		return found == nil
	})
	return found
}

func waitFor(v *View, op, before int32) verdict.Change {
	return verdict.Change("let " + v.Name(op) + " wait for an event that is recorded right after " + v.Name(before))
}

// engines asks that no two ops of one exclusive engine coincide when every op starts as early as the calls let it.
// Where only the durations keep two apart, that is a note.
func engines(v *View) (found []verdict.Finding) {
	timeline.EachClash(v.Intent, v.InTime, v.Table.Start, v.Table.End, func(c timeline.Clash) bool {
		f := verdict.Found(verdict.EngineClash, v.OpWhere(c.Op), "%s and %s run at once on %s", v.Name(c.With),
			v.Name(c.Op),
			v.Intent.Engines[c.Engine].Name)
		f.Guilty, f.Change = []int32{c.Op, c.With}, verdict.Change("let "+v.Name(c.Op)+" wait for "+v.Name(c.With))
		if v.Intent.Micro > 0 {
			f.Change = "say exclusive, or streams per engine"
		}
		found = one(f)
		return false
	})
	if len(found) > 0 {
		return found
	}
	if a, b, ok := unorderedNeighbours(v); ok {
		found = one(verdict.Note("nothing but their durations keeps %s and %s apart on %s; that holds while durations are as given",
			v.Name(a), v.Name(b), v.Intent.Engines[v.Intent.Ops[a].On()].Name))
	}
	return found
}

// unorderedNeighbours finds the first two ops, by their start, that follow one another on an exclusive engine without
// an order.
func unorderedNeighbours(v *View) (a, b int32, ok bool) {
	last := nones(len(v.Intent.Engines))
	for _, op := range v.InTime {
		e := v.Intent.Ops[op].On()
		if u := last[e]; u != schedule.None && v.Intent.Engines[e].Capacity == 1 && !v.Order.Before(u, op) {
			return u, op, true
		}
		last[e] = op
	}
	return 0, 0, false
}
