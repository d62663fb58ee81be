package dot

import (
	"slices"

	"github.com/gpu-overlap/overlap/graph"
)

// dependencies lists those of each node, in the order of the edges.
func dependencies(g *graph.Graph) [][]int32 {
	in, deps := g.Predecessors(), make([][]int32, len(g.Nodes))
	for i := range deps {
		for _, a := range in.Of(int32(i)) {
			deps[i] = append(deps[i], a.Node)
		}
	}
	return deps
}

// places is where each edge stands in the list of its head.
func places(deps [][]int32) map[[2]int32]int {
	place := map[[2]int32]int{}
	for to, list := range deps {
		for k, from := range list {
			place[[2]int32{from, int32(to)}] = k
		}
	}
	return place
}

// topoIDs numbers the nodes as the driver does: breadth first from the leaves against the edges, each node when it is
// first met (measured). last is the leaves in the driver's order, nil for theirs by number. Nodes of a cycle that no
// leaf is behind keep 0.
func topoIDs(g *graph.Graph, deps [][]int32, last []int32) []int32 {
	if last == nil {
		last = leaves(g)
	}
	ids, met := make([]int32, len(deps)), make([]bool, len(deps))
	queue := make([]int32, 0, len(deps))
	meet := func(list []int32) {
		for _, i := range list {
			if !met[i] {
				met[i], ids[i] = true, int32(len(queue))
				queue = append(queue, i)
			}
		}
	}
	meet(last)
	for k := 0; k < len(queue); k++ {
		meet(deps[queue[k]])
	}
	return ids
}

// leaves are the nodes on which none depends, by number.
func leaves(g *graph.Graph) (list []int32) {
	out := g.Successors()
	for i := range int32(len(g.Nodes)) {
		if len(out.Of(i)) == 0 {
			list = append(list, i)
		}
	}
	return slices.Clip(list)
}
