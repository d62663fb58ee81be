package conform

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/gpu"
	"github.com/gpu-overlap/overlap/gpu/sim"
	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/schedule"
)

const asked = `stream s0
stream s1
s0: computation A 20us
s0: query
s0: begin capture
s0: computation B 20us
s0: record e0
s1: wait e0
s1: begin capture
s0: end capture g0
`

func TestCompare(t *testing.T) {
	for _, row := range []struct {
		name, want string
		change     func(p *schedule.Program, b *Seen)
	}{
		{"the same", "", func(*schedule.Program, *Seen) {}},
		{"work that ends sooner", "", func(_ *schedule.Program, b *Seen) { b.Codes[1] = schedule.Success }},
		{"a query that fails", "s0: query: 600 CUDA_ERROR_NOT_READY, and 900",
			func(_ *schedule.Program, b *Seen) { b.Codes[1] = 900 }},
		{"a call that asks nothing", "call 0", func(_ *schedule.Program, b *Seen) { b.Codes[0] = schedule.NotReady }},
		{"a code", "call 6, s1: begin capture: 401", func(_ *schedule.Program,
			b *Seen) {
			b.Codes[6] = schedule.Success
		}},
		{"a status", "then statuses main 0 s0 1 s1 1, and statuses main 0 s0 1 s1 2",
			func(_ *schedule.Program, b *Seen) { b.Statuses[6][2].Value = 2 }},
		{"a status's code", "s1 code 906", func(_ *schedule.Program, b *Seen) { b.Statuses[6][2].Code = 906 }},
		{"an absent stream", "s1 absent", func(_ *schedule.Program, b *Seen) { b.Statuses[6][2].Absent = true }},
		{"no statuses", "no statuses", func(_ *schedule.Program, b *Seen) { b.Statuses[6] = nil }},
		{"statuses that were not looked at", "", func(_ *schedule.Program, b *Seen) { b.Statuses = nil }},
		{"a node's kind", "end capture g0: nodes kernel kernel, edges 0>1, and nodes kernel host",
			func(_ *schedule.Program, b *Seen) { b.Graphs[7].Nodes[1].Kind = graph.HostNode }},
		{"an edge less", "and nodes kernel kernel, edges", func(_ *schedule.Program,
			b *Seen) {
			b.Graphs[7].Edges = nil
		}},
		{"no graph", "and no graph", func(_ *schedule.Program, b *Seen) { b.Graphs[7] = nil }},
		{"a call less", "8 and 7 codes of 8 calls", func(_ *schedule.Program, b *Seen) { b.Codes = b.Codes[:7] }},
	} {
		p, err := Parse(asked)
		require.NoError(t, err)
		both := [2]*Seen{}
		for i := range both {
			both[i] = &Seen{Codes: []schedule.Code{0, 600, 0, 0, 0, 0, 401, 0}, Statuses: make([][]gpu.Status, 8),
				Graphs: make([]*graph.Graph, 8)}
			both[i].Statuses[6] = []gpu.Status{{}, {Value: 1}, {Value: 1}}
			both[i].Graphs[7] = &graph.Graph{Nodes: make([]graph.Node, 2), Edges: []graph.Edge{{From: 0, To: 1}}}
		}
		row.change(p, both[1])
		got := strings.Join(Compare(p, both[0], both[1]), "\n")
		assert.Contains(t, got, row.want, row.name)
		assert.Equal(t, row.want == "", got == "", "%s: %s", row.name, got)
	}
}

// The machines differ in times only: they agree on everything that is compared.
func TestMachinesAgree(t *testing.T) {
	ideal, h200 := sim.Open(sim.Ideal), sim.Open(sim.H200)
	for seed := range uint64(500) {
		p := Generate(seed)
		differ, err := Disagree(t.Context(), p, ideal, h200, 0)
		require.NoError(t, err)
		require.Empty(t, differ, "seed %d\n%s", seed, Text(p))
	}
}

// permissive is a device that lets a capture wait for an event that was recorded outside.
type permissive struct{ gpu.Device }

type permissiveRun struct{ gpu.Run }

func (d permissive) Prepare(ctx context.Context, p *schedule.Program) (gpu.Run, error) {
	r, err := d.Device.Prepare(ctx, p)
	return permissiveRun{r}, err
}

func (r permissiveRun) Rep(ctx context.Context) (gpu.Transcript, error) {
	t, err := r.Run.Rep(ctx)
	for i := range t.Codes {
		if t.Codes[i] == schedule.CaptureIsolation {
			t.Codes[i] = schedule.Success
		}
	}
	return t, err
}

// A disagreement shrinks to the calls that it takes, and is printed as the file of a probe.
func TestShrink(t *testing.T) {
	a, b := sim.Open(sim.Ideal), permissive{sim.Open(sim.Ideal)}
	differs := func(p *schedule.Program) bool {
		lines, err := Disagree(t.Context(), p, a, b, 0)
		return err == nil && slices.ContainsFunc(lines,
			func(l string) bool { return strings.Contains(l, "ISOLATION, and 0") })
	}
	found := 0
	for seed := uint64(0); found < 3 && seed < 2000; seed++ {
		p := Generate(seed)
		if !differs(p) {
			require.Equal(t, Text(p), Text(Shrink(p, differs)))
			continue
		}
		found++
		small := Shrink(p, differs)
		require.True(t, differs(small))
		require.Len(t, small.Body, 3, "record, begin capture, wait: %s", Text(small))
		require.Len(t, small.Events, 1)
		require.Empty(t, small.Intent.Ops)
		require.LessOrEqual(t, len(small.Streams), 3)
	}
	require.Equal(t, 3, found)

	p, err := Parse("stream s0\nstream s1\ns1: record e\ns0: begin capture\nthread 2\ns0: wait e\n")
	require.NoError(t, err)
	assert.Equal(t, "An event that was recorded outside.\n\n-- program --\nstream s0\nstream s1\ns1: record e\n"+
		"s0: begin capture\nthread 2\ns0: wait e\n", Probe(p, "An event that was recorded outside."))
}
