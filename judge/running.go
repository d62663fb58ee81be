package judge

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/gpu-overlap/overlap/judge/account"
	"github.com/gpu-overlap/overlap/judge/sample"
	"github.com/gpu-overlap/overlap/verdict"
)

// inRunning names what went wrong in running a schedule whose calls are not to blame: what took most of the time that
// is over the limit, by the account, and what the twins say of it. A cause that explains less than half of what was
// lost, or that its twin refutes, is passed over.
func inRunning(f *facts, lost time.Duration, where string) verdict.Finding {
	if f.account == nil {
		return verdict.Finding{}
	}
	var suspects []verdict.Finding
	for _, look := range []func(*facts) verdict.Finding{launchBound, engineFull, delayed, contention, handOff,
		hostWaits} {
		suspects = append(suspects, look(f))
	}
	slices.SortStableFunc(suspects, func(a, b verdict.Finding) int { return cmp.Compare(b.Took, a.Took) })
	for _, s := range suspects {
		if !s.Decides() || s.Took <= 0 || 2*s.Took < lost {
			continue
		}
		s.Where = cmp.Or(s.Where, where)
		return s
	}
	return verdict.Finding{}
}

// launchBound: the host had not issued what could have run. Behind a gate, all of it issued before anything starts, the
// same calls meet the limit, or, where that is not all that is wrong, half of what issuing took is gone.
func launchBound(f *facts) verdict.Finding {
	found := verdict.Found(verdict.LaunchBound, "", "ops wait for the host to issue them")
	found.Took = f.account.Sum(account.Issuing) + f.account.Sum(account.Starting) - f.Costs.Launch
	found.Change = "issue the schedule as a graph, or make its ops longer"
	if step, ok := f.account.Longest(account.Issuing); ok && step.Op.Some() {
		found.Guilty = []int32{step.Op.Index()}
	}
	if len(f.Gated) == 0 {
		found.Evidence = "not confirmed: the calls were not run behind a gate"
		return found
	}
	gated := sample.Of(f.Gated, f.Steady)
	if gated.Median > f.limit.Total() && gated.Median > f.wall.Median-found.Took/2 {
		return verdict.Finding{}
	}
	found.Evidence = fmt.Sprintf("behind a gate, all of it issued before the first op starts, it takes %v", gated)
	return found
}

// engineFull: ready and issued, but other ops held the SMs or the copy engine.
func engineFull(f *facts) verdict.Finding {
	step, ok := f.account.Longest(account.Queued)
	if !ok {
		return verdict.Finding{}
	}
	op, holder := f.name(step.Op.Index()), f.name(step.With.Index())
	what, change := "the SMs", "give it a higher priority, or let "+holder+" hold fewer SMs"
	if k := f.Intent.Ops[step.Op.Index()].Kind; k.Copies() {
		what, change = "the "+k.String()+" copy engine", "issue it before "+holder+", or copy in smaller pieces"
	}
	found := verdict.Found(verdict.EngineFull, f.opWhere(step.Op.Index()), "%s waits for %s that %s holds", op, what,
		holder)
	found.Change, found.Guilty, found.Took = verdict.Change(change), []int32{step.Op.Index(), step.With.Index()},
		f.account.Sum(account.Queued)
	found.Evidence = fmt.Sprintf("ready and issued at %v, it starts at %v, when %s has made room", step.From, step.To,
		holder)
	return found
}

// delayed: ready, issued, the hardware free, and late all the same, unless more connections help.
func delayed(f *facts) verdict.Finding {
	step, ok := f.account.Longest(account.Delayed)
	if !ok || len(f.Wide) > 0 && !f.wideHelps {
		return verdict.Finding{}
	}
	found := verdict.Found(verdict.FalseDep, f.opWhere(step.Op.Index()), "%s is ready and starts late",
		f.name(step.Op.Index()))
	if step.With.Some() {
		found.Detail = fmt.Sprintf("%s starts only after %s has, for which it does not wait", f.name(step.Op.Index()),
			f.name(step.With.Index()))
	}
	found.Guilty, found.Took = []int32{step.Op.Index()}, f.account.Sum(account.Delayed)
	found.Change = "raise CUDA_DEVICE_MAX_CONNECTIONS, or issue what is ready first"
	found.Evidence = "not confirmed: the calls were not run with more connections"
	if f.wideHelps {
		found.Evidence = fmt.Sprintf("with %d connections it takes %v", sample.WideConnections,
			sample.Of(f.Wide, f.Steady))
	}
	return found
}

// widerIsFaster says whether with more connections at least half of what the wall is over its limit is gone.
func (f *facts) widerIsFaster() bool {
	wall := f.wall.Median
	return len(f.Wide) > 0 && sample.Of(f.Wide, f.Steady).Median <= wall-(wall-f.limit.Total())/2
}

// contention: ops that ran at once and slowed one another down.
func contention(f *facts) verdict.Finding {
	step, ok := f.account.Longest(account.Stretched)
	if !ok || !step.With.Some() {
		return verdict.Finding{}
	}
	op, with := step.Op.Index(), step.With.Index()
	found := verdict.Found(verdict.Contention, f.opWhere(op), "%s and %s run at once and slow one another down",
		f.name(min(op, with)), f.name(max(op, with)))
	found.Guilty, found.Took = []int32{op, with}, f.account.Sum(account.Stretched)
	found.Change = "overlap it with work that leaves it memory bandwidth and SMs"
	found.Evidence = fmt.Sprintf("%s takes %v alone in the same run, and %v more beside %s", f.name(op), f.Solo[op],
		step.Dur(), f.name(with))
	return found
}

// handOff: gaps between dependent ops, each no longer than handing over takes, and more of them than the limit grants.
func handOff(f *facts) verdict.Finding {
	found := verdict.Found(verdict.HandOff, "",
		"the ops are too short for what handing over from one to the next takes")
	found.Change = "make fewer, longer ops"
	found.Took = f.account.Sum(account.HandingOver) - time.Duration(f.limit.Hops)*f.limit.HandOff
	return found
}

// hostWaits: the host waited in the midst of it, unintended, and issued late what comes next.
func hostWaits(f *facts) verdict.Finding {
	var longest account.HostWait
	took := time.Duration(0)
	for _, w := range f.account.Waits {
		if f.Program.Body[w.Call].Intended {
			continue
		}
		if took += w.Took; w.Took > longest.Took {
			longest = w
		}
	}
	// What the host waits for may be needed first in any case: no more is lost than the wall has over what is
	// scheduled.
	if took = min(took, f.account.Wall-f.scheduled.Makespan); took <= 0 {
		return verdict.Finding{}
	}
	call, next := f.Program.Body[longest.Call], "what comes next"
	if longest.Next.Some() {
		next = f.name(longest.Next.Index())
	}
	found := verdict.Found(verdict.HostSync, f.Program.Where(call), "the host waits in %s before it issues %s",
		call.Verb.Call(), next)
	found.Change, found.Took = "let a stream wait for an event instead", took
	if o := &f.Intent.Ops[longest.For.Index()]; o.Pageable {
		found.Detail, found.Change = "the host waits in the pageable copy "+o.Name, "copy from pinned memory"
	}
	if longest.Next.Some() {
		found.Guilty = []int32{longest.Next.Index(), longest.For.Index()}
	}
	return found
}
