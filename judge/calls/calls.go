// Package calls looks at a program by its calls and nominal durations alone: ops that are never launched, orders that
// are missing, ops that coincide on an exclusive engine, and calls without which the schedule would be shorter and as
// sound. What depends on how a device runs a program, it cannot find.
//
// A check is a function from a View to what it found. It changes nothing.
package calls

import (
	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/verdict"
)

// checks are those of Check, in their order. The first finding that decides is the verdict.
var checks = []func(*View) []verdict.Finding{Legal, Launched, SharedExec, Sound, Needless}

// Check judges a program by its calls and nominal durations; no device is needed, and the target of a case plays no
// part. A program that schedule.Program.Validate refuses gives its error.
func Check(p *schedule.Program) (verdict.Verdict, error) {
	v, _, err := Of(p)
	if err != nil {
		return verdict.Verdict{}, err
	}
	var found []verdict.Finding
	for _, check := range checks {
		found = append(found, check(v)...)
		if decides(found) {
			break
		}
	}
	return verdict.Of(found), nil
}

// Launched asks that every op of the intent is launched, and of a program that replays, that the capture records it.
func Launched(v *View) []verdict.Finding {
	if v == nil || !v.made {
		return nil
	}
	if len(v.Order.Missing) == 0 {
		return nil
	}
	op := v.Order.Missing[0]
	if len(v.Given.Graphs) > 0 {
		return one(verdict.Found(verdict.WrongGraph, v.OpWhere(op),
			"%s is not in the graph: its stream was not capturing", v.Name(op)))
	}
	return one(verdict.Found(verdict.BadCode, v.OpWhere(op), "%s is never launched", v.Name(op)))
}

// Needless finds an order that costs and that nothing needs. It asks in turn for barriers of the legacy stream, waits
// of the host, waits and streams along the critical path, ops on the wrong stream, and orders that no call gives.
func Needless(v *View) []verdict.Finding {
	if v == nil || !v.made {
		return nil
	}
	d := newDoubt(v)
	for _, find := range []func(*doubt) []verdict.Finding{legacyBarrier, hostSync, overWide, misplaced} {
		if found := find(d); len(found) > 0 {
			return found
		}
	}
	return Sensitive(v)
}
