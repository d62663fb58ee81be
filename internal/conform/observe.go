package conform

import (
	"context"
	"fmt"
	"time"

	"github.com/gpu-overlap/overlap/gpu"
	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/timeline"
)

// Seen is what a device showed of a program, as far as it is compared. What is nil was not looked at.
type Seen struct {
	Codes    []schedule.Code // by call of the Body
	Issued   []time.Duration // likewise: when the host made it, on the clock of the spans
	Statuses [][]gpu.Status  // likewise: of every stream, after an error
	Graphs   []*graph.Graph  // likewise: what the end of a capture gave; nodes and edges in the order of the device
	Spans    []timeline.Span // by op: of its latest run
}

// See runs a program on a device: call by call when the device shows calls, as a repetition of its Body otherwise.
func See(ctx context.Context, dev gpu.Device, p *schedule.Program) (*Seen, error) {
	if tracer, ok := dev.(gpu.Tracer); ok {
		t, err := tracer.Trace(ctx, p)
		if err != nil {
			return nil, err
		}
		s := seenIn(t)
		if dev.Info().Exact {
			s.Issued = issued(t)
		}
		return s, nil
	}
	r, err := dev.Prepare(ctx, p)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	t, err := r.Rep(ctx)
	if err != nil {
		return nil, err
	}
	s := &Seen{Codes: t.Codes, Spans: t.Spans}
	if dev.Info().Exact {
		s.Issued = t.Issued
	}
	return s, nil
}

// Disagree runs a program on two devices: a line for each call on which they disagree, and for each rule that one of
// them breaks. slack is how far stamps may be off. An error is one of a device.
func Disagree(ctx context.Context, p *schedule.Program, a, b gpu.Device, slack time.Duration) (lines []string,
	err error) {
	seen := make([]*Seen, 2)
	for i, dev := range []gpu.Device{a, b} {
		if seen[i], err = See(ctx, dev, p); err != nil {
			return nil, fmt.Errorf("%s: %w", dev.Info().Name, err)
		}
		for _, fault := range Faults(p, seen[i], slack) {
			lines = append(lines, dev.Info().Name+": "+fault)
		}
	}
	return append(Compare(p, seen[0], seen[1]), lines...), nil
}

// seenIn is what a trace shows.
func seenIn(t *gpu.Trace) *Seen {
	s := &Seen{Spans: t.Spans, Codes: make([]schedule.Code, len(t.Steps)), Statuses: make([][]gpu.Status, len(t.Steps)),
		Graphs: make([]*graph.Graph, len(t.Steps))}
	for i := range t.Steps {
		step := &t.Steps[i]
		s.Codes[i], s.Statuses[i] = step.Code, step.Status
		if step.List != nil {
			s.Graphs[i] = &step.List.Graph
		}
	}
	return s
}

// issued says when the host made each call: it does nothing between two of them.
func issued(t *gpu.Trace) []time.Duration {
	at := make([]time.Duration, len(t.Steps)+1)
	for i := range t.Steps {
		at[i+1] = at[i] + t.Steps[i].Took
	}
	return at[:len(t.Steps)]
}
