package calls

import (
	"slices"
	"time"

	"github.com/gpu-overlap/overlap/bound"
	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/timeline"
)

// doubt is a view of which an order is doubted: what each op needs, and how the calls of a stream follow one another.
// All but the budget is made once and never changed.
type doubt struct {
	*View
	needs  needs
	links  links
	budget *budget
}

func newDoubt(v *View) *doubt {
	return &doubt{View: v, needs: needsOf(v.Intent, v.Order, v.InTime), links: linksOf(v), budget: &budget{}}
}

// budget bounds the work of a search: each try costs up to a few passes over the schedule, so that of a large one fewer
// are made.
type budget struct{ visits int }

const (
	mostTries  = 64   // of one search
	mostVisits = 40e6 // of ops, in all searches
)

// left says whether another try may be made after so many.
func (b *budget) left(tries int) bool { return tries < mostTries && b.visits < mostVisits }

// links tie each call, and each op, to its neighbours in its stream. All that go by the legacy default stream are one.
type links struct {
	prev []int32 // by call: the call before it; None for the first
	next []int32 // by op: the op after it; None for the last
}

func linksOf(v *View) links {
	l := links{prev: nones(len(v.Calls)), next: nones(len(v.Dur))}
	streams := v.Program.Streams
	call, op := nones(len(streams)), nones(len(streams))
	legacy := int32(slices.IndexFunc(streams, func(st schedule.Stream) bool { return st.Kind == schedule.Legacy }))
	for i := range v.Calls {
		c := &v.Calls[i]
		stream := c.Stream.Index()
		if stream == schedule.None {
			continue
		}
		if streams[stream].Kind == schedule.Legacy {
			stream = legacy
		}
		l.prev[i], call[stream] = call[stream], int32(i)
		if !c.Op.Some() || v.Order.Call(c.Op.Index()) != int32(i) {
			continue
		}
		if u := op[stream]; u != schedule.None {
			l.next[u] = c.Op.Index()
		}
		op[stream] = c.Op.Index()
	}
	return l
}

// waitsBefore are the waits between x and the op before it in its stream, first to last.
func (d *doubt) waitsBefore(x int32) (waits []int32) {
	prev := d.links.prev
	for i := prev[d.Order.Call(x)]; i != schedule.None && !d.Calls[i].Op.Some(); i = prev[i] {
		if d.Calls[i].Verb == schedule.Wait {
			waits = append(waits, i)
		}
	}
	slices.Reverse(waits)
	return waits
}

// before is the op before x in its stream; None when there is none.
func (d *doubt) before(x int32) int32 {
	prev := d.links.prev
	for i := prev[d.Order.Call(x)]; i != schedule.None; i = prev[i] {
		if op := d.Calls[i].Op; op.Some() {
			return op.Index()
		}
	}
	return schedule.None
}

// lost is the op that ends last of those that directly precede x and are not among preds; ok is false when there is
// none.
func (d *doubt) lost(x int32, preds []int32) (u int32, ok bool) {
	for _, p := range d.Order.Preds(x) {
		if !slices.Contains(preds, p) && (!ok || d.Table.End[p] > d.Table.End[u]) {
			u, ok = p, true
		}
	}
	return u, ok
}

// ordered appends what op needs of what the calls put before it.
func (d *doubt) ordered(op int32, list []int32) []int32 {
	for _, u := range d.needs.of(op) {
		if d.Order.Before(u, op) {
			list = append(list, u)
		}
	}
	return list
}

// savesAs is by how much the schedule is shorter when each op comes after others than now, be it that ops which only
// durations keep in their order on an engine keep that order or not.
func (d *doubt) savesAs(preds func(op int32) []int32) time.Duration {
	saves := d.saves(func(op int32, all []int32) []int32 {
		return append(append(all, preds(op)...), d.needs.of(op)...)
	})
	return max(saves, d.saves(func(op int32, all []int32) []int32 {
		return d.ordered(op, append(all, preds(op)...))
	}))
}

// savesInAnyOrder is by how much the schedule is shorter when the ops of an engine may also come in another order than
// now, if only no two of them coincide: their order was a consequence of the calls that are gone.
func (d *doubt) savesInAnyOrder(preds func(op int32) []int32) time.Duration {
	return d.saves(func(op int32, all []int32) []int32 {
		all = append(all, preds(op)...)
		for _, u := range d.needs.of(op) {
			if needed(d.Intent, u, op) {
				all = append(all, u)
			}
		}
		return all
	})
}

// saves is by how much the schedule is shorter when each op waits for what behind appends. Where two ops of an
// exclusive engine would then coincide, nothing is gained; nor is it ever less than that.
func (d *doubt) saves(behind func(op int32, all []int32) []int32) time.Duration {
	d.budget.visits += 4 * len(d.InTime) // with the sort
	var all []int32
	t := bound.ASAP(d.InTime, func(op int32) []int32 {
		all = behind(op, all[:0])
		return all
	}, d.Dur)
	if t.Makespan >= d.Table.Makespan || d.clashes(t) {
		return 0
	}
	return d.Table.Makespan - t.Makespan
}

func (d *doubt) clashes(t bound.Timetable) bool {
	return len(timeline.Clashes(d.Intent, t.Start, t.End)) > 0
}
