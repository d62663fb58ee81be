package sim

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/gpu"
	"github.com/gpu-overlap/overlap/schedule"
)

func noisy(n Noise) Machine {
	m := Ideal
	m.Noise = n
	return m
}

// walls are the wall times of repetitions in ns.
func walls(t *testing.T, d gpu.Device, reps int, programs ...*schedule.Program) [][]time.Duration {
	var runs []gpu.Run
	for _, p := range programs {
		r, err := d.Prepare(t.Context(), p)
		require.NoError(t, err)
		runs = append(runs, r)
	}
	samples, err := d.Sample(t.Context(), runs, reps)
	require.NoError(t, err)
	out := make([][]time.Duration, len(samples))
	for i, trs := range samples {
		for _, tr := range trs {
			out[i] = append(out[i], tr.Wall)
		}
	}
	return out
}

func TestNoiseInfo(t *testing.T) {
	for _, row := range []struct {
		n     Noise
		noisy bool
	}{{Noise{}, false}, {Noise{Seed: 3}, false}, {Noise{Duration: 0.01}, true},
		{Noise{Foreign: 1, ForeignTo: 1}, true}} {
		info := Open(noisy(row.n)).Info()
		assert.Equal(t, row.noisy, info.Noisy)
		assert.Equal(t, !row.noisy, info.Exact)
		assert.True(t, info.Simulated)
	}
}

// sin(2π·n/4) is 0, 1, 0, -1: counted over all runs, which go 0 1, 1 0, 0 1, 1 0.
func TestDrift(t *testing.T) {
	p, q := program(t, "", "K s0 1000ns; Ctx"), program(t, "", "K s0 2000ns; Ctx")
	d := Open(noisy(Noise{Drift: 0.1, Period: 4}))
	assert.Equal(t, [][]time.Duration{{1000, 900, 1000, 900}, {2200, 2000, 2200, 2000}}, walls(t, d, 4, p, q))
	other, err := d.WithEnv(t.Context(), []string{"CUDA_LAUNCH_BLOCKING=0"})
	require.NoError(t, err)
	assert.Equal(t, [][]time.Duration{{1000, 1100}}, walls(t, other, 2, p), "another device counts by itself")
	assert.Equal(t, [][]time.Duration{{1000, 1100}}, walls(t, d, 2, p))
	assert.Equal(t, [][]time.Duration{{1000, 1000}}, walls(t, Open(noisy(Noise{Drift: 0.1})), 2, p),
		"no period, no drift")
}

func TestForeign(t *testing.T) {
	p := program(t, "", "K s0 1000ns; HD s1 1000ns; H s2 1000ns; Ctx")
	d := Open(noisy(Noise{Foreign: 0.5, ForeignFrom: 1, ForeignTo: 3}))
	assert.Equal(t, [][]time.Duration{{1000, 1500, 1500, 1000}}, walls(t, d, 4, p))
	assert.Equal(t, "0-1000 0-1000 0-1000 | 1000", timetable(t,
		noisy(Noise{Foreign: 0.5, ForeignFrom: 1, ForeignTo: 3}), p))
	assert.Equal(t, "0-1500 0-1000 0-1000 | 1500", timetable(t, noisy(Noise{Foreign: 0.5, ForeignTo: 3}), p))
}

func TestNoisyDurations(t *testing.T) {
	p := program(t, "", strings.Repeat("K s0 100000ns;", 200)+"Ctx")
	r := prepared(t, noisy(Noise{Seed: 1, Duration: 0.02}), p)
	sum, squares, n := 0.0, 0.0, 0.0
	for range 20 {
		tr, err := r.Rep(t.Context())
		require.NoError(t, err)
		for _, s := range tr.Spans {
			x := float64(s.End-s.Start)/100000 - 1
			sum, squares, n = sum+x, squares+x*x, n+1
		}
	}
	assert.InDelta(t, 0, sum/n, 0.001) // three standard errors of 4000 draws
	assert.InDelta(t, 0.02, math.Sqrt(squares/n), 0.001)
	for range 10 { // however wide, an op takes time
		for _, s := range rep(t, noisy(Noise{Seed: 1, Duration: 5}), p).Spans {
			assert.GreaterOrEqual(t, s.End-s.Start, time.Duration(5000))
		}
	}
}

func TestNoisyHost(t *testing.T) {
	p := program(t, "", strings.Repeat("R e s0;", 4000))
	r := prepared(t, noisy(Noise{Seed: 1, HostChance: 0.25, HostDelay: 1000}), p)
	tr, err := r.Rep(t.Context())
	require.NoError(t, err)
	delayed, last := 0, time.Duration(0)
	for _, at := range tr.Issued {
		if at > last {
			delayed++
		}
		assert.LessOrEqual(t, at-last, time.Duration(1000))
		last = at
	}
	assert.InDelta(t, 1000, delayed, 90) // three standard deviations
	assert.InDelta(t, 500, float64(tr.Wall)/float64(delayed), 30)
	assert.Zero(t, rep(t, noisy(Noise{Seed: 1, HostChance: 0.25}), p).Wall)
	assert.Zero(t, rep(t, noisy(Noise{Seed: 1, HostDelay: 1000}), p).Wall)
}

// A repetition depends on the seed and its number alone.
func TestNoiseIsDeterministic(t *testing.T) {
	p := program(t, "", "K s0 100000ns; K s0 100000ns; K s1 100000ns; Ctx")
	n := Noise{Seed: 7, Duration: 0.02, HostChance: 0.5, HostDelay: 500}
	first := walls(t, Open(noisy(n)), 5, p)[0]
	assert.Equal(t, first, walls(t, Open(noisy(n)), 5, p)[0])
	assert.Len(t, distinct(first), 5)
	both := walls(t, Open(noisy(n)), 2, p, p) // repetitions 0 and 3, 1 and 2
	assert.Equal(t, [][]time.Duration{{first[0], first[3]}, {first[1], first[2]}}, both)
	n.Seed++
	assert.NotEqual(t, first, walls(t, Open(noisy(n)), 5, p)[0])
}

func distinct(all []time.Duration) map[time.Duration]bool {
	set := map[time.Duration]bool{}
	for _, x := range all {
		set[x] = true
	}
	return set
}

// A Setup is not noisy: what it does is the same each time.
func TestNoNoiseInSetup(t *testing.T) {
	p := program(t, "K s0 100000ns; Bg s1; K s1 1000ns; End s1 g; Inst g", "GL g s1; Ctx")
	m := noisy(Noise{Foreign: 1, ForeignTo: 1})
	assert.Equal(t, 2*time.Microsecond, rep(t, m, p).Wall)
	r := prepared(t, m, p).(*run)
	assert.Equal(t, 100*time.Microsecond, r.host.chip.Drain())
}

func TestNoiseAllocatesNothing(t *testing.T) {
	m := noisy(Noise{Seed: 7, Duration: 0.02, Drift: 0.1, Period: 9, HostChance: 0.5, HostDelay: 500})
	assert.LessOrEqual(t, allocations(t, m, busy(1000)), 5.0)
}
