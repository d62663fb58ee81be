// Package overlap answers one question for people who overlap GPU work: does this schedule really overlap, in eager
// mode and when it is captured and replayed as a CUDA graph, and if not, why not? It answers with a test that passes or
// fails.
//
// A Case says what must happen (an intent) and how a host issues it (driver calls on streams, joined by events). Run
// runs it on a Device, giant, eager and replayed, interleaved with each op alone; Judge turns what came back into a
// Verdict: met, or the cause. A device is simulated in virtual time, or, in a binary built with the tag gpu, the CUDA
// driver. Everything after the device is a pure function of values.
//
// This package is the front door: it opens a device, reads a case, runs it and reports. It decides nothing. What it
// ties together is schedule (what is issued), measure (what came back) and judge (what that means). Package overlaptest
// makes subtests of a folder of cases.
//
// All durations are integer nanoseconds.
package overlap

import (
	"context"
	"embed"
	"fmt"
	"time"

	"github.com/gpu-overlap/overlap/gpu"
	"github.com/gpu-overlap/overlap/gpu/sim"
	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/schedule/text"
)

// Case is a parsed case file.
type Case = text.Case

// Cases holds the case files of this package, under testdata/cases.
//
//go:embed testdata/cases/*.txtar
var Cases embed.FS

// ReferenceFile is the reference experiment in Cases.
const ReferenceFile = "testdata/cases/reference.txtar"

// ParseCase reads a case. file is only used in messages. Errors carry file, line, the text with a caret, and what would
// be right.
func ParseCase(file string, data []byte) (*Case, error) { return text.ParseCase(file, data) }

// Reference is the reference experiment: two micro-batches, four stages of 100 ms, on two streams.
func Reference() (*Case, error) {
	data, err := Cases.ReadFile(ReferenceFile)
	if err != nil {
		return nil, err
	}
	return ParseCase(ReferenceFile, data)
}

// Kinds of devices.
const (
	Sim  = "sim"
	CUDA = "cuda"
)

// DefaultDevice is the device in hand: the GPU in a binary that was built with the tag gpu, else the simulated one.
func DefaultDevice() string {
	if gpu.Tagged {
		return CUDA
	}
	return Sim
}

// Open opens a device. machine names the simulated machine (ideal or h200) and is ignored for cuda. A device that
// cannot be used gives a *gpu.Unavailable.
func Open(ctx context.Context, device, machine string) (gpu.Device, error) {
	switch device {
	case Sim:
		m, err := sim.MachineNamed(machine)
		if err != nil {
			return nil, err
		}
		return sim.Open(m), nil
	case CUDA:
		return gpu.OpenCUDA(ctx, gpu.Options{})
	}
	return nil, fmt.Errorf("no device %q; there are %s and %s", device, Sim, CUDA)
}

// ReferenceSchedule is the reference's schedule with ops of the given duration, made of exact kernels.
func ReferenceSchedule(op time.Duration) schedule.Schedule {
	pl := schedule.Pipeline{Micro: 2, Engines: schedule.DefaultEngines()}
	for range 2 {
		pl.Stages = append(pl.Stages, schedule.Stage{Kind: schedule.Computation,
			Engine: schedule.At(int32(schedule.Computation)), Dur: op},
			schedule.Stage{Kind: schedule.Communication, Engine: schedule.At(int32(schedule.Communication)), Dur: op})
	}
	return pl.Schedule("reference", ReferenceFile)
}
