package judge

import (
	"time"

	"github.com/gpu-overlap/overlap/bound"
	"github.com/gpu-overlap/overlap/judge/account"
	"github.com/gpu-overlap/overlap/judge/calls"
	"github.com/gpu-overlap/overlap/judge/sample"
	"github.com/gpu-overlap/overlap/verdict"
)

// explain names the cause of a miss. It looks, at nominal durations, for a call that imposes an order which nothing
// needs, and without which the schedule would be shorter; and, in the account of what happened, for what running the
// calls lost. What cost more is to blame. When there is neither, the miss stays a miss, and the detail says what was
// missed, and whether the calls could have met it at all.
func explain(f *facts, missed, where string) []verdict.Finding {
	switch {
	case f.view == nil:
		return one(verdict.Found(verdict.Missed, where, "%s", missed))
	case f.Impossible != "":
		return one(verdict.Found(verdict.Environment, where, "%s", f.Impossible))
	}
	if found := calls.SharedExec(f.view); len(found) > 0 {
		return found
	}
	inCalls, notes := inCalls(f)
	// What the order of the calls takes beyond the limit is not lost in running it.
	lost := f.wall.Median - f.limit.Total() - max(0, f.scheduled.Makespan-f.limit.Base)
	running := inRunning(f, lost, where)
	switch {
	case !inCalls.Decides() && running.Decides() && lost > 0:
		return append(notes, running)
	case !inCalls.Decides():
		return append(notes, verdict.Found(verdict.Missed, where, "%s%s", missed, tooLong(f)))
	case inCalls.Cause == running.Cause, inCalls.Cause == verdict.OrderSensitive && running.Cause == verdict.EngineFull:
		return append(notes, inCalls) // it is the same, and says more
	case running.Decides() && running.Took > max(inCalls.Saves, f.scheduled.Makespan-f.limit.Base):
		running.Notes = append(running.Notes, "also: "+inCalls.String())
		return append(notes, running)
	}
	return append(notes, inCalls)
}

// inCalls is what the calls are to blame for. An order that nothing enforces is only noted of a run in which no op
// waited for hardware: it ran in its best order.
func inCalls(f *facts) (found verdict.Finding, notes []verdict.Finding) {
	needless := calls.Needless(f.view)
	if len(needless) == 0 {
		return verdict.Finding{}, nil
	}
	x, a := needless[0], f.account
	if x.Cause == verdict.OrderSensitive && (a == nil || a.Sum(account.Queued)+a.Sum(account.Stretched) == 0) {
		return verdict.Finding{}, one(verdict.Note("%s; %s", x, x.Evidence))
	}
	return x, nil
}

// tooLong says of a schedule whose calls could not have met its target that they could not; empty when they could.
func tooLong(f *facts) string {
	ideal := bound.Ideal(f.Intent, f.view.Dur)
	if f.view.Table.Makespan <= ideal+granted(f, ideal) {
		return ""
	}
	return ": the order of its calls is too long by itself"
}

// granted is the leeway of the target over a bound.
func granted(f *facts, ideal time.Duration) time.Duration {
	return sample.Percent(ideal, f.Target.OrDefault().Percent)
}
