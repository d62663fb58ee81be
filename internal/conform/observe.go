package conform

import (
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

// SeenIn is what a trace shows.
func SeenIn(t *gpu.Trace) *Seen {
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

// SeenOf is what a repetition shows: no statuses and no graphs.
func SeenOf(t *gpu.Transcript) *Seen { return &Seen{Codes: t.Codes, Issued: t.Issued, Spans: t.Spans} }
