package measure_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap"
	"github.com/gpu-overlap/overlap/gpu"
	"github.com/gpu-overlap/overlap/gpu/sim"
	"github.com/gpu-overlap/overlap/measure"
	"github.com/gpu-overlap/overlap/overlaptest"
	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/verdict"
)

// closing is a device that counts what is prepared on it, and on those that it gives, and not closed yet.
type closing struct {
	gpu.Device
	open *int
}

type closingRun struct {
	gpu.Run
	open *int
}

func (r closingRun) Close() error { *r.open--; return r.Run.Close() }

func (d closing) Prepare(ctx context.Context, p *schedule.Program) (gpu.Run, error) {
	run, err := d.Device.Prepare(ctx, p)
	*d.open++
	return closingRun{run, d.open}, err
}

func (d closing) Sample(ctx context.Context, runs []gpu.Run, reps int) ([][]gpu.Transcript, error) {
	own := make([]gpu.Run, len(runs))
	for i, r := range runs {
		own[i] = r.(closingRun).Run
	}
	return d.Device.Sample(ctx, own, reps)
}

func (d closing) WithEnv(ctx context.Context, env []string) (gpu.Device, error) {
	dev, err := d.Device.WithEnv(ctx, env)
	*d.open++
	return closing{dev, d.open}, err
}

func (d closing) Close() error { *d.open--; return d.Device.Close() }

// bench prepares a case of the suite.
func bench(t *testing.T, dev gpu.Device, name string) *measure.Bench {
	t.Helper()
	b, err := measure.Prepare(t.Context(), dev, overlaptest.Parse(t, "../testdata/cases/"+name+".txtar"))
	require.NoError(t, err)
	return b
}

// TestTwinsRunOnce: a twin is run once for what was measured, again after First, is evidence of eager alone, and is closed.
func TestTwinsRunOnce(t *testing.T) {
	open := 0
	noise := sim.H200
	noise.Noise = sim.Noise{Seed: 1, Duration: 0.01}
	for _, m := range []struct {
		machine sim.Machine
		reps    int
	}{{sim.Ideal, 1}, {noise, 15}} {
		b := bench(t, closing{sim.Open(m.machine), &open}, "fail_one_connection")
		for range 2 {
			require.NoError(t, b.First(0))
			assert.Empty(t, b.Samples(measure.Eager).Gated)
			assert.Empty(t, b.Samples(measure.Eager).Wide)
			for _, twin := range []func() (bool, error){b.RunGated, b.RunWide} {
				ran, err := twin()
				require.NoError(t, err)
				assert.True(t, ran)
				ran, err = twin()
				require.NoError(t, err)
				assert.False(t, ran, "it was run already")
			}
			eager, replay := b.Samples(measure.Eager), b.Samples(measure.Replay)
			assert.Len(t, eager.Gated, m.reps)
			assert.Len(t, eager.Wide, m.reps)
			assert.Less(t, eager.Wide[0], eager.Reps[0].Wall, "with more connections there is nothing in the way")
			assert.Empty(t, replay.Gated)
			assert.Empty(t, replay.Wide)
		}
		b.Close()
		assert.Zero(t, open, "all that was prepared is closed, and the device with more connections")
	}
}

// TestNoTwin: with as many connections as there can be there is no wider twin, and of a program with a timed part none.
func TestNoTwin(t *testing.T) {
	wide, err := sim.Open(sim.Ideal).WithEnv(t.Context(), []string{"CUDA_DEVICE_MAX_CONNECTIONS=32"})
	require.NoError(t, err)
	b := bench(t, wide, "reference_1ms")
	defer b.Close()
	require.NoError(t, b.First(1))
	ran, err := b.RunWide()
	require.NoError(t, err)
	assert.False(t, ran)

	timed := bench(t, sim.Open(sim.Ideal), "two_execs")
	defer timed.Close()
	require.NoError(t, timed.First(1))
	for _, twin := range []func() (bool, error){timed.RunGated, timed.RunWide} {
		ran, err := twin()
		require.NoError(t, err)
		assert.False(t, ran)
	}
}

// TestMore: as many blocks as would settle it, at least two, at most as many again, within the bounds; on a steady device
// none.
func TestMore(t *testing.T) {
	const first = 12 // blocks of two
	for name, c := range map[string]struct {
		needs int
		most  measure.Bounds
		want  int // blocks
	}{
		"not known":            {0, measure.Bounds{}, first},
		"one more":             {first + 1, measure.Bounds{}, 2},
		"five more":            {first + 5, measure.Bounds{}, 5},
		"fewer than there are": {6, measure.Bounds{}, 2},
		"many more":            {10_000, measure.Bounds{}, first},
		"repetitions":          {0, measure.Bounds{Reps: 2*first + 7}, 3},
		"none are left":        {0, measure.Bounds{Reps: 2*first + 1}, 0},
		"fewer than taken":     {0, measure.Bounds{Reps: 1}, 0},
		"no time is left":      {0, measure.Bounds{Time: 1}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			b := bench(t, noisy(sim.Noise{Seed: 1, Duration: 0.01}), "reference_1ms")
			defer b.Close()
			require.NoError(t, b.First(2*first))
			more, err := b.More(c.needs, c.most)
			require.NoError(t, err)
			assert.Equal(t, c.want > 0, more)
			_, _, reps, _ := b.Ran(measure.Eager)
			assert.Len(t, reps, 2*(first+c.want))
			samples := b.Samples(measure.Replay)
			assert.Len(t, samples.Reps, 2*(first+c.want))
			assert.Len(t, samples.Blocks, first+c.want)
			assert.Len(t, samples.Canary, first+c.want+1)
			assert.Len(t, samples.Giant, 2, "with the first block and the last of the first")
		})
	}
	long := bench(t, noisy(sim.Noise{Seed: 1, Duration: 0.01}), "reference_20us")
	defer long.Close()
	require.NoError(t, long.First(2*first))
	for more := true; more; {
		var err error
		more, err = long.More(0, measure.Bounds{Time: time.Hour})
		require.NoError(t, err)
	}
	_, _, all, _ := long.Ran(measure.Eager)
	assert.Len(t, all, 400, "at most 401, in blocks of two")

	b := bench(t, sim.Open(sim.Ideal), "reference_1ms")
	defer b.Close()
	require.NoError(t, b.First(3))
	more, err := b.More(0, measure.Bounds{})
	require.NoError(t, err)
	assert.False(t, more)
	_, _, reps, _ := b.Ran(measure.Eager)
	assert.Len(t, reps, 3)
}

// TestRunAsksTheTwins: what a twin confirms is said with what it took.
func TestRunAsksTheTwins(t *testing.T) {
	for name, want := range map[string]struct {
		cause verdict.Cause
		says  string
	}{
		"fail_slow_host":      {verdict.LaunchBound, "behind a gate, all of it issued before the first op starts, "},
		"fail_one_connection": {verdict.FalseDep, "with 32 connections it takes 1.8"},
	} {
		for _, m := range []sim.Machine{sim.Ideal, sim.H200} {
			c := overlaptest.Parse(t, "../testdata/cases/"+name+".txtar")
			twice, err := overlap.Repeat(t.Context(), sim.Open(m), c, overlap.Options{}, 2)
			require.NoError(t, err)
			for _, res := range twice {
				assert.Equal(t, want.cause, res.Eager.Verdict.Cause, "%s on %s", name, m.Name)
				assert.Contains(t, res.Eager.Verdict.Evidence, want.says, "%s on %s", name, m.Name)
			}
		}
	}
}

// TestRunTakesAsManyAsItNeeds: what a few more samples would settle is not given as many again.
func TestRunTakesAsManyAsItNeeds(t *testing.T) {
	s := overlap.ReferenceSchedule(time.Millisecond)
	for seed := range uint64(4) {
		dev := noisy(sim.Noise{Seed: seed, Duration: 0.03})
		res, err := overlap.Run(t.Context(), dev, noisyCase(&s, verdict.Target{Percent: 2, Of: verdict.OfIdeal}),
			overlap.Options{Reps: 12})
		require.NoError(t, err)
		assert.True(t, res.Verdict.Met(), "%s", res.Verdict)
		assert.Greater(t, len(res.Eager.Reps), 12)
		assert.Less(t, len(res.Eager.Reps), 24)
	}
}
