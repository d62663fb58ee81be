package conform

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/gpu"
	"github.com/gpu-overlap/overlap/gpu/sim"
	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/schedule/text"
)

// see runs a program on the simulated device without costs.
func see(ctx context.Context, p *schedule.Program) (*Seen, error) {
	dev := sim.Open(sim.Ideal)
	s, err := See(ctx, dev, p)
	if err != nil || s.Graphs != nil {
		return s, err
	}
	s.Graphs, err = graphs(ctx, p, s.Codes)
	return s, err
}

// graphs gives, by call, what the end of a capture gave: a Setup that ends there shows it.
func graphs(ctx context.Context, p *schedule.Program, codes []schedule.Code) ([]*graph.Graph, error) {
	list := make([]*graph.Graph, len(p.Body))
	for i, in := range p.Body {
		if in.Verb != schedule.EndCapture || codes[i] != schedule.Success {
			continue
		}
		q := *p
		q.Setup = append(slices.Clone(p.Setup), p.Body[:i+1]...)
		q.Body = p.Body[i+1:] // never run, but a stream that it creates is not there yet
		for k := range q.Setup {
			c := &q.Setup[k]
			if k >= len(p.Setup) {
				c.Want = codes[k-len(p.Setup)]
			}
			switch c.Graph.Index() { // the Setup shows the first graph
			case in.Graph.Index():
				c.Graph = schedule.At(0)
			case 0:
				c.Graph = in.Graph
			}
		}
		r, err := sim.Open(sim.Ideal).Prepare(ctx, &q)
		if err != nil {
			return nil, err
		}
		if err := gpu.Check(&q, q.Setup, r.Setup().Codes); err != nil {
			return nil, err
		}
		list[i] = r.Setup().Graph
		r.Close()
	}
	return list, nil
}

// fuzzed checks one seed on the simulated device.
func fuzzed(t *testing.T, seed uint64, change func(*schedule.Program)) {
	p := Generate(seed)
	change(p)
	broken := func(p *schedule.Program) (faults []string) {
		s, err := see(t.Context(), p)
		if err != nil {
			return []string{err.Error()}
		}
		return Faults(p, s, 0)
	}
	if faults := broken(p); len(faults) > 0 {
		small := Shrink(p, func(p *schedule.Program) bool { return len(broken(p)) > 0 })
		t.Errorf("seed %d: %q\nshrunk to\n%s%q", seed, faults, Text(small), broken(small))
	}
}

// crowd makes kernels hold SMs.
func crowd(p *schedule.Program) {
	for i := range p.Intent.Ops {
		if op := &p.Intent.Ops[i]; op.Kind < schedule.Host {
			op.SMs = int32(i * 37 % 101)
		}
	}
}

func TestRandomPrograms(t *testing.T) {
	for seed := range uint64(2000) {
		fuzzed(t, seed, func(p *schedule.Program) {
			if seed%8 == 0 {
				crowd(p)
			}
		})
	}
}

func FuzzPrograms(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(seed, seed%2 == 0)
	}
	f.Fuzz(func(t *testing.T, seed uint64, crowded bool) {
		fuzzed(t, seed, func(p *schedule.Program) {
			if crowded {
				crowd(p)
			}
		})
	})
}

// Without misuse every call succeeds, but for queries of what still runs.
func TestValidPrograms(t *testing.T) {
	for seed := range uint64(1000) {
		p := generate(seed, func(*generator) {})
		s, err := see(t.Context(), p)
		require.NoError(t, err)
		for i, code := range s.Codes {
			query := p.Body[i].Verb == schedule.QueryStream || p.Body[i].Verb == schedule.QueryEvent
			if code != schedule.Success && !(query && code == schedule.NotReady) {
				t.Fatalf("seed %d: call %d, %s, gives %s\n%s", seed, i, text.Describe(p, p.Body[i]), code, Text(p))
			}
		}
	}
}

// A program is the same whenever it is generated, and is what its text says; it stays within its limits.
func TestGenerate(t *testing.T) {
	longest, streams, events := 0, 0, 0
	for seed := range uint64(500) {
		p := Generate(seed)
		require.Equal(t, Text(p), Text(Generate(seed)))
		again, err := Parse(Text(p))
		require.NoError(t, err)
		require.Equal(t, Text(p), Text(again))
		longest, streams, events = max(longest, len(p.Body)), max(streams, len(p.Streams)), max(events, len(p.Events))
	}
	assert.Equal(t, maxCalls, longest)
	assert.Equal(t, maxStreams, streams)
	assert.Equal(t, maxEvents, events)
	assert.NotEqual(t, Text(Generate(1)), Text(Generate(2)))
}
