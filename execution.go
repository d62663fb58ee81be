package overlap

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/gpu-overlap/overlap/bound"
	"github.com/gpu-overlap/overlap/schedule"
)

// suspect is a cause that the account shows, and the time that it took.
type suspect struct {
	verdict Verdict
	took    time.Duration
}

// execution names what went wrong in running a schedule whose calls are not to blame: what took most of the time that
// is over the limit, by the account, and what the twins say of it. A cause that explains less than half of the miss, or
// that its twin refutes, is passed over.
func (j *judgement) execution(miss time.Duration, where string) (Verdict, time.Duration) {
	a := j.account()
	if a == nil {
		return met, 0
	}
	j.spent = a
	suspects := []suspect{j.launchBound(a), j.engineFull(a), j.delayed(a), j.contention(a), j.handOff(a), j.syncing(a)}
	slices.SortStableFunc(suspects, func(a, b suspect) int { return cmp.Compare(b.took, a.took) })
	for _, s := range suspects {
		if s.verdict.Cause == "" || s.took <= 0 || 2*s.took < miss {
			continue
		}
		if s.verdict.Where == "" {
			s.verdict.Where = where
		}
		s.verdict.Took = s.took
		return s.verdict, s.took
	}
	return met, 0
}

// longest is the longest step on which time was spent so; ok is false when there is none.
func (a *Account) longest(s Spent) (longest Step, ok bool) {
	for _, step := range a.Steps {
		if step.Spent == s && (!ok || step.Dur() > longest.Dur()) {
			longest, ok = step, true
		}
	}
	return longest, ok
}

// launchBound: the host had not issued what could have run. Behind a gate, all of it issued before anything starts, the
// same calls meet the limit, or, where that is not all that is wrong, half of what issuing took is gone.
func (j *judgement) launchBound(a *Account) suspect {
	took := a.Sum(Issuing) + a.Sum(Starting) - j.Costs.Launch
	v := fail(LaunchBound, "", "ops wait for the host to issue them")
	v.Change = "issue the schedule as a graph, or make its ops longer"
	if step, ok := a.longest(Issuing); ok && step.Op != schedule.None {
		v.Guilty = []int32{step.Op}
	}
	switch {
	case len(j.Gated) == 0:
		v.Evidence = "not confirmed: the calls were not run behind a gate"
	default:
		gated := estimate(j.Gated, j.Steady)
		if gated.Median > j.limit().Total() && gated.Median > j.wall().Median-took/2 {
			return suspect{}
		}
		v.Evidence = fmt.Sprintf("behind a gate, all of it issued before the first op starts, it takes %v", gated)
	}
	return suspect{v, took}
}

// engineFull: ready and issued, but other ops held the SMs or the copy engine.
func (j *judgement) engineFull(a *Account) suspect {
	step, ok := a.longest(Queued)
	if !ok {
		return suspect{}
	}
	what, change := "the SMs", "give it a higher priority, or let "+j.name(step.With)+" hold fewer SMs"
	if k := j.Intent.Ops[step.Op].Kind; k.Copies() {
		what, change = "the "+k.String()+" copy engine", "issue it before "+j.name(step.With)+", or copy in smaller pieces"
	}
	v := fail(EngineFull, j.opWhere(step.Op), "%s waits for %s that %s holds", j.name(step.Op), what, j.name(step.With))
	v.Change, v.Guilty = change, []int32{step.Op, step.With}
	v.Evidence = fmt.Sprintf("ready and issued at %v, it starts at %v, when %s has made room", step.From, step.To, j.name(step.With))
	return suspect{v, a.Sum(Queued)}
}

// delayed: ready, issued, the hardware free, and late all the same, unless more connections help.
func (j *judgement) delayed(a *Account) suspect {
	step, ok := a.longest(Delayed)
	if !ok {
		return suspect{}
	}
	v := fail(FalseDep, j.opWhere(step.Op), "%s is ready and starts late", j.name(step.Op))
	if step.With != schedule.None {
		v.Detail = fmt.Sprintf("%s starts only after %s has, for which it does not wait", j.name(step.Op), j.name(step.With))
	}
	v.Guilty = []int32{step.Op}
	v.Change = "raise CUDA_DEVICE_MAX_CONNECTIONS, or issue what is ready first"
	switch {
	case len(j.Wide) == 0:
		v.Evidence = "not confirmed: the calls were not run with more connections"
	default:
		if !j.falseDependency() {
			return suspect{}
		}
		v.Evidence = fmt.Sprintf("with %d connections it takes %v", moreConnections, estimate(j.Wide, j.Steady))
	}
	return suspect{v, a.Sum(Delayed)}
}

// falseDependency says whether with more connections at least half of what the wall is over its limit is gone.
func (j *judgement) falseDependency() bool {
	if len(j.Wide) == 0 {
		return false
	}
	wall := j.wall().Median
	return estimate(j.Wide, j.Steady).Median <= wall-(wall-j.limit().Total())/2
}

// contention: ops that ran at once and slowed one another down.
func (j *judgement) contention(a *Account) suspect {
	step, ok := a.longest(Stretched)
	if !ok || step.With == schedule.None {
		return suspect{}
	}
	v := fail(Contention, j.opWhere(step.Op), "%s and %s run at once and slow one another down", j.name(min(step.Op, step.With)),
		j.name(max(step.Op, step.With)))
	v.Guilty = []int32{step.Op, step.With}
	v.Change = "overlap it with work that leaves it memory bandwidth and SMs"
	v.Evidence = fmt.Sprintf("%s takes %v alone in the same run, and %v more beside %s", j.name(step.Op), j.Solo[step.Op],
		step.Dur(), j.name(step.With))
	return suspect{v, a.Sum(Stretched)}
}

// handOff: gaps between dependent ops, each no longer than handing over takes, and more of them than the limit grants.
func (j *judgement) handOff(a *Account) suspect {
	l := j.limit()
	v := fail(HandOff, "", "the ops are too short for what handing over from one to the next takes")
	v.Change = "make fewer, longer ops"
	return suspect{v, a.Sum(HandingOver) - time.Duration(l.Hops)*l.HandOff}
}

// syncing: the host waited in the midst of it, unintended, and issued late what comes next.
func (j *judgement) syncing(a *Account) suspect {
	var longest HostWait
	took := time.Duration(0)
	for _, w := range a.Waits {
		if j.Program.Body[w.Call].Intended {
			continue
		}
		if took += w.Took; w.Took > longest.Took {
			longest = w
		}
	}
	// What the host waits for may be needed first in any case: no more is lost than the wall has over what is scheduled.
	took = min(took, a.Wall-bound.Scheduled(j.order, j.Solo).Makespan)
	if took <= 0 {
		return suspect{}
	}
	o := &j.Intent.Ops[longest.For]
	call, next := j.Program.Body[longest.Call], "what comes next"
	if longest.Next != schedule.None {
		next = j.name(longest.Next)
	}
	v := fail(HostSync, j.Program.Where(call), "the host waits in %s before it issues %s", call.Verb.Call(), next)
	v.Change = "let a stream wait for an event instead"
	if o.Pageable {
		v.Detail, v.Change = "the host waits in the pageable copy "+o.Name, "copy from pinned memory"
	}
	if longest.Next != schedule.None {
		v.Guilty = []int32{longest.Next, longest.For}
	}
	return suspect{v, took}
}
