package graphtest

import (
	"math/rand/v2"

	"github.com/gpu-overlap/overlap/graph"
)

// Shapes are graphs of 100,000 nodes: a pipeline as it is captured, layers of random edges, many equal chains between a
// fork and a join, and all nodes in one row.
func Shapes() map[string]*graph.Graph {
	r := rand.New(rand.NewPCG(3, 4))
	random := &graph.Graph{}
	for i := range int32(100_000) {
		random.Nodes = append(random.Nodes, graph.Node{Name: "k"})
		for range 2 {
			if i >= 100 {
				random.Edges = append(random.Edges, graph.Edge{From: i - 1 - r.Int32N(100), To: i})
			}
		}
	}
	random.Sort()
	forked := &graph.Graph{Nodes: make([]graph.Node, 100_002)}
	for i := range int32(100_000) {
		from, to := i-1, int32(100_001)
		if i%10 == 0 {
			from = 100_000
		}
		forked.Edges = append(forked.Edges, graph.Edge{From: from, To: i})
		if i%10 == 9 {
			forked.Edges = append(forked.Edges, graph.Edge{From: i, To: to})
		}
	}
	forked.Edges = append(forked.Edges, graph.Edge{From: 100_000, To: 100_001})
	forked.Sort()
	return map[string]*graph.Graph{"pipeline8": Pipeline(8, 12500), "pipeline300": Pipeline(300, 333),
		"random": random, "forked": forked, "chain": Pipeline(1, 100_000),
		"apart": {Nodes: make([]graph.Node, 100_000)}}
}
