package calls

import (
	"slices"
	"sort"
	"time"

	"github.com/gpu-overlap/overlap/order"
	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/verdict"
)

// hostWait is a call in which the host waits, unintended, and an op that is issued only after it.
type hostWait struct{ call, next int32 }

// hostWaits are those of the program that an op comes after, first to last.
func hostWaits(v *View) (waits []hostWait) {
	next := schedule.None
	for i, c := range slices.Backward(v.Calls) {
		if c.Op.Some() {
			next = c.Op.Index()
		}
		if c.Verb.Blocks() && !c.Intended && next != schedule.None {
			waits = append(waits, hostWait{int32(i), next})
		}
	}
	slices.Reverse(waits)
	return waits
}

// hostSync finds the first call in which the host waits, unintended, and without which the schedule is shorter.
func hostSync(d *doubt) []verdict.Finding {
	if len(d.Program.Graphs) > 0 {
		return nil // a capture does not outlive it: that is a bad code
	}
	waits := hostWaits(d.View)
	if len(waits) == 0 {
		return nil
	}
	paths, tries := calledPathsOf(d.View), 0
	for _, w := range waits {
		if !d.budget.left(tries) {
			break
		}
		if paths.pass(d.View, w.call) {
			continue
		}
		tries++
		if saves := d.savesWithoutWait(w.call); saves > 0 {
			c := d.Calls[w.call]
			f := verdict.Found(verdict.HostSync, d.Program.Where(c), "the host waits in %s before it issues %s",
				c.Verb.Call(), d.Name(w.next))
			f.Saves, f.Change, f.Guilty = saves, "let a stream wait for an event instead", []int32{w.next}
			return one(f)
		}
	}
	return nil
}

// savesWithoutWait is by how much the schedule is shorter when the host does not wait in a call.
func (d *doubt) savesWithoutWait(call int32) time.Duration {
	d.budget.visits += 16 * len(d.Calls) // for the other order
	free := *d.Program
	free.Body = slices.Delete(slices.Clone(d.Calls), int(call), int(call)+1)
	preds := order.Of(&free).Preds
	return max(d.savesAs(preds), d.savesInAnyOrder(preds))
}

// calledPaths are the critical paths that go through what the calls impose alone.
type calledPaths struct {
	ops    []int32         // on such a path, by their start
	latest []time.Duration // by place in ops: the latest end up to there
}

func calledPathsOf(v *View) (p calledPaths) {
	tail := make([]time.Duration, len(v.Dur)) // the longest path from the start of an op
	for _, op := range slices.Backward(v.InTime) {
		tail[op] += v.Dur[op]
		for _, u := range v.Order.Preds(op) {
			tail[u] = max(tail[u], tail[op])
		}
	}
	var latest time.Duration
	for _, op := range v.InTime {
		if v.Table.Start[op]+tail[op] == v.Table.Makespan {
			latest = max(latest, v.Table.End[op])
			p.ops, p.latest = append(p.ops, op), append(p.latest, latest)
		}
	}
	return p
}

// pass says whether a critical path does not rest on a call in which the host waits: one of its ops runs when the host
// goes on, or starts then and was issued before. A path through the calls alone is as long without that call; in one
// through the needs, an engine may take its ops in another order then.
func (p *calledPaths) pass(v *View, call int32) bool {
	var on time.Duration // when the host goes on
	for _, op := range v.Order.Behind(call) {
		on = max(on, v.Table.End[op])
	}
	if on == 0 {
		return true
	}
	i := sort.Search(len(p.ops), func(i int) bool { return v.Table.Start[p.ops[i]] >= on })
	if i > 0 && p.latest[i-1] > on {
		return true
	}
	for ; i < len(p.ops) && v.Table.Start[p.ops[i]] == on; i++ {
		if v.Order.Call(p.ops[i]) < call {
			return true
		}
	}
	return false
}
