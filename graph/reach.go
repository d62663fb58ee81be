package graph

import (
	"cmp"
	"slices"
	"sort"
)

// Sort puts the edges into their order: by From, then To, then Type and FromPort.
func (g *Graph) Sort() { slices.SortFunc(g.Edges, compareEdges) }

func compareEdges(a, b Edge) int {
	return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To),
		cmp.Compare(a.Type, b.Type), cmp.Compare(a.FromPort, b.FromPort))
}

// Out gives the edges that leave a node.
func (g *Graph) Out(node int32) []Edge {
	first := sort.Search(len(g.Edges), func(i int) bool { return g.Edges[i].From >= node })
	end := first
	for end < len(g.Edges) && g.Edges[end].From == node {
		end++
	}
	return g.Edges[first:end]
}

// After marks the nodes that the edges put after node, directly or not. Node itself is among them only in a cycle.
func (g *Graph) After(node int32) []bool {
	after := make([]bool, len(g.Nodes))
	stack := []int32{node}
	for len(stack) > 0 {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, e := range g.Out(at) {
			if !after[e.To] {
				after[e.To] = true
				stack = append(stack, e.To)
			}
		}
	}
	return after
}
