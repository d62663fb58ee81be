package calibrate

import (
	"context"
	"fmt"
	"time"

	"github.com/gpu-overlap/overlap/gpu"
	"github.com/gpu-overlap/overlap/schedule"
)

// Measurements are what the microbenchmarks gave on one device: raw, so that they can be fitted again.
type Measurements struct {
	Date    string    `json:"date"`
	Device  string    `json:"device"`
	Driver  string    `json:"driver"`
	SMs     int       `json:"sms"`
	Given   []Given   `json:"given,omitempty"`
	Samples []Samples `json:"benches"`
}

// Given is a constant that another measurement of the same device gave. It counts where its benchmark was not run.
type Given struct {
	Name  string        `json:"name"`
	Value time.Duration `json:"value"`
	From  string        `json:"from"`
}

// Samples are the repetitions of one benchmark. Times are in nanoseconds.
type Samples struct {
	Bench string `json:"bench"`
	Reps  []Rep  `json:"reps"`
}

// Rep is one repetition: what a gpu.Transcript holds, by name of the field.
type Rep struct {
	Wall   time.Duration   `json:"wall"`
	Issued []time.Duration `json:"issued"`
	Start  []time.Duration `json:"start"`
	End    []time.Duration `json:"end"`
	Offset time.Duration   `json:"offset"`
	Error  time.Duration   `json:"error"`
	Known  bool            `json:"known"`
}

func repOf(t *gpu.Transcript) Rep {
	r := Rep{Wall: t.Wall, Issued: t.Issued, Offset: t.Clock.Offset, Error: t.Clock.Error, Known: t.Clock.Known}
	for _, s := range t.Spans {
		r.Start, r.End = append(r.Start, s.Start), append(r.End, s.End)
	}
	return r
}

const (
	// rounds are passed forth and back, so that what drifts meets all benchmarks alike.
	rounds = 3
	// warmReps are run and not counted after programs are prepared.
	warmReps = 5
)

// Measure runs the benchmarks, at least reps repetitions of each. One at a time is prepared: idle streams cost too.
func Measure(ctx context.Context, dev gpu.Device, reps int) (*Measurements, error) {
	list, err := Benches()
	if err != nil {
		return nil, err
	}
	info := dev.Info()
	m := &Measurements{Device: info.Name, Driver: info.Driver, SMs: info.SMs, Samples: make([]Samples, len(list))}
	for i := range list {
		m.Samples[i].Bench = list[i].Name
	}
	for round := range rounds {
		for i := range list {
			if round%2 == 1 {
				i = len(list) - 1 - i
			}
			got, err := sample(ctx, dev, []*schedule.Program{list[i].Program}, (reps+rounds-1)/rounds)
			if err != nil {
				return nil, err
			}
			for k := range got[0] {
				m.Samples[i].Reps = append(m.Samples[i].Reps, repOf(&got[0][k]))
			}
		}
	}
	return m, nil
}

// sample prepares programs, runs them in turn, and closes them. A call that gives another code than it should is an
// error.
func sample(ctx context.Context, dev gpu.Device, programs []*schedule.Program, reps int) ([][]gpu.Transcript, error) {
	var runs []gpu.Run
	defer func() {
		for _, r := range runs {
			r.Close()
		}
	}()
	for _, p := range programs {
		run, err := dev.Prepare(ctx, p)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.Name, err)
		}
		runs = append(runs, run)
		if err := gpu.Check(p, p.Setup, run.Setup().Codes); err != nil {
			return nil, fmt.Errorf("%s: %w", p.Name, err)
		}
	}
	if _, err := dev.Sample(ctx, runs, warmReps); err != nil {
		return nil, err
	}
	got, err := dev.Sample(ctx, runs, reps)
	if err != nil {
		return nil, err
	}
	for i, p := range programs {
		for k := range got[i] {
			if err := gpu.Check(p, p.Body, got[i][k].Codes); err != nil {
				return nil, fmt.Errorf("%s: repetition %d: %w", p.Name, k+1, err)
			}
		}
	}
	return got, nil
}
