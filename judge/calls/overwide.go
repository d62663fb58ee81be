package calls

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gpu-overlap/overlap/bound"
	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/verdict"
)

// overWide looks at each op of the critical path that waits for the one before it there without need: first without one
// of the waits before it, then without the op before it in its stream, then without any of them. At last it takes away
// all order that nothing needs.
func overWide(d *doubt) []verdict.Finding {
	var r *relaxer // once an op is doubted: it costs a pass over the schedule
	tries := 0
	for i := 1; i < len(d.Table.Critical) && d.budget.left(tries); i++ {
		x := d.Table.Critical[i]
		if Implied(d.Intent, d.Table.Critical[i-1], x) {
			continue
		}
		if r == nil {
			r = newRelaxer(d)
		}
		tries++
		for _, without := range []func(*relaxer, int32) []verdict.Finding{withoutWait, withoutStream, withoutAny} {
			if found := without(r, x); len(found) > 0 {
				return found
			}
		}
	}
	return together(d)
}

// withoutWait doubts each of the waits between x and the op before it in its stream.
func withoutWait(r *relaxer, x int32) []verdict.Finding {
	for _, w := range r.waitsBefore(x) {
		left := r.Order.PredsWithout(x, w)
		u, ok := r.lost(x, left)
		if !ok {
			continue
		}
		if saves := r.savesWith(x, left, schedule.None); saves > 0 {
			c := r.Calls[w]
			f := verdict.Found(verdict.OverWideWait, r.Program.Where(c), "%s waits for %s through %s", r.Name(x),
				r.Name(u),
				r.Program.Events[c.Event.Index()])
			f.Saves, f.Change, f.Guilty = saves, narrower(r.doubt, x, u, w), []int32{x, u}
			return one(f)
		}
	}
	return nil
}

// withoutStream doubts that x must follow the op before it in its stream.
func withoutStream(r *relaxer, x int32) []verdict.Finding {
	before := r.before(x)
	if before == schedule.None || Implied(r.Intent, before, x) {
		return nil
	}
	preds := slices.DeleteFunc(slices.Clone(r.Order.Preds(x)), func(u int32) bool { return u == before })
	saves := r.savesWith(x, preds, before)
	if saves == 0 {
		return nil
	}
	f := verdict.Found(verdict.SerialByStream, r.callWhere(x), waitsOnStream, r.Name(x), r.Name(before),
		r.streamName(x))
	f.Saves, f.Change, f.Guilty = saves, verdict.Change("put "+r.Name(x)+" on another stream"), []int32{x, before}
	return one(f)
}

const waitsOnStream = "%s waits for %s on stream %s"

// withoutAny doubts all that x waits for at once.
func withoutAny(r *relaxer, x int32) []verdict.Finding {
	before := r.before(x)
	preds := r.Order.Preds(x)
	if before != schedule.None && !Implied(r.Intent, before, x) {
		preds = slices.DeleteFunc(slices.Clone(preds), func(u int32) bool { return u == before })
	}
	if len(preds) == 0 {
		return nil // that was all it waited for
	}
	saves := r.savesWith(x, nil, before)
	if saves == 0 {
		return nil
	}
	return several(r.doubt, x, saves)
}

// together takes away all order that nothing needs: where streams were merged, moving one op may not help. The first op
// that would start earlier is blamed.
func together(d *doubt) []verdict.Finding {
	t := bound.ASAP(d.InTime, d.needs.of, d.Dur)
	if t.Makespan >= d.Table.Makespan || d.clashes(t) {
		return nil
	}
	for _, x := range d.InTime {
		if t.Start[x] == d.Table.Start[x] {
			continue
		}
		if found := several(d, x, d.Table.Makespan-t.Makespan); len(found) > 0 {
			found[0].Notes = []string{"it saves that only together with the ops that follow in the same way"}
			return found
		}
	}
	return nil
}

// several is the finding when only all that x waits for without need, together, is to blame.
func several(d *doubt, x int32, saves time.Duration) []verdict.Finding {
	cause, before := verdict.OverWideWait, d.before(x)
	var parts []string
	for _, w := range d.waitsBefore(x) {
		if u, ok := d.lost(x, d.Order.PredsWithout(x, w)); ok && !Implied(d.Intent, u, x) {
			parts = append(parts, fmt.Sprintf("for %s through %s", d.Name(u),
				d.Program.Events[d.Calls[w].Event.Index()]))
		}
	}
	if before != schedule.None && !Implied(d.Intent, before, x) {
		if len(parts) == 0 {
			cause = verdict.SerialByStream
		}
		parts = append(parts, fmt.Sprintf("for %s on stream %s", d.Name(before), d.streamName(x)))
	}
	if len(parts) == 0 {
		return nil
	}
	f := verdict.Found(cause, d.callWhere(x), "%s waits %s", d.Name(x), strings.Join(parts, " and "))
	f.Guilty, f.Saves = []int32{x}, saves
	return one(f)
}

// narrower is the change that mends wait w, through which x waits for u: to record its event right after the last op
// that x needs of u's stream; when it needs none of them, to wait for what only durations keep before x, or not to
// wait.
func narrower(d *doubt, x, u, w int32) verdict.Change {
	event := d.Program.Events[d.Calls[w].Event.Index()]
	last := schedule.None
	for _, op := range d.Order.Issue {
		if d.stream(op) == d.stream(u) && d.Order.Before(op, x) && slices.Contains(d.needs.of(x), op) {
			last = op
		}
	}
	for _, op := range d.needs.of(x) {
		if last == schedule.None && !d.Order.Before(op, x) {
			return verdict.Change("wait for " + d.Name(op) + " instead")
		}
	}
	if last == schedule.None {
		return verdict.Change("drop the wait for " + event)
	}
	return verdict.Change("record " + event + " right after " + d.Name(last))
}
