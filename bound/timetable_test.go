package bound

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/internal/rules"
	"github.com/gpu-overlap/overlap/order"
	"github.com/gpu-overlap/overlap/schedule"
)

// reference issues the reference's schedule: two micro-batches on their own streams, fork and join, and at each stage
// the second waits for the first.
func reference() *schedule.Program {
	in, _ := pipeline(2, alternating(4, 100*ms, 100*ms)...)
	c := program(in, 3, 7)
	c.record(0, 0)
	c.wait(1, 0)
	c.wait(2, 0)
	for s := range int32(4) {
		c.launch(1, 2*s)
		c.record(1, 1+s)
		c.wait(2, 1+s)
		c.launch(2, 2*s+1)
	}
	for s := range int32(2) {
		c.record(1+s, 5+s)
		c.wait(0, 5+s)
	}
	return c.p
}

func TestScheduledReference(t *testing.T) {
	p := reference()
	got := Scheduled(order.Of(p), p.Intent.Durations())
	assert.Equal(t, Timetable{
		Start:    []time.Duration{0, 100 * ms, 100 * ms, 200 * ms, 200 * ms, 300 * ms, 300 * ms, 400 * ms},
		End:      []time.Duration{100 * ms, 200 * ms, 200 * ms, 300 * ms, 300 * ms, 400 * ms, 400 * ms, 500 * ms},
		Makespan: 500 * ms,
		Critical: []int32{0, 1, 3, 5, 7}, // ties to the lowest id: A1 before B0, and so on
	}, got)
	assert.Equal(t, 4, got.Hops())

	p.Body = p.Body[:len(p.Body)-5] // without the last op and the join
	got = Scheduled(order.Of(p), p.Intent.Durations())
	assert.Equal(t, 400*ms, got.Makespan)
	assert.Equal(t, []time.Duration{-1, -1}, []time.Duration{got.Start[7], got.End[7]}, "not issued")
}

func TestScheduledOfNothing(t *testing.T) {
	in, dur := pipeline(1, alternating(2, ms, ms)...)
	got := Scheduled(order.Of(program(in, 1, 0).p), dur)
	assert.Equal(t, Timetable{Start: []time.Duration{-1, -1}, End: []time.Duration{-1, -1}}, got)
	assert.Zero(t, got.Hops())

	c := program(in, 1, 0)
	c.launch(0, 0)
	c.launch(0, 1)
	got = Scheduled(order.Of(c.p), make([]time.Duration, 2))
	assert.Equal(t, []int32{0}, got.Critical, "both end at 0; the lowest id ends the path")
	assert.Zero(t, got.Hops())
}

// randomProgram issues the ops of a random intent in a topological order, on random streams, with random records and
// waits; about half of them impose the intended order.
func randomProgram(r *rand.Rand) (*schedule.Program, []time.Duration) {
	in, dur := randomIntent(r, 7, 2)
	streams := 1 + r.IntN(3)
	c := program(in, streams, len(in.Ops)+3)
	keep := r.IntN(2) == 0
	for _, op := range twinTopological(in) {
		s := int32(r.IntN(streams))
		for _, p := range in.Ops[op].After {
			if keep {
				c.wait(s, p)
			}
		}
		if r.IntN(3) == 0 {
			c.record(int32(r.IntN(streams)), int32(len(in.Ops)+r.IntN(3)))
			c.wait(int32(r.IntN(streams)), int32(len(in.Ops)+r.IntN(3)))
		}
		c.launch(s, op)
		c.record(s, op) // event op is recorded behind op
	}
	return c.p, dur
}

// twinRules goes by the rules of the calls, without package order.
func twinRules(p *schedule.Program, dur []time.Duration) []time.Duration {
	run := rules.Follow(p, nil)
	starts, _ := run.Timetable(dur)
	start := make([]time.Duration, len(dur))
	for i, w := range run.Works {
		start[w.Op] = starts[i]
	}
	return start
}

// twinRelax pushes starts up until every predecessor has ended.
func twinRelax(o *order.Order, dur []time.Duration) []time.Duration {
	start := make([]time.Duration, len(dur))
	for changed := true; changed; {
		changed = false
		for op := range dur {
			for _, p := range o.Preds(int32(op)) {
				if start[op] < start[p]+dur[p] {
					start[op], changed = start[p]+dur[p], true
				}
			}
		}
	}
	return start
}

func TestScheduledAgainstTwins(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 0))
	kept, better := 0, 0
	for range 2000 {
		p, dur := randomProgram(r)
		o := order.Of(p)
		got := Scheduled(o, dur)
		require.Equal(t, twinRules(p, dur), got.Start, "%+v %v", p, dur)
		require.Equal(t, twinRelax(o, dur), got.Start, "%+v %v", p, dur)
		checkCritical(t, o, got, dur)
		if !keeps(p.Intent, got) {
			continue
		}
		kept++
		best, ok := Optimal(p.Intent, dur)
		require.True(t, ok)
		require.LessOrEqual(t, best, got.Makespan, "%+v %v", p, dur)
		if best < got.Makespan {
			better++
		}
	}
	assert.Greater(t, kept, 500)
	assert.Less(t, kept, 1900, "some timetables must violate the intent")
	assert.Greater(t, better, 100)
}

// checkCritical asserts that the critical path has no gap and reaches from 0 to the makespan.
func checkCritical(t *testing.T, o *order.Order, got Timetable, dur []time.Duration) {
	t.Helper()
	now := time.Duration(0)
	for i, op := range got.Critical {
		require.Equal(t, now, got.Start[op], "critical path %v", got.Critical)
		if i > 0 {
			require.Contains(t, o.Preds(op), got.Critical[i-1])
		}
		now += dur[op]
	}
	require.Equal(t, got.Makespan, now)
	require.Equal(t, len(got.Critical)-1, got.Hops())
}

// keeps says whether a timetable keeps the intended order and the engines' capacities.
func keeps(in *schedule.Intent, t Timetable) bool {
	for i, op := range in.Ops {
		for _, p := range op.After {
			if t.End[p] > t.Start[i] {
				return false
			}
		}
		busy := int32(0) // when op starts: itself and the others that run then
		for j, other := range in.Ops {
			if other.On() == op.On() && t.Start[j] <= t.Start[i] && t.Start[i] < t.End[j] {
				busy++
			}
		}
		if t.Start[i] < t.End[i] && busy > in.Engines[op.On()].Capacity {
			return false
		}
	}
	return true
}
