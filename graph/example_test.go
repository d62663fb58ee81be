package graph_test

import (
	"fmt"
	"time"

	"github.com/gpu-overlap/overlap/graph"
)

// Two kernels run beside one another between a copy in and a copy out.
func Example() {
	g := &graph.Graph{
		Nodes: []graph.Node{{Kind: graph.MemcpyNode, Name: "in"}, {Name: "gemm"}, {Name: "reduce"},
			{Kind: graph.MemcpyNode, Name: "out"}},
		Edges: []graph.Edge{{From: 0, To: 1}, {From: 0, To: 2}, {From: 1, To: 3}, {From: 2, To: 3}},
	}
	width, _ := graph.WidthOf(g)
	makespan, path, _ := graph.CriticalPath(g, []time.Duration{10, 40, 30, 10})
	fmt.Println("at a time:", width.AtLeast)
	fmt.Println("takes:", makespan)
	for _, node := range path {
		fmt.Println(g.Nodes[node].Kind, g.Nodes[node].Name)
	}
	// Output:
	// at a time: 2
	// takes: 60ns
	// memcpy in
	// kernel gemm
	// memcpy out
}
