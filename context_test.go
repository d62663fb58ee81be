package overlap

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/gpu/sim"
	"github.com/gpu-overlap/overlap/measure"
	"github.com/gpu-overlap/overlap/schedule"
)

// What takes a context ends within a second after it.
func TestContextsAreHeeded(t *testing.T) {
	c, err := Reference()
	require.NoError(t, err)
	large := schedule.Pipeline{Micro: 4, Repeat: 25_000, Stages: []schedule.Stage{{Dur: 1}, {Kind: schedule.Communication, Dur: 1}}}
	largeCase := &Case{Name: "large", Schedule: large.Schedule("large", "")}
	noisy := sim.H200
	noisy.Noise = sim.Noise{Duration: 0.3}
	for name, run := range map[string]func(ctx context.Context) error{
		"many repetitions": func(ctx context.Context) error {
			_, err := Run(ctx, sim.Open(sim.Ideal), c, Options{Reps: 1_000_000})
			return err
		},
		"many times": func(ctx context.Context) error {
			_, err := Repeat(ctx, sim.Open(sim.Ideal), c, Options{}, 1_000_000)
			return err
		},
		"many blocks": func(ctx context.Context) error {
			_, err := Run(ctx, sim.Open(noisy), c, Options{Reps: 1_000_000, MaxReps: 1_000_000, MaxTime: 1e18})
			return err
		},
		"a large case": func(ctx context.Context) error {
			_, err := Run(ctx, sim.Open(sim.H200), largeCase, Options{Reps: 1000})
			return err
		},
		"costs": func(ctx context.Context) error {
			_, err := measure.CostsOf(ctx, sim.Open(sim.H200), true, 1_000_000)
			return err
		},
	} {
		for _, after := range []time.Duration{0, 20 * time.Millisecond} {
			ctx, cancel := context.WithTimeout(t.Context(), after)
			start := time.Now()
			err := run(ctx)
			took := time.Since(start)
			cancel()
			assert.ErrorIs(t, err, context.DeadlineExceeded, "%s, %v", name, after)
			assert.Less(t, took, after+time.Second, "%s, %v", name, after)
		}
	}
}
