// Package graphtest has the graphs on which the tests of package graph and of those beside it rest: for tests only.
package graphtest

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/schedule"
)

// Reference is the graph of the reference pipeline, two micro-batches and four stages, written down by hand.
func Reference() *graph.Graph {
	g := &graph.Graph{}
	for i, name := range strings.Fields("A0 A1 B0 B1 C0 C1 D0 D1") {
		g.Nodes = append(g.Nodes, graph.Node{Op: schedule.At(int32(i)), Name: name})
	}
	for _, e := range [][2]int32{{0, 1}, {0, 2}, {1, 3}, {2, 3}, {2, 4}, {3, 5}, {4, 5}, {4, 6}, {5, 7}, {6, 7}} {
		g.Edges = append(g.Edges, graph.Edge{From: e[0], To: e[1]})
	}
	return g
}

// Intent has ops of these names, which blanks part.
func Intent(names string) *schedule.Intent {
	in := &schedule.Intent{}
	for _, name := range strings.Fields(names) {
		in.Ops = append(in.Ops, schedule.Op{Name: name})
	}
	return in
}

// Pipeline is the graph of stages whose micro-batches take turns, numbered as they are issued.
func Pipeline(microbatches, stages int) *graph.Graph {
	g := &graph.Graph{}
	at := func(s, m int) int32 { return int32(s*microbatches + m) }
	for s := range stages {
		for m := range microbatches {
			g.Nodes = append(g.Nodes, graph.Node{Name: fmt.Sprintf("_Z18computation_kernel%dPy", s%2)})
			if m > 0 {
				g.Edges = append(g.Edges, graph.Edge{From: at(s, m-1), To: at(s, m)})
			}
			if s > 0 {
				g.Edges = append(g.Edges, graph.Edge{From: at(s-1, m), To: at(s, m)})
			}
		}
	}
	g.Sort()
	return g
}

// Random has few names, so that some nodes share one, and at most one edge of each kind between two nodes.
func Random(r *rand.Rand) *graph.Graph {
	g := &graph.Graph{Nodes: []graph.Node{}}
	for range 1 + r.IntN(6) {
		kind := graph.Kind(r.IntN(2) * 3)
		g.Nodes = append(g.Nodes, graph.Node{Kind: kind, Name: fmt.Sprintf("n%d", r.IntN(8))})
	}
	for from := range g.Nodes {
		for to := from + 1; to < len(g.Nodes); to++ {
			if r.IntN(3) == 0 {
				e := graph.Edge{From: int32(from), To: int32(to)}
				e.Type, e.FromPort = uint8(r.IntN(2)), uint8(r.IntN(2))
				g.Edges = append(g.Edges, e)
			}
		}
	}
	g.Sort()
	return g
}

// Shuffled is the same graph, its nodes created in another order.
func Shuffled(r *rand.Rand, g *graph.Graph) *graph.Graph {
	to := r.Perm(len(g.Nodes))
	s := &graph.Graph{Nodes: make([]graph.Node, len(g.Nodes))}
	for i, n := range g.Nodes {
		s.Nodes[to[i]] = n
	}
	for _, e := range g.Edges {
		e.From, e.To = int32(to[e.From]), int32(to[e.To])
		s.Edges = append(s.Edges, e)
	}
	s.Sort()
	return s
}
