package graph_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/graph/internal/graphtest"
	"github.com/gpu-overlap/overlap/graph/match"
	"github.com/gpu-overlap/overlap/internal/rules"
	"github.com/gpu-overlap/overlap/schedule"
)

// A diamond on two streams: A and H run side by side after X, J joins them. W is launched where no capture sees it.
func TestImplied(t *testing.T) {
	const none = schedule.None
	in := graphtest.Intent("X A H J W")
	in.Ops[2].Kind = schedule.Host
	call := func(v schedule.Verb, stream, event, op int32) schedule.Instr {
		return schedule.Instr{Verb: v, Stream: schedule.At(stream), Event: schedule.At(event), Op: schedule.At(op),
			Graph: schedule.At(none)}
	}
	capture := []schedule.Instr{
		{Verb: schedule.BeginCapture, Stream: schedule.At(0), Event: schedule.At(none), Op: schedule.At(none),
			Graph: schedule.At(none)},
		call(schedule.Launch, 0, none, 0),
		call(schedule.Record, 0, 0, none),
		call(schedule.Wait, 1, 0, none),
		call(schedule.HostFunc, 1, none, 2),
		call(schedule.Launch, 0, none, 1),
		call(schedule.Launch, 2, none, 4),
		call(schedule.Record, 1, 1, none),
		call(schedule.Wait, 0, 1, none),
		call(schedule.Launch, 0, none, 3),
		{Verb: schedule.EndCapture, Stream: schedule.At(0), Event: schedule.At(none), Op: schedule.At(none),
			Graph: schedule.At(0)},
	}
	p := &schedule.Program{Intent: in, Streams: make([]schedule.Stream, 3), Events: []string{"e", "f"},
		Graphs: []string{"g"},
		Setup:  capture, Body: []schedule.Instr{{Verb: schedule.Replay, Stream: schedule.At(0), Event: schedule.At(none),
			Op: schedule.At(none), Graph: schedule.At(0)}}}
	got := graph.Implied(p)
	assert.Equal(t, `digraph schedule {
  X [kind=kernel];
  H [kind=host];
  A [kind=kernel];
  J [kind=kernel];
  X -> H;
  X -> A;
  H -> J;
  A -> J;
}
`, dotOf(t, got))
	assert.Equal(t, []graph.Node{{Op: schedule.At(0), Name: "X"}, {Kind: graph.HostNode, Op: schedule.At(2), Name: "H"},
		{Op: schedule.At(1), Name: "A"}, {Op: schedule.At(3), Name: "J"}}, got.Nodes)

	capture[8] = call(schedule.Wait, 0, 0, none) // waits for X again: the order of H is lost, X -> J stands doubled
	assert.Equal(t, "1 edge missing: H -> J; 1 edge too many: X -> J", match.Summary(got, graph.Implied(p)))

	p.Setup = nil
	assert.Equal(t, &graph.Graph{Nodes: []graph.Node{}}, graph.Implied(p), "nothing captured")
}

// What the calls of random pipelines imply has the edges by which the rules lead from node to node of the capture.
func TestImpliedAgainstRules(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	for range 100 {
		pl := schedule.Pipeline{Micro: 2 + r.Int32N(4), Layout: schedule.Layout(r.IntN(3)), Offset: r.Int32N(3),
			Engines: schedule.DefaultEngines()}
		for s := range 1 + r.IntN(6) {
			pl.Stages = append(pl.Stages, schedule.Stage{Kind: schedule.Kind(s % 2), Dur: time.Millisecond})
		}
		s := pl.Schedule("random", "")
		p := s.Replay()
		all := *p
		all.Setup, all.Body = nil, slices.Concat(p.Setup, p.Body)
		ends := rules.Follow(&all, nil).Ends
		c := ends[slices.IndexFunc(ends, func(c *rules.Capture) bool { return c != nil })]
		want := &graph.Graph{Nodes: make([]graph.Node, len(c.Ops)), Edges: []graph.Edge{}}
		for n, op := range c.Ops {
			want.Nodes[n] = graph.Node{Op: schedule.At(op), Name: s.Intent.Ops[op].Name}
			for from := range c.Past[n].Last {
				want.Edges = append(want.Edges, graph.Edge{From: int32(from), To: int32(n)})
			}
		}
		want.Sort()
		require.Equal(t, want, graph.Implied(p), "%+v", pl)
	}
}

// What the reference pipeline's calls imply is what the driver captured.
func TestImpliedReference(t *testing.T) {
	pl := schedule.Pipeline{Micro: 2, Engines: schedule.DefaultEngines()}
	for s := range 4 {
		pl.Stages = append(pl.Stages, schedule.Stage{Kind: schedule.Kind(s % 2), Engine: schedule.At(int32(s % 2)),
			Dur: time.Millisecond})
	}
	s := pl.Schedule("reference", "")
	assert.Equal(t, graphtest.Reference(), graph.Implied(s.Replay()))
	assert.Equal(t, graphtest.Reference(), graph.Implied(s.Eager()), "the same order without a capture")

	pl.Stages = pl.Stages[:3]
	s = pl.Schedule("short", "")
	assert.Equal(t, "2 nodes missing: D0, D1; 3 edges missing: C0 -> D0, C1 -> D1, D0 -> D1",
		match.Summary(graphtest.Reference(), graph.Implied(s.Replay())))
}
