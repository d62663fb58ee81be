package calls

import (
	"slices"
	"time"

	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/verdict"
)

// misplaced finds an op on the wrong stream where only the order on an exclusive engine shows it: of two ops of the
// engine on the critical path the second follows the first without need, because they are on one stream, or one of them
// is a barrier on the legacy stream. No call can be taken away there, and which order the engine had otherwise nobody
// knows. So one of the two is put where it belongs, and all that a schedule must be is checked of that program: when it
// is as sound, and shorter, the stream is to blame.
func misplaced(d *doubt) []verdict.Finding {
	var q []queue // once an op is moved: it costs a pass over the schedule
	tries := 0
	for i := 1; i < len(d.Table.Critical) && d.budget.left(tries); i++ {
		u, x := d.Table.Critical[i-1], d.Table.Critical[i]
		if !d.waitsForEngine(x) {
			continue
		}
		if q == nil {
			q = queuesOf(d.View)
		}
		for _, moved := range []int32{x, u} {
			barrier := isBarrier(d.View, moved)
			if !barrier && d.before(x) != u {
				continue
			}
			for _, to := range d.home(moved, q) {
				tries++
				if saves := d.savesOn(moved, to); saves > 0 {
					f := verdict.Found(verdict.SerialByStream, d.callWhere(moved), waitsOnStream, d.Name(x), d.Name(u),
						d.streamName(x))
					if barrier {
						f = verdict.Found(verdict.LegacyBarrier, d.callWhere(moved), keepsApart, d.Name(moved))
					}
					f.Guilty, f.Saves = []int32{x, u}, saves
					f.Change = verdict.Change("put " + d.Name(moved) + " on " + d.Program.Streams[to].Name)
					return one(f)
				}
			}
		}
	}
	return nil
}

// waitsForEngine says whether an op waits, beyond all that it needs, for its exclusive engine alone.
func (d *doubt) waitsForEngine(x int32) bool {
	for _, u := range d.needs.of(x) {
		if d.Table.End[u] == d.Table.Start[x] && needed(d.Intent, u, x) {
			return false
		}
	}
	return d.Intent.Engines[d.Intent.Ops[x].On()].Capacity == 1
}

// isBarrier says whether an op is on the legacy stream, and some stream is blocking.
func isBarrier(v *View, op int32) bool {
	return v.Program.Streams[v.stream(op)].Kind == schedule.Legacy &&
		slices.ContainsFunc(v.Program.Streams, func(st schedule.Stream) bool { return st.Kind == schedule.Blocking })
}

// home are the streams where an op belongs, of its device and other than its own: the one that all other ops of its
// engine share, or else those of the ops that it comes after, or else those of the ops that come after it.
func (d *doubt) home(x int32, q []queue) (streams []int32) {
	own := d.stream(x)
	if st := q[d.Intent.Ops[x].On()].without(own); st != schedule.None {
		streams = []int32{st}
	}
	if len(streams) == 0 {
		for _, u := range d.Intent.Ops[x].After {
			streams = append(streams, d.stream(u))
		}
	}
	if len(streams) == 0 {
		d.budget.visits += len(d.InTime)
		for _, op := range d.InTime {
			if slices.Contains(d.Intent.Ops[op].After, x) {
				streams = append(streams, d.stream(op))
			}
		}
	}
	slices.Sort(streams)
	return slices.DeleteFunc(slices.Compact(streams), func(st int32) bool {
		return st == own || d.Program.Streams[st].Device != d.Program.Streams[own].Device
	})
}

// queue are the streams that launch the ops of an engine: the first two of them, and how many ops each launches.
type queue struct {
	streams [2]int32
	ops     [2]int
	more    bool
}

// queuesOf gives them by engine.
func queuesOf(v *View) []queue {
	queues := make([]queue, len(v.Intent.Engines))
	for _, op := range v.Order.Issue {
		q, st := &queues[v.Intent.Ops[op].On()], v.stream(op)
		k := 0
		for k < 2 && q.ops[k] > 0 && q.streams[k] != st {
			k++
		}
		if k == 2 {
			q.more = true
			continue
		}
		q.streams[k] = st
		q.ops[k]++
	}
	return queues
}

// without is the one stream that launches all ops but one, which own launches; None when there is no such stream.
func (q *queue) without(own int32) int32 {
	left := schedule.None
	for k, n := range q.ops {
		if q.streams[k] == own {
			n--
		}
		if n > 0 && (q.more || left != schedule.None) {
			return schedule.None
		}
		if n > 0 {
			left = q.streams[k]
		}
	}
	return left
}

// savesOn is by how much the schedule is shorter when x is launched into another stream; 0 when it is unsound then.
func (d *doubt) savesOn(x, stream int32) time.Duration {
	d.budget.visits += 16 * len(d.Calls)
	p := *d.Program
	p.Setup, p.Body = launchedInto(stream, x, p.Setup), launchedInto(stream, x, p.Body)
	moved := viewOf(d.Intent, &p)
	if len(moved.Order.Missing) > 0 || moved.Table.Makespan >= d.Table.Makespan || decides(Sound(moved)) {
		return 0
	}
	return d.Table.Makespan - moved.Table.Makespan
}

func launchedInto(stream, op int32, calls []schedule.Instr) []schedule.Instr {
	calls = slices.Clone(calls)
	for i := range calls {
		if calls[i].Op.Is(op) {
			calls[i].Stream = schedule.At(stream)
		}
	}
	return calls
}
