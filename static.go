package overlap

import "github.com/gpu-overlap/overlap/schedule"

// Static judges a program by its calls and nominal durations alone; no device is needed. It finds ops that are never
// launched, orders that are missing, ops that coincide on an exclusive engine, and, whatever a case's target is, calls
// without which the schedule would be shorter and as sound. What depends on how a device runs it, it cannot find.
func Static(p *schedule.Program) Verdict {
	j := newJudgement(&Evidence{Intent: p.Intent, Program: p})
	return j.firstOf(j.launched, j.sharedExec, j.soundness, j.needless)
}

// needless finds an order that costs and that nothing needs.
func (j *judgement) needless() Verdict {
	s := j.suspicion()
	for _, find := range []func() Verdict{s.legacy, s.hostSync, s.onCriticalPath, s.elsewhere, s.either} {
		if v := find(); v.Cause != "" {
			return v
		}
	}
	return met
}

// launched asks that every op of the intent is launched, and of a program that replays, that the capture records it.
func (j *judgement) launched() Verdict {
	if j.order == nil {
		return met
	}
	for _, op := range j.order.Missing {
		if len(j.Program.Graphs) > 0 {
			return fail(WrongGraph, j.opWhere(op), "%s is not in the graph: its stream was not capturing", j.name(op))
		}
		return fail(BadCode, j.opWhere(op), "%s is never launched", j.name(op))
	}
	return met
}
