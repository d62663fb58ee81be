package bound

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/schedule"
)

func TestOptimalAgainstTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 0))
	above, listed := 0, 0
	for range 6000 {
		in, dur := randomIntent(r, 6, 2)
		want := twinOptimal(in, dur)
		got, ok := Optimal(in, dur)
		require.True(t, ok)
		require.Equal(t, want, got, "%+v %v", in, dur)
		if want > Ideal(in, dur) {
			above++
		}
		if newSearch(in, dur).list() > want {
			listed++
		}
	}
	assert.Greater(t, above, 10, "Ideal alone must not do for Optimal")
	assert.Greater(t, listed, 20, "the schedule to begin with must not do for Optimal")
}

// Beyond the twin's reach: a schedule read backwards, or with other ids, needs the same time, though the search
// differs.
func TestOptimalSymmetries(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 0))
	for range 500 {
		in, dur := randomIntent(r, 10, 3)
		best, ok := Optimal(in, dur)
		require.True(t, ok)
		require.LessOrEqual(t, Ideal(in, dur), best)
		require.LessOrEqual(t, best, Serial(dur))
		back, ok := Optimal(reversed(in), dur)
		require.True(t, ok)
		require.Equal(t, best, back, "reversed: %+v %v", in, dur)
		other, otherDur := renamed(r, in, dur)
		again, ok := Optimal(other, otherDur)
		require.True(t, ok)
		require.Equal(t, best, again, "renamed: %+v %v", in, dur)
	}
}

// The compute engine has 6 to do in 6, but A would have to be interrupted for C: idling until C is ready costs 1, and
// not idling, as the schedule to begin with does, costs 4.
func TestOptimalAboveIdeal(t *testing.T) {
	in := ops([]schedule.Engine{{Name: "compute", Capacity: 1}, {Name: "link", Capacity: 1}},
		[]int32{0, 1, 0, 1}, [][]int32{nil, nil, {1}, {2}})
	dur := []time.Duration{5, 1, 1, 4}
	assert.Equal(t, time.Duration(6), Ideal(in, dur))
	assert.Equal(t, time.Duration(10), newSearch(in, dur).list())
	best, ok := Optimal(in, dur)
	assert.True(t, ok)
	assert.Equal(t, time.Duration(7), best)
}

func TestOptimalCapacity(t *testing.T) {
	for _, c := range []struct {
		capacity int32
		want     time.Duration
	}{{1, 12}, {2, 7}, {3, 5}, {4, 5}, {1 << 30, 5}} {
		in := ops([]schedule.Engine{{Name: "e", Capacity: c.capacity}}, []int32{0, 0, 0, 0}, make([][]int32, 4))
		best, ok := Optimal(in, []time.Duration{2, 2, 3, 5})
		assert.True(t, ok)
		assert.Equal(t, c.want, best, "capacity %d", c.capacity)
	}
}

func TestOptimalGivesUp(t *testing.T) {
	in, dur := pipeline(MaxOptimalOps/4, alternating(4, ms, ms)...)
	_, ok := Optimal(in, dur)
	assert.True(t, ok, "at the limit")
	in, dur = pipeline(MaxOptimalOps+1, alternating(1, ms, ms)...)
	best, ok := Optimal(in, dur)
	assert.False(t, ok, "above the limit")
	assert.Zero(t, best)
}

// A state is skipped only when a state with the same ops placed, seen before, leaves at least as much room everywhere.
func TestDominated(t *testing.T) {
	two := []schedule.Engine{{Name: "compute", Capacity: 2}, {Name: "link", Capacity: 1}}
	in := ops(two, []int32{0, 0, 0, 0, 1, 1}, [][]int32{nil, nil, nil, nil, nil, {4}})
	for _, c := range []struct {
		name   string
		change func(*state)
		want   bool
	}{
		{"the same", func(*state) {}, true},
		{"ends later", func(t *state) { t.end++ }, true},
		{"ends earlier", func(t *state) { t.end-- }, false},
		{"second slot free later", func(t *state) { t.free[1]++ }, true},
		{"second slot free earlier", func(t *state) { t.free[1]-- }, false},
		{"an op ready later", func(t *state) { t.ready[5]++ }, true},
		{"an op ready earlier", func(t *state) { t.ready[5]--; t.free[2]-- }, false},
		{"later and earlier", func(t *state) { t.free[1]++; t.end-- }, false},
		{"another op placed", func(t *state) { t.done ^= 1<<1 | 1<<2 }, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSearch(in, []time.Duration{2, 4, 4, 3, 3, 1})
			seen := s.root()
			for _, op := range []int32{0, 1, 4} {
				s.place(&seen, op)
			}
			s.bound(&seen)
			require.False(t, s.dominated(&seen))
			c.change(&seen)
			s.bound(&seen)
			assert.Equal(t, c.want, s.dominated(&seen))
		})
	}
}

// At the most ops, most searches end within the budget; some do not, say so, and say so again.
func TestOptimalBudget(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 0))
	found, above, gaveUp := 0, 0, 0
	for range 300 {
		in, dur := largeIntent(r)
		best, ok := Optimal(in, dur)
		again, okAgain := Optimal(in, dur)
		require.Equal(t, ok, okAgain)
		require.Equal(t, best, again)
		if !ok {
			gaveUp++
			require.Zero(t, best)
			continue
		}
		found++
		require.LessOrEqual(t, Ideal(in, dur), best)
		require.LessOrEqual(t, best, newSearch(in, dur).list())
		if back, ok := Optimal(reversed(in), dur); ok {
			require.Equal(t, best, back, "reversed: %+v %v", in, dur)
		}
		if best > Ideal(in, dur) {
			above++
		}
	}
	assert.Greater(t, found, 297, "the bounds and the skipped states must keep the search small")
	assert.Greater(t, above, 30)
	assert.Greater(t, gaveUp, 0, "the budget was never reached")
}

// largeIntent has MaxOptimalOps ops on 1 to 3 engines of capacity 1 or 2.
func largeIntent(r *rand.Rand) (*schedule.Intent, []time.Duration) {
	in := &schedule.Intent{Ops: make([]schedule.Op, MaxOptimalOps)}
	for range 1 + r.IntN(3) {
		in.Engines = append(in.Engines, schedule.Engine{Capacity: int32(1 + r.IntN(2))})
	}
	dur := make([]time.Duration, MaxOptimalOps)
	density := r.Float64() * 0.4
	for i := range in.Ops {
		dur[i] = time.Duration(1 + r.IntN(20))
		in.Ops[i].Engine = schedule.At(int32(r.IntN(len(in.Engines))))
		for p := range i {
			if r.Float64() < density {
				in.Ops[i].After = append(in.Ops[i].After, int32(p))
			}
		}
	}
	return in, dur
}
