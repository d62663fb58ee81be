// Package gpu defines a Device: what runs a schedule.Program and says what came back. There are two: gpu/sim, a
// simulation in virtual time, and, in a binary built with the tag gpu, the CUDA driver (OpenCUDA).
//
// All times of a transcript are integer nanoseconds as time.Duration, counted from the start of the repetition's Body;
// device times are counted from an arbitrary origin of the device's clock.
package gpu

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/timeline"
)

// Info says what a device is. It is printed first in every report.
type Info struct {
	Device    string // sim or cuda
	Name      string // the machine's or the GPU's name
	UUID      string // of a GPU, 32 hex digits; empty when simulated
	Driver    string // the driver's version, as "580.159.04 (CUDA 13.0)"; empty when simulated
	Simulated bool
	SMs       int
	// Exact says that virtual time has no costs and no noise: expectations are compared to the nanosecond.
	Exact bool
	// Noisy says of a simulated device that its times vary, so that several repetitions are needed, as of a GPU.
	Noisy bool
	// Connections is how many hardware queues the streams share (CUDA_DEVICE_MAX_CONNECTIONS); 0 when not known.
	Connections int
}

// Device prepares programs and runs them. It is used from one goroutine at a time.
type Device interface {
	Info() Info
	// Prepare runs the program's Setup. A driver call of the program that gives an unexpected code is not an error of
	// Prepare: it stands in Run.Setup. An error means that the device itself failed.
	Prepare(ctx context.Context, p *schedule.Program) (Run, error)
	// Sample runs reps repetitions of each run, interleaved forth and back (0 1 2, 2 1 0, …), and returns
	// transcripts by run and repetition. When ctx ends first, it gives the error of ctx.
	Sample(ctx context.Context, runs []Run, reps int) ([][]Transcript, error)
	// WithEnv gives another device like this one, in whose process the variables (NAME=value) were set before the driver
	// was first called. Both can be used in turn; the other must be closed before this one is.
	WithEnv(ctx context.Context, env []string) (Device, error)
	Close() error
}

// Run is a prepared program.
type Run interface {
	Program() *schedule.Program
	Setup() *Setup
	// Rep runs the Body once. It must not be called when Setup holds an unexpected code.
	Rep(ctx context.Context) (Transcript, error)
	Close() error
}

// Setup is what a program's Setup gave.
type Setup struct {
	Codes []schedule.Code // of each instruction of Program.Setup that was issued; it ends at the first unexpected one
	Graph *graph.Graph    // of the program's first graph: what was captured, nodes tied to ops; nil when none was
	// DOT is the driver's own dump, flags 0; nil when there is none. On a GPU it shows, around each copy, two kernels that
	// stamp for it, which Graph takes for one node with it.
	DOT    []byte
	DOTAll []byte // the same, verbose
}

// Transcript is what came back from one repetition.
type Transcript struct {
	Codes  []schedule.Code // of each instruction of the Body
	Issued []time.Duration // host time at which each instruction was issued
	Spans  []timeline.Span // by op id
	Wall   time.Duration   // from the start of the Body to the return of its last call
	Issue  time.Duration   // from the start of the Body to the return of its last call that does not block
	Clock  Clock           // between host times and device times
}

// Clock relates the times of the host to those of the device: what the host calls t, the device calls t + Offset, give
// or take Error. The zero value says that nothing is known.
type Clock struct {
	Offset, Error time.Duration
	Known         bool
}

// DeviceSpan is the time from the first start to the last end of the ops that ran on the device clock; 0 when none did.
func (t *Transcript) DeviceSpan() time.Duration {
	first, last := timeline.Extent(t.Spans)
	return last - first
}

// MostReps is how many repetitions Sample runs at most.
const MostReps = 1_000_000

// Interleave is Sample for a device whose runs are cheap to call one by one.
func Interleave(ctx context.Context, runs []Run, reps int) ([][]Transcript, error) {
	if reps < 1 || reps > MostReps || slices.Contains(runs, nil) {
		return nil, fmt.Errorf("%d repetitions of %d runs; want 1 to %d, of runs that Prepare gave", reps, len(runs), MostReps)
	}
	out := make([][]Transcript, len(runs))
	for i := range out {
		out[i] = make([]Transcript, 0, min(reps, 1024))
	}
	for rep := range reps {
		for i := range runs {
			if rep%2 == 1 {
				i = len(runs) - 1 - i
			}
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			t, err := runs[i].Rep(ctx)
			if err != nil {
				return nil, err
			}
			out[i] = append(out[i], t)
		}
	}
	return out, nil
}
