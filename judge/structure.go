package judge

import (
	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/graph/match"
	"github.com/gpu-overlap/overlap/verdict"
)

// structure holds the captured graph against what the program implies, against the case's golden and its counts.
func structure(f *facts) []verdict.Finding {
	if f.Program == nil || f.Setup == nil || f.Setup.Graph == nil {
		return nil
	}
	wrong := func(format string, args ...any) []verdict.Finding {
		return one(verdict.Found(verdict.WrongGraph, f.Program.File, format, args...))
	}
	got := f.Setup.Graph
	if len(got.Nodes) == 0 {
		return wrong("the captured graph is empty")
	}
	if d := match.Diff(implied(f), got); len(d) > 0 {
		return wrong("captured is not what the program implies: %s", d[0])
	}
	if f.Golden != nil {
		if d := match.Diff(f.Golden, got); len(d) > 0 {
			return wrong("captured is not the case's graph: %s", d[0])
		}
	}
	if f.Expect == nil || !f.Expect.Graph.Given {
		return nil
	}
	if want := f.Expect.Graph; int(want.Nodes) != len(got.Nodes) || int(want.Edges) != len(got.Edges) {
		return wrong("captured %d nodes and %d edges, want %d and %d", len(got.Nodes), len(got.Edges), want.Nodes,
			want.Edges)
	}
	return nil
}

// implied is the graph that the calls imply; where they are captured into one graph, their order is known already.
func implied(f *facts) *graph.Graph {
	if f.view.Program == f.Program {
		return graph.ImpliedBy(f.view.Order, f.Intent)
	}
	return graph.Implied(f.Program)
}
