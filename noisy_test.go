package overlap_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/gpu-overlap/overlap/gpu"
	"github.com/gpu-overlap/overlap/gpu/sim"
	"github.com/gpu-overlap/overlap/schedule"
)

// noise is what disturbs a device: it changes how long ops take from repetition to repetition, and how long the host does.
type noise struct {
	Seed                   uint64
	Duration               float64       // standard deviation of an op's duration, as a share
	Drift                  float64       // of all durations: up and down by this share, as a sine
	Period                 time.Duration // of the sine, in the time that the device has run
	HostChance             float64       // by driver call, that it takes HostDelay longer
	HostDelay              time.Duration
	Foreign                float64 // the share by which ops take longer from ForeignFrom to ForeignTo
	ForeignFrom, ForeignTo time.Duration
}

// noisyDevice is machine h200 under noise. Its time goes on from repetition to repetition.
type noisyDevice struct {
	gpu.Device
	noise noise
	rand  *rand.Rand
	now   time.Duration
}

func noisy(n noise, now time.Duration) *noisyDevice {
	return &noisyDevice{sim.Open(sim.H200), n, rand.New(rand.NewPCG(n.Seed, 5)), now}
}

func (d *noisyDevice) Info() gpu.Info {
	i := d.Device.Info()
	i.Noisy = true
	return i
}

// Prepare gives the device ops of its own, whose durations change before each repetition.
func (d *noisyDevice) Prepare(ctx context.Context, p *schedule.Program) (gpu.Run, error) {
	own, in := *p, *p.Intent
	in.Ops, own.Intent = slices.Clone(in.Ops), &in
	run, err := d.Device.Prepare(ctx, &own)
	return &noisyRun{run, d, p, in.Ops}, err
}

func (d *noisyDevice) Sample(ctx context.Context, runs []gpu.Run, reps int) ([][]gpu.Transcript, error) {
	return gpu.Interleave(ctx, runs, reps)
}

type noisyRun struct {
	gpu.Run
	d       *noisyDevice
	program *schedule.Program // as it was given
	ops     []schedule.Op
}

func (r *noisyRun) Program() *schedule.Program { return r.program }

func (r *noisyRun) Rep(ctx context.Context) (gpu.Transcript, error) {
	n, level := &r.d.noise, 1.0
	if n.Period > 0 {
		level += n.Drift * math.Sin(2*math.Pi*float64(r.d.now)/float64(n.Period))
	}
	if n.ForeignFrom <= r.d.now && r.d.now < n.ForeignTo {
		level *= 1 + n.Foreign
	}
	for i, op := range r.program.Intent.Ops {
		r.ops[i].Dur = time.Duration(float64(op.Dur) * level * (1 + n.Duration*r.d.rand.NormFloat64()))
	}
	t, err := r.Run.Rep(ctx)
	for range t.Codes {
		if r.d.rand.Float64() < n.HostChance {
			t.Wall += n.HostDelay
		}
	}
	r.d.now += t.Wall
	return t, err
}
