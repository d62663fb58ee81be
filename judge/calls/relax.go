package calls

import (
	"cmp"
	"slices"
	"sort"
	"time"

	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/timeline"
)

// relaxer says quickly what less order of one op would gain. Its timetable is that of the view but for the ops that
// moved, which are put back after each question.
type relaxer struct {
	*doubt
	paths
	engines    [][]int32         // by engine: its ops by their start
	ends       [][]time.Duration // by engine and place in engines: the latest end up to there
	start, end []time.Duration   // by op: of the relaxed timetable
	moved      []int32           // the ops that start earlier in it
	beside     []int32           // kept from one question to the next, to save memory
	inTime     []int32           // likewise
}

func newRelaxer(d *doubt) *relaxer {
	r := &relaxer{doubt: d, paths: pathsOf(d), start: slices.Clone(d.Table.Start), end: slices.Clone(d.Table.End)}
	r.engines, r.ends = make([][]int32, len(d.Intent.Engines)), make([][]time.Duration, len(d.Intent.Engines))
	count := make([]int, len(d.Intent.Engines))
	for _, op := range d.InTime {
		count[d.Intent.Ops[op].On()]++
	}
	for e, n := range count {
		r.engines[e], r.ends[e] = make([]int32, 0, n), make([]time.Duration, 0, n)
	}
	for _, op := range d.InTime {
		e, end := d.Intent.Ops[op].On(), d.Table.End[op]
		if n := len(r.ends[e]); n > 0 {
			end = max(end, r.ends[e][n-1])
		}
		r.engines[e], r.ends[e] = append(r.engines[e], op), append(r.ends[e], end)
	}
	return r
}

// savesWith is by how much the schedule is shorter when op x waits for preds alone, and for what it needs. When x
// leaves the op before it in its stream, what comes next there follows that one.
func (r *relaxer) savesWith(x int32, preds []int32, leaves int32) time.Duration {
	if !r.sole[x] {
		return 0
	}
	after := schedule.None
	if leaves != schedule.None {
		after = r.links.next[x]
	}
	saves := r.relax(x, append(slices.Clip(preds), r.needs.of(x)...), after, leaves)
	// Freed, x may also fit in before an op of its engine that only durations keep before it.
	loose := r.ordered(x, slices.Clip(preds))
	if len(loose) == len(preds)+len(r.needs.of(x)) {
		return saves
	}
	return max(saves, r.relax(x, loose, after, leaves))
}

// relax is by how much the schedule is shorter when x comes after the ops behind it alone, and what comes after x in
// its stream, unless it is None, after the op that x leaves in place of x. Where an engine would then be too full
// nothing is gained.
func (r *relaxer) relax(x int32, behind []int32, after, leaves int32) time.Duration {
	var start time.Duration
	for _, u := range behind {
		start = max(start, r.Table.End[u])
	}
	if start == r.Table.Start[x] && !r.holds(x, after) {
		return 0
	}
	if r.crowds(x, start) {
		return 0
	}
	defer r.restore()
	r.propagate(x, start, after, leaves)
	makespan := time.Duration(0)
	for _, op := range r.InTime {
		makespan = max(makespan, r.end[op])
	}
	if r.budget.visits += 2 * len(r.InTime); makespan >= r.Table.Makespan || r.clash() {
		return 0
	}
	return r.Table.Makespan - makespan
}

// holds says whether every critical path goes from x, which is on all of them, to the op after it in its stream, for no
// other reason than that.
func (r *relaxer) holds(x, after int32) bool {
	return after != schedule.None && r.sole[after] && r.Table.Start[after] == r.Table.End[x] &&
		!slices.Contains(r.needs.of(after), x)
}

// crowds says whether x would find its engine full if it started at a time. Only ops that start before x ends at
// present can be there, and none of them moves with x.
func (r *relaxer) crowds(x int32, start time.Duration) bool {
	end, e := start+r.Dur[x], r.Intent.Ops[x].On()
	ops, beside := r.engines[e], r.beside[:0]
	i := sort.Search(len(ops), func(i int) bool { return r.Table.Start[ops[i]] >= end })
	for i--; i >= 0 && r.ends[e][i] > start; i-- {
		if ops[i] != x && r.Table.End[ops[i]] > start {
			beside = append(beside, ops[i])
		}
		r.budget.visits++
	}
	r.beside = beside
	if len(beside) < int(r.Intent.Engines[e].Capacity) {
		return false
	}
	r.moved = append(r.moved, x)
	r.start[x], r.end[x] = start, end
	r.beside = append(beside, x)
	slices.SortFunc(r.beside, r.byStart)
	full := r.full(r.beside)
	r.restore()
	return full
}

// propagate moves x, and then, in the order of time, what can start earlier for it.
func (r *relaxer) propagate(x int32, start time.Duration, after, leaves int32) {
	last := r.at[x]
	move := func(op int32, start time.Duration) {
		if start < r.start[op] {
			r.start[op], r.end[op] = start, start+r.Dur[op]
			r.moved = append(r.moved, op)
			last = max(last, r.until[op])
		}
	}
	move(x, start)
	if after != schedule.None {
		last = max(last, r.at[after])
	}
	for i := r.at[x] + 1; i <= last; i++ {
		op := r.InTime[i]
		start := time.Duration(0)
		for _, u := range r.Order.Preds(op) {
			if op == after && u == x {
				u = leaves
			}
			start = max(start, r.end[u])
		}
		if op == after {
			start = max(start, r.end[leaves])
		}
		for _, u := range r.needs.of(op) {
			start = max(start, r.end[u])
		}
		move(op, start)
	}
	r.budget.visits += int(last - r.at[x])
}

func (r *relaxer) restore() {
	for _, op := range r.moved {
		r.start[op], r.end[op] = r.Table.Start[op], r.Table.End[op]
	}
	r.moved = r.moved[:0]
}

func (r *relaxer) byStart(a, b int32) int {
	return cmp.Or(cmp.Compare(r.start[a], r.start[b]), cmp.Compare(a, b))
}

// clash says whether an engine is too full in the relaxed timetable. The ops that moved are sorted and merged with the
// others, which are in order.
func (r *relaxer) clash() bool {
	slices.SortFunc(r.moved, r.byStart)
	r.inTime = r.inTime[:0]
	k := 0
	for _, op := range r.InTime {
		for ; k < len(r.moved) && r.byStart(r.moved[k], op) < 0; k++ {
			r.inTime = append(r.inTime, r.moved[k])
		}
		if r.start[op] == r.Table.Start[op] {
			r.inTime = append(r.inTime, op)
		}
	}
	r.inTime = append(r.inTime, r.moved[k:]...)
	return r.full(r.inTime)
}

// full says whether some of the ops, by their start, find their engine full.
func (r *relaxer) full(ops []int32) (found bool) {
	timeline.EachClash(r.Intent, ops, r.start, r.end, func(timeline.Clash) bool {
		found = true
		return false
	})
	return found
}
