package match_test

import (
	"fmt"

	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/graph/match"
)

// Ops have names of their own, which pair the nodes.
func ExampleDiff() {
	ops := []graph.Node{{Name: "A"}, {Name: "B"}, {Name: "CA"}}
	want := &graph.Graph{Nodes: ops, Edges: []graph.Edge{{From: 0, To: 1}, {From: 0, To: 2}}}
	got := &graph.Graph{Nodes: ops, Edges: []graph.Edge{{From: 0, To: 1}, {From: 1, To: 2}}}
	for _, line := range match.Diff(want, got) {
		fmt.Println(line)
	}
	fmt.Println(match.Summary(want, got))
	// Output:
	// - edge A -> CA (wanted, not got)
	// + edge B -> CA (got, not wanted)
	// 1 edge missing: A -> CA; 1 edge too many: B -> CA
}

// Kernels share names: what counts is whether some numbering of the nodes makes the graphs the same.
func ExampleDifferences() {
	kernels := []graph.Node{{Name: "gemm"}, {Name: "gemm"}, {Name: "copy"}}
	a := &graph.Graph{Nodes: kernels, Edges: []graph.Edge{{From: 0, To: 2}}}
	b := &graph.Graph{Nodes: kernels, Edges: []graph.Edge{{From: 1, To: 2}}}
	lines, err := match.Differences(a, b)
	fmt.Println(len(lines), err)

	b.Edges = []graph.Edge{{From: 2, To: 1}}
	lines, err = match.Differences(a, b)
	fmt.Println(lines, err)
	// Output:
	// 0 <nil>
	// [edge 0 -> 2 (gemm -> copy) is in A only edge 2 -> 1 (copy -> gemm) is in B only] <nil>
}
