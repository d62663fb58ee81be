package timeline

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/schedule"
)

// Three quarters of the reference's communication lie under computation: the last op has nothing above it.
func TestHiddenReference(t *testing.T) {
	in := &schedule.Intent{Engines: make([]schedule.Engine, 2)}
	var spans []Span
	for _, l := range reference(100 * ms).Lanes {
		for _, b := range l.Bars {
			in.Ops = append(in.Ops, schedule.Op{Name: b.Name, Kind: b.Kind, Engine: schedule.At(b.Engine)})
			spans = append(spans, Span{Start: b.Start, End: b.End, Ran: true})
		}
	}
	is := func(k schedule.Kind) func(int32) bool { return func(op int32) bool { return in.Ops[op].Kind == k } }
	hidden, total := Hidden(in, spans, is(schedule.Communication), is(schedule.Computation))
	assert.Equal(t, []time.Duration{300 * ms, 400 * ms}, []time.Duration{hidden, total})
	hidden, total = Hidden(in, spans, is(schedule.Communication), is(schedule.Communication))
	assert.Equal(t, []time.Duration{0, 400 * ms}, []time.Duration{hidden, total}, "an engine hides nothing of itself")
	hidden, total = Hidden(in, spans, is(schedule.Host), is(schedule.Computation))
	assert.Zero(t, hidden+total)
	hidden, total = Hidden(in, nil, is(schedule.Computation), is(schedule.Computation))
	assert.Zero(t, hidden+total)
}

// hiddenSlowly looks at each nanosecond of each op.
func hiddenSlowly(in *schedule.Intent, spans []Span, of, under func(int32) bool) (hidden, total time.Duration) {
	for i, a := range spans {
		if !of(int32(i)) || !measured(a) {
			continue
		}
		for at := a.Start; at < a.End; at++ {
			total++
			for j, b := range spans {
				if under(int32(j)) && measured(b) && in.Ops[i].On() != in.Ops[j].On() && b.Start <= at && at < b.End {
					hidden++
					break
				}
			}
		}
	}
	return hidden, total
}

func TestHiddenAgreesWithSlow(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	seen := map[bool]int{}
	for range 5000 {
		in, spans := randomRun(r)
		a, b := r.Uint32(), r.Uint32() // any sets, also overlapping ones
		of := func(op int32) bool { return a>>op&1 == 1 }
		under := func(op int32) bool { return b>>op&1 == 1 }
		hidden, total := Hidden(in, spans, of, under)
		slowHidden, slowTotal := hiddenSlowly(in, spans, of, under)
		require.Equal(t, []time.Duration{slowHidden, slowTotal}, []time.Duration{hidden, total})
		require.LessOrEqual(t, hidden, total)
		seen[hidden > 0]++

		// What is hidden is conserved: two halves of the ops measured apart add up to all of them.
		h1, t1 := Hidden(in, spans, func(op int32) bool { return of(op) && op < 4 }, under)
		h2, t2 := Hidden(in, spans, func(op int32) bool { return of(op) && op >= 4 }, under)
		require.Equal(t, []time.Duration{hidden, total}, []time.Duration{h1 + h2, t1 + t2})

		// With one engine on either side, each hides as much of the other as the other of it when neither overlaps
		// itself.
		e0 := func(op int32) bool { return in.Ops[op].On() == 0 }
		e1 := func(op int32) bool { return in.Ops[op].On() == 1 }
		if serial(in, spans) {
			h01, _ := Hidden(in, spans, e0, e1)
			h10, _ := Hidden(in, spans, e1, e0)
			require.Equal(t, h01, h10)
		}
	}
	assert.Greater(t, seen[true], 500)
	assert.Greater(t, seen[false], 500)
}

// serial says that no engine has two ops at once.
func serial(in *schedule.Intent, spans []Span) bool {
	for i, a := range spans {
		for j, b := range spans[:i] {
			if measured(a) && measured(b) && in.Ops[i].On() == in.Ops[j].On() &&
				max(a.Start, b.Start) < min(a.End, b.End) {
				return false
			}
		}
	}
	return true
}

func TestClashes(t *testing.T) {
	in := &schedule.Intent{
		Engines: []schedule.Engine{{Name: "one", Capacity: 1}, {Name: "two", Capacity: 2}},
		Ops: []schedule.Op{{Engine: schedule.At(0)}, {Engine: schedule.At(0)}, {Engine: schedule.At(0)},
			{Engine: schedule.At(1)}, {Engine: schedule.At(1)}, {Engine: schedule.At(1)}},
	}
	start, end := []time.Duration{0, 10, 30, 0, 5, 10}, []time.Duration{10, 30, 40, 20, 10, 30}
	assert.Empty(t, Clashes(in, start, end), "ends that meet starts do not clash; two fit on two")

	start[1], start[5] = 9, 7
	assert.Equal(t, []Clash{{1, 3, 5, 7, 20}, {0, 0, 1, 9, 10}}, Clashes(in, start, end))
	start[2] = 5
	assert.Equal(t, []Clash{{0, 0, 2, 5, 10}, {1, 3, 5, 7, 20}, {0, 2, 1, 9, 30}}, Clashes(in, start, end))
}

// clashesSlowly compares every op with all that started before it.
func clashesSlowly(in *schedule.Intent, start, end []time.Duration) (clashes []Clash) {
	for op := range start {
		var with []int32 // running when op starts
		for o := range start {
			earlier := start[o] < start[op] || start[o] == start[op] && o < op
			if earlier && start[op] < end[o] && start[o] < end[o] && in.Ops[o].On() == in.Ops[op].On() {
				with = append(with, int32(o))
			}
		}
		if start[op] < end[op] && len(with) >= int(in.Engines[in.Ops[op].On()].Capacity) {
			last := slices.MaxFunc(with, func(a, b int32) int {
				return cmp.Or(cmp.Compare(end[a], end[b]), cmp.Compare(start[b], start[a]), cmp.Compare(b, a))
			})
			clashes = append(clashes, Clash{in.Ops[op].On(), last, int32(op), start[op], min(end[op], end[last])})
		}
	}
	slices.SortStableFunc(clashes,
		func(a, b Clash) int { return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.Op, b.Op)) })
	return clashes
}

func TestClashesAgreeWithSlow(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	clashed := 0
	for range 5000 {
		in, spans := randomRun(r)
		start, end := make([]time.Duration, len(spans)), make([]time.Duration, len(spans))
		for i, s := range spans {
			start[i], end[i] = s.Start, s.End
		}
		got := Clashes(in, start, end)
		require.Equal(t, clashesSlowly(in, start, end), got)
		if len(got) > 0 {
			clashed++
		}
	}
	assert.Greater(t, clashed, 500)
	assert.Less(t, clashed, 4500)
}
