package measure_test

import (
	"context"
	"time"

	"github.com/gpu-overlap/overlap/gpu"
	"github.com/gpu-overlap/overlap/gpu/sim"
)

// counted is a device that counts what it has run.
type counted struct {
	gpu.Device
	reps int
	took time.Duration // wall times
}

func (d *counted) Sample(ctx context.Context, runs []gpu.Run, reps int) ([][]gpu.Transcript, error) {
	got, err := d.Device.Sample(ctx, runs, reps)
	for _, of := range got {
		d.reps += len(of)
		for i := range of {
			d.took += of[i].Wall
		}
	}
	return got, err
}

// noisy is machine h200 under noise.
func noisy(n sim.Noise) *counted {
	m := sim.H200
	m.Noise = n
	return &counted{Device: sim.Open(m)}
}
