package conform

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/gpu"
	"github.com/gpu-overlap/overlap/gpu/sim"
	"github.com/gpu-overlap/overlap/schedule"
)

// tracer shows what a repetition shows, call by call.
type tracer struct{ gpu.Device }

func (d tracer) Trace(ctx context.Context, p *schedule.Program) (*gpu.Trace, error) {
	s, err := See(ctx, d.Device, p)
	if err != nil {
		return nil, err
	}
	if s.Graphs == nil {
		if s.Graphs, err = graphs(ctx, p, s.Codes); err != nil {
			return nil, err
		}
	}
	t := &gpu.Trace{Steps: make([]gpu.Step, len(p.Body)), Spans: s.Spans}
	for i := range t.Steps {
		t.Steps[i].Code = s.Codes[i]
		if i+1 < len(t.Steps) {
			t.Steps[i].Took = s.Issued[i+1] - s.Issued[i]
		}
		if s.Graphs[i] != nil {
			t.Steps[i].List = &gpu.Listing{Graph: *s.Graphs[i]}
		}
		if s.Codes[i] != schedule.Success {
			t.Steps[i].Status = []gpu.Status{{Value: 2}}
		}
	}
	return t, nil
}

// What is seen call by call is what is seen of a repetition: all that it shows, and when the calls were made.
func TestSee(t *testing.T) {
	dev := sim.Open(sim.Ideal)
	captured, refused := 0, 0
	for seed := range uint64(100) {
		p := Generate(seed)
		want, err := see(t.Context(), p)
		require.NoError(t, err)
		got, err := See(t.Context(), tracer{dev}, p)
		require.NoError(t, err)
		require.Equal(t, want.Codes, got.Codes)
		require.Equal(t, want.Issued, got.Issued)
		require.Equal(t, want.Spans, got.Spans)
		require.Equal(t, want.Graphs, got.Graphs)
		for i := range got.Codes {
			if got.Graphs[i] != nil {
				captured++
			}
			if got.Statuses[i] != nil {
				refused++
			}
		}
		lines, err := Disagree(t.Context(), p, tracer{dev}, tracer{dev}, 0)
		require.NoError(t, err)
		require.Empty(t, lines)
	}
	require.NotZero(t, captured)
	require.NotZero(t, refused)
}
