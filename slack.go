package overlap

import (
	"cmp"
	"slices"
	"sort"
	"time"

	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/timeline"
)

// slack is what it takes to say quickly what less order would gain. A path of ops through what the calls and the needs
// impose is critical when it is as long as the schedule; each op of it starts when the one before ends. Less order is worth
// a try only when it breaks every critical path.
type slack struct {
	prev []int32 // by call: the call before it in its stream; None for the first
	next []int32 // by op: the op after it in its stream; None for the last

	at       []int32         // by op: its place in inTime
	until    []int32         // by op: the last place of an op that comes directly after it
	sole     []bool          // by op: on every critical path
	critical []int32         // the ops on critical paths through the calls alone, by their start; see called
	latest   []time.Duration // the latest end up to there

	engines     [][]int32         // by engine: its ops by their start; nil until one is relaxed
	ends        [][]time.Duration // the latest end up to there
	start, end  []time.Duration   // of the relaxed timetable
	moved       []int32           // the ops that start earlier in it
	all, inTime []int32           // kept from one to the next
}

func (s *suspicion) slack() *slack {
	if s.room == nil {
		s.room = &slack{}
		s.room.streams(s)
		s.room.paths(s)
	}
	return s.room
}

// streams links the calls, and the ops, of each stream. All that go by the legacy default stream are one.
func (l *slack) streams(s *suspicion) {
	l.prev, l.next = nones(len(s.calls)), nones(len(s.dur))
	call, op := nones(len(s.program.Streams)), nones(len(s.program.Streams))
	legacy := int32(slices.IndexFunc(s.program.Streams, func(st schedule.Stream) bool { return st.Kind == schedule.Legacy }))
	for i := range s.calls {
		c := &s.calls[i]
		stream := c.Stream.Index()
		if stream == schedule.None {
			continue
		}
		if s.program.Streams[stream].Kind == schedule.Legacy {
			stream = legacy
		}
		l.prev[i], call[stream] = call[stream], int32(i)
		if !c.Op.Some() || s.order.Call(c.Op.Index()) != int32(i) {
			continue
		}
		if u := op[stream]; u != schedule.None {
			l.next[u] = c.Op.Index()
		}
		op[stream] = c.Op.Index()
	}
}

// paths finds the critical paths. At any time one op of each is running, so that an op is on all of them when no other
// critical op runs beside it.
func (l *slack) paths(s *suspicion) {
	l.at, l.until = nones(len(s.dur)), nones(len(s.dur))
	tail := make([]time.Duration, len(s.dur)) // the longest path from the start of an op
	for place, op := range slices.Backward(s.inTime) {
		l.at[op] = int32(place)
		tail[op] += s.dur[op]
		for _, list := range [][]int32{s.order.Preds(op), s.needs.of(op)} {
			for _, u := range list {
				tail[u] = max(tail[u], tail[op])
				l.until[u] = max(l.until[u], int32(place))
			}
		}
	}
	l.sole = make([]bool, len(s.dur))
	last := schedule.None // of the critical ops so far, the one that ends last
	for _, op := range s.inTime {
		if s.table.Start[op]+tail[op] < s.table.Makespan {
			continue
		}
		l.sole[op] = true
		switch {
		case s.dur[op] == 0:
		case last == schedule.None || s.table.Start[op] >= s.table.End[last]:
			last = op
		default:
			l.sole[op], l.sole[last] = false, false
			if s.table.End[op] > s.table.End[last] {
				last = op
			}
		}
	}
}

// called finds the critical paths that go through what the calls impose alone.
func (l *slack) called(s *suspicion) {
	tail := make([]time.Duration, len(s.dur))
	for _, op := range slices.Backward(s.inTime) {
		tail[op] += s.dur[op]
		for _, u := range s.order.Preds(op) {
			tail[u] = max(tail[u], tail[op])
		}
	}
	var latest time.Duration
	for _, op := range s.inTime {
		if s.table.Start[op]+tail[op] == s.table.Makespan {
			latest = max(latest, s.table.End[op])
			l.critical, l.latest = append(l.critical, op), append(l.latest, latest)
		}
	}
}

// table makes what it takes to relax an order.
func (l *slack) table(s *suspicion) {
	l.start, l.end = slices.Clone(s.table.Start), slices.Clone(s.table.End)
	l.engines, l.ends = make([][]int32, len(s.in.Engines)), make([][]time.Duration, len(s.in.Engines))
	count := make([]int, len(s.in.Engines))
	for _, op := range s.inTime {
		count[s.in.Ops[op].On()]++
	}
	for e, n := range count {
		l.engines[e], l.ends[e] = make([]int32, 0, n), make([]time.Duration, 0, n)
	}
	for _, op := range s.inTime {
		e := s.in.Ops[op].On()
		end := s.table.End[op]
		if n := len(l.ends[e]); n > 0 {
			end = max(end, l.ends[e][n-1])
		}
		l.engines[e], l.ends[e] = append(l.engines[e], op), append(l.ends[e], end)
	}
}

// passes says whether a critical path does not rest on a call in which the host waits: one of its ops runs when the host
// goes on, or starts then and was issued before. A path through the calls alone is as long without that one; in one through
// the needs, an engine may take its ops in another order then.
func (l *slack) passes(s *suspicion, call int32) bool {
	if l.critical == nil {
		l.called(s)
	}
	var on time.Duration // when the host goes on
	for _, op := range s.order.Behind(call) {
		on = max(on, s.table.End[op])
	}
	if on == 0 {
		return true
	}
	i := sort.Search(len(l.critical), func(i int) bool { return s.table.Start[l.critical[i]] >= on })
	if i > 0 && l.latest[i-1] > on {
		return true
	}
	for ; i < len(l.critical) && s.table.Start[l.critical[i]] == on; i++ {
		if s.order.Call(l.critical[i]) < call {
			return true
		}
	}
	return false
}

// savesWith is by how much the schedule is shorter when op x waits for preds alone, and for what it needs. When x leaves
// the op before it in its stream, what comes next there follows that one.
func (s *suspicion) savesWith(x int32, preds []int32, leaves int32) time.Duration {
	l := s.slack()
	if !l.sole[x] {
		return 0
	}
	after := schedule.None
	if leaves != schedule.None {
		after = s.next(x)
	}
	saves := l.relax(s, x, append(slices.Clip(preds), s.needs.of(x)...), after, leaves)
	// Freed, x may also fit in before an op of its engine that only durations keep before it.
	loose := s.ordered(x, slices.Clip(preds))
	if len(loose) == len(preds)+len(s.needs.of(x)) {
		return saves
	}
	return max(saves, l.relax(s, x, loose, after, leaves))
}

// relax is by how much the schedule is shorter when x comes after the ops behind it alone, and what comes after x in its
// stream, unless it is None, after the op that x leaves in place of x. Where an engine would then be too full nothing is
// gained.
func (l *slack) relax(s *suspicion, x int32, behind []int32, after, leaves int32) time.Duration {
	var start time.Duration
	for _, u := range behind {
		start = max(start, s.table.End[u])
	}
	if start == s.table.Start[x] && !l.holds(s, x, after) {
		return 0
	}
	if l.engines == nil {
		l.table(s)
	}
	if l.crowds(s, x, start) {
		return 0
	}
	defer l.restore(s)
	l.propagate(s, x, start, after, leaves)
	makespan := time.Duration(0)
	for _, op := range s.inTime {
		makespan = max(makespan, l.end[op])
	}
	if s.visits += 2 * len(s.inTime); makespan >= s.table.Makespan || l.clashes(s) {
		return 0
	}
	return s.table.Makespan - makespan
}

// holds says whether every critical path goes from x, which is on all of them, to the op after it in its stream, for no
// other reason than that.
func (l *slack) holds(s *suspicion, x, after int32) bool {
	return after != schedule.None && l.sole[after] && s.table.Start[after] == s.table.End[x] && !slices.Contains(s.needs.of(after), x)
}

// crowds says whether x would find its engine full if it started at a time. Only ops that start before x ends at present
// can be there, and none of them moves with x.
func (l *slack) crowds(s *suspicion, x int32, start time.Duration) bool {
	end, e := start+s.dur[x], s.in.Ops[x].On()
	ops := l.engines[e]
	beside := l.all[:0]
	i := sort.Search(len(ops), func(i int) bool { return s.table.Start[ops[i]] >= end })
	for i--; i >= 0 && l.ends[e][i] > start; i-- {
		if ops[i] != x && s.table.End[ops[i]] > start {
			beside = append(beside, ops[i])
		}
		s.visits++
	}
	l.all = beside
	if len(beside) < int(s.in.Engines[e].Capacity) {
		return false
	}
	l.moved = append(l.moved, x)
	l.start[x], l.end[x] = start, end
	l.all = append(beside, x)
	slices.SortFunc(l.all, l.byStart)
	full := l.full(s, l.all)
	l.restore(s)
	return full
}

// propagate moves x, and then, in the order of time, what can start earlier for it.
func (l *slack) propagate(s *suspicion, x int32, start time.Duration, after, leaves int32) {
	last := l.at[x]
	move := func(op int32, start time.Duration) {
		if start < l.start[op] {
			l.start[op], l.end[op] = start, start+s.dur[op]
			l.moved = append(l.moved, op)
			last = max(last, l.until[op])
		}
	}
	move(x, start)
	if after != schedule.None {
		last = max(last, l.at[after])
	}
	for i := l.at[x] + 1; i <= last; i++ {
		op := s.inTime[i]
		start := time.Duration(0)
		for _, u := range s.order.Preds(op) {
			if op == after && u == x {
				u = leaves
			}
			start = max(start, l.end[u])
		}
		if op == after {
			start = max(start, l.end[leaves])
		}
		for _, u := range s.needs.of(op) {
			start = max(start, l.end[u])
		}
		move(op, start)
	}
	s.visits += int(last - l.at[x])
}

func (l *slack) restore(s *suspicion) {
	for _, op := range l.moved {
		l.start[op], l.end[op] = s.table.Start[op], s.table.End[op]
	}
	l.moved = l.moved[:0]
}

func (l *slack) byStart(a, b int32) int {
	return cmp.Or(cmp.Compare(l.start[a], l.start[b]), cmp.Compare(a, b))
}

// clashes says whether an engine is too full in the relaxed timetable. The ops that moved are sorted and merged with the
// others, which are in order.
func (l *slack) clashes(s *suspicion) bool {
	slices.SortFunc(l.moved, l.byStart)
	l.inTime = l.inTime[:0]
	k := 0
	for _, op := range s.inTime {
		for ; k < len(l.moved) && l.byStart(l.moved[k], op) < 0; k++ {
			l.inTime = append(l.inTime, l.moved[k])
		}
		if l.start[op] == s.table.Start[op] {
			l.inTime = append(l.inTime, op)
		}
	}
	l.inTime = append(l.inTime, l.moved[k:]...)
	return l.full(s, l.inTime)
}

// full says whether some of the ops, by their start, find their engine full.
func (l *slack) full(s *suspicion, ops []int32) (found bool) {
	timeline.EachClash(s.in, ops, l.start, l.end, func(timeline.Clash) bool {
		found = true
		return false
	})
	return found
}
