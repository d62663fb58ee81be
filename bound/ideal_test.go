package bound

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/schedule"
)

func TestSerial(t *testing.T) {
	assert.Zero(t, Serial(nil))
	assert.Equal(t, 6*ms, Serial([]time.Duration{ms, 0, 5 * ms}))
}

// The closed forms of pipelines whose stages alternate between compute and link.
func TestPipelines(t *testing.T) {
	for _, c := range []struct {
		name                   string
		micro                  int
		stages                 []stage
		serial, ideal, optimal time.Duration
	}{
		{"reference", 2, alternating(4, 100*ms, 100*ms), 800 * ms, 500 * ms, 500 * ms},
		{"one micro-batch has nothing to hide under", 1, alternating(4, 100*ms, 100*ms), 400 * ms, 400 * ms, 400 * ms},
		{"three micro-batches", 3, alternating(4, 100*ms, 100*ms), 1200 * ms, 700 * ms, 700 * ms},
		{"four micro-batches", 4, alternating(4, 100*ms, 100*ms), 1600 * ms, 900 * ms, 900 * ms},
		{"six stages", 4, alternating(6, 100*ms, 100*ms), 2400 * ms, 1300 * ms, 1300 * ms},
		{"two stages", 5, alternating(2, 100*ms, 100*ms), 1000 * ms, 600 * ms, 600 * ms},
		{"compute-bound: links hide all but the last", 2, alternating(4, 100*ms, 30*ms), 520 * ms, 430 * ms, 430 * ms},
		{"comm-bound: the link is busy but for the first stage", 2, alternating(4, 30*ms, 100*ms), 520 * ms, 430 * ms,
			430 * ms},
		{"two independent computations share an engine", 2, []stage{{0, 100 * ms}}, 200 * ms, 200 * ms, 200 * ms},
		{"no micro-batch", 0, alternating(4, ms, ms), 0, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			in, dur := pipeline(c.micro, c.stages...)
			assert.Equal(t, c.serial, Serial(dur), "serial")
			assert.Equal(t, c.ideal, Ideal(in, dur), "ideal")
			best, ok := Optimal(in, dur)
			require.True(t, ok)
			assert.Equal(t, c.optimal, best, "optimal")
		})
	}
}

// m micro-batches over s equal stages that alternate need m*s/2 slots of the engine that starts, and one for the last.
func TestPipelineFormula(t *testing.T) {
	for m := 2; m <= 6; m++ {
		for s := 2; s <= 8; s += 2 {
			in, dur := pipeline(m, alternating(s, ms, ms)...)
			assert.Equal(t, time.Duration(m*s/2+1)*ms, Ideal(in, dur), "%d micro-batches, %d stages", m, s)
		}
	}
}

func TestOf(t *testing.T) {
	two := []schedule.Engine{{Name: "compute", Capacity: 1}, {Name: "link", Capacity: 1}}
	pair := []schedule.Engine{{Name: "compute", Capacity: 2}}
	for _, c := range []struct {
		name string
		in   *schedule.Intent
		dur  []time.Duration
		want Lower
		says string
	}{
		{"a path", ops(two, []int32{0, 1, 0}, [][]int32{nil, {0}, {1}}), []time.Duration{3, 4, 5},
			Lower{Bound: 12, Path: []int32{0, 1, 2}, Hops: 2}, "path A → B → C"},
		{"a path that points forward", ops(two, []int32{0, 1, 0}, [][]int32{{1}, {2}, nil}), []time.Duration{3, 4, 5},
			Lower{Bound: 12, Path: []int32{2, 1, 0}, Hops: 2}, "path C → B → A"},
		{"of equal paths the lowest ids", ops(two, []int32{0, 1, 1, 0}, [][]int32{nil, nil, {0}, {0}}),
			[]time.Duration{3, 1, 4, 4},
			Lower{Bound: 7, Path: []int32{0, 2}, Hops: 1}, "path A → C"},
		{"an engine behind a head", ops(two, []int32{0, 1, 1}, [][]int32{nil, {0}, {0}}), []time.Duration{3, 4, 5},
			Lower{Bound: 12, Engine: schedule.At(1), Head: 3, Work: 9, Hops: 2},
			"engine link: 3ns before, 9ns of work, 0s after"},
		{"an engine before a tail", ops(two, []int32{0, 0, 1}, [][]int32{nil, nil, {0, 1}}), []time.Duration{3, 4, 5},
			Lower{Bound: 12, Engine: schedule.At(0), Work: 7, Tail: 5, Hops: 2},
			"engine compute: 0s before, 7ns of work, 5ns after"},
		{"a path before an engine", ops(two, []int32{0, 0}, [][]int32{nil, {0}}), []time.Duration{3, 4},
			Lower{Bound: 7, Path: []int32{0, 1}, Hops: 1}, "path A → B"},
		{"capacity two, rounded up", ops(pair, []int32{0, 0, 0}, [][]int32{nil, nil, nil}), []time.Duration{3, 3, 3},
			Lower{Bound: 5, Engine: schedule.At(0), Work: 9, Hops: 1},
			"engine compute: 0s before, 9ns of work for 2 at once, 0s after"},
		{"no ops", &schedule.Intent{}, nil, Lower{}, "nothing"},
		{"no time", ops(two, []int32{0, 0}, [][]int32{nil, {0}}), []time.Duration{0, 0},
			Lower{Path: []int32{0}}, "path A"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Of(c.in, c.dur)
			assert.Equal(t, c.want, got)
			assert.Equal(t, c.says, got.Describe(c.in))
		})
	}
}

func TestDescribeAbridges(t *testing.T) {
	in, dur := pipeline(1, alternating(8, ms, ms)...)
	assert.Equal(t, "path A0 → B0 → C0 → D0 → E0 → F0 → G0 → H0", Of(in, dur).Describe(in))
	in, dur = pipeline(1, alternating(11, ms, ms)...)
	assert.Equal(t, "path A0 → B0 → C0 → D0 → E0 → F0 → G0 → … 3 more … → K0", Of(in, dur).Describe(in))
}

// A cycle must neither hang nor count, and what it does not hold back still does.
func TestCycle(t *testing.T) {
	one := []schedule.Engine{{Name: "compute", Capacity: 1}}
	for _, c := range []struct {
		name  string
		after [][]int32
		want  time.Duration
	}{
		{"of one op", [][]int32{{0}, nil, {1}}, 5},
		{"of two, with one behind", [][]int32{{1}, {0}, {1}}, 0},
		{"of two, behind one", [][]int32{{1}, {0, 2}, nil}, 4},
		{"none", [][]int32{nil, {0}, {1}}, 6},
	} {
		t.Run(c.name, func(t *testing.T) {
			in, dur := ops(one, []int32{0, 0, 0}, c.after), []time.Duration{1, 1, 4}
			assert.Equal(t, c.want, Ideal(in, dur))
			best, ok := Optimal(in, dur)
			if c.name == "none" {
				assert.True(t, ok)
				assert.Equal(t, c.want, best)
				return
			}
			assert.False(t, ok)
			assert.Zero(t, best)
		})
	}
}

func TestHeadsAndTails(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	for range 2000 {
		in, dur := randomIntent(r, 7, 2)
		net := networkOf(in, dur)
		for op := range int32(len(in.Ops)) {
			require.Equal(t, twinHead(in, dur, op), net.head[op], "head of %d in %+v %v", op, in, dur)
			require.Equal(t, twinTail(in, dur, op), net.tail[op], "tail of %d in %+v %v", op, in, dur)
		}
		require.Equal(t, twinLongestPath(in, dur), net.longest())
		checkPath(t, in, dur, net)
	}
}

// checkPath asserts that a longest path is a path and that it is as long as it says.
func checkPath(t *testing.T, in *schedule.Intent, dur []time.Duration, net *network) {
	t.Helper()
	var length time.Duration
	path := net.path()
	for i, op := range path {
		length += dur[op]
		if i > 0 {
			require.Contains(t, in.Ops[op].After, path[i-1])
		}
	}
	require.Equal(t, net.longest(), length)
}

// One engine against a simulation of Jackson's schedule and against Carlier's theorem, with heads and tails of any
// kind.
func TestExclusive(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 0))
	var m machine
	loose := 0
	for range 5000 {
		n := r.IntN(8)
		ops := make([]int32, n)
		cols := [3][]time.Duration{}
		for i := range n {
			ops[i] = int32(i)
			cols[0] = append(cols[0], time.Duration(1+r.IntN(5)))
			cols[1] = append(cols[1], time.Duration(r.IntN(10)))
			cols[2] = append(cols[2], time.Duration(r.IntN(10)))
		}
		dur, head, tail := cols[0], cols[1], cols[2]
		got := m.exclusive(ops, dur, head, tail)
		require.Equal(t, twinJackson(ops, dur, head, tail), got.bound, "%v", cols)
		require.Equal(t, twinSubsets(ops, dur, head, tail), got.bound, "%v", cols)
		require.Equal(t, got.bound, got.head+got.work+got.tail, "%v: reason %+v", cols, got)
		if n > 0 && shared(ops, 1, dur, head, tail).bound < got.bound {
			loose++
		}
	}
	assert.Greater(t, loose, 500, "the whole engine as one set must often be a worse bound, or the twins prove little")
}

// No schedule beats Ideal; and a bound that forgets the engines, or their heads and tails, is seen to be a worse one.
func TestIdealIsALowerBound(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 0))
	tight, paths, works := 0, 0, 0
	for range 1500 {
		in, dur := randomIntent(r, 6, 2)
		ideal, best := Ideal(in, dur), twinOptimal(in, dur)
		require.LessOrEqual(t, ideal, best, "%+v %v", in, dur)
		require.LessOrEqual(t, twinLongestPath(in, dur), ideal)
		if ideal == best {
			tight++
		}
		if twinLongestPath(in, dur) < ideal {
			paths++
		}
		if max(twinLongestPath(in, dur), busiest(in, dur)) < ideal {
			works++
		}
	}
	assert.Greater(t, tight, 1200)
	assert.Greater(t, paths, 300, "the longest path alone must often be worse")
	assert.Greater(t, works, 50, "the longest path and the busiest engine must sometimes be worse")
}

// busiest is the work of the busiest engine: a bound without heads and tails.
func busiest(in *schedule.Intent, dur []time.Duration) (most time.Duration) {
	work := make([]time.Duration, len(in.Engines))
	for i, op := range in.Ops {
		work[op.On()] += dur[i]
		most = max(most, work[op.On()]/time.Duration(in.Engines[op.On()].Capacity))
	}
	return most
}

func TestIdealSymmetries(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 0))
	for range 2000 {
		in, dur := randomIntent(r, 9, 2)
		ideal := Ideal(in, dur)
		require.Equal(t, ideal, Ideal(reversed(in), dur), "reversed: %+v %v", in, dur)
		other, otherDur := renamed(r, in, dur)
		require.Equal(t, ideal, Ideal(other, otherDur), "renamed: %+v %v", in, dur)
		for i := range dur {
			otherDur[i] = 3 * dur[i]
		}
		if in.Engines[0].Capacity == 1 { // scaled: a division that rounds up does not scale
			for e := range in.Engines {
				in.Engines[e].Capacity = 1
			}
			require.Equal(t, 3*Ideal(in, dur), Ideal(in, otherDur), "scaled: %+v %v", in, dur)
		}
	}
}

// Hops of a path, and of an engine with what is before and behind it.
func TestHops(t *testing.T) {
	const ms = time.Millisecond
	op := func(engine int32, d time.Duration, after ...int32) schedule.Op {
		return schedule.Op{Engine: schedule.At(engine), Dur: d, After: after}
	}
	for name, c := range map[string]struct {
		ops  []schedule.Op
		want int
	}{
		"nothing":   {nil, 0},
		"one":       {[]schedule.Op{op(0, ms)}, 0},
		"a path":    {[]schedule.Op{op(0, ms), op(1, ms, 0), op(0, ms, 1)}, 2},
		"an engine": {[]schedule.Op{op(0, ms), op(0, ms), op(0, ms)}, 2},
		"an engine with a head of two and a tail": {[]schedule.Op{op(1, ms), op(2, ms, 0), op(0, ms, 1), op(0, ms, 1),
			op(0, ms, 1), op(1, ms, 2, 3, 4)}, 2 + 2 + 1},
		"two at once": {[]schedule.Op{op(3, ms), op(3, ms), op(3, ms), op(3, ms)}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			in := &schedule.Intent{Ops: c.ops, Engines: []schedule.Engine{{Capacity: 1}, {Capacity: 1}, {Capacity: 1},
				{Capacity: 2}}}
			assert.Equal(t, c.want, Of(in, in.Durations()).Hops)
		})
	}
}
