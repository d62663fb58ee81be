// Package graph holds what a stream capture recorded: nodes and edges, and the graphs that nodes hold.
//
//   - WidthOf finds the largest number of nodes that may run at a time, CriticalPath the longest path by given
//     durations: what the edges allow when nothing else is short.
//   - Implied is the graph that the capture of a program must give, derived from its calls alone.
//   - Graph.Successors, Graph.Predecessors and Topological are what other walks over a graph build on.
//
// Package dot reads and writes graphs, package match says how two differ, package draw makes a picture of one.
//
// Everything is a function of values; the result never rests on the order of a map, and bad input is an error.
package graph

import (
	"cmp"
	"slices"
	"sort"
	"strconv"

	"github.com/gpu-overlap/overlap/schedule"
)

// Node is one node of a captured graph. Its id is its index, the order of creation.
type Node struct {
	Kind Kind
	Op   schedule.Ref // the op of the intent that the node stands for; none when none is known
	Name string       // of the op; of an imported node without an op, the kernel's

	// The graph that a child node runs, the bodies of a conditional one; none where a file does not show them. Graphs
	// that hold one another in a circle are not allowed.
	Children []*Graph
}

// Edge says that node To starts after node From. Type and FromPort are the driver's edge data: 0, 0 is an edge of full
// completion.
type Edge struct {
	From, To       int32
	Type, FromPort uint8
}

// The types of edge that the driver knows; others are kept as numbers.
const (
	FullCompletion = 0
	Programmatic   = 1
)

// Completion describes what of From the edge waits for: "full completion", "programmatic (type 1, port 1)".
func (e Edge) Completion() string {
	at := "(type " + strconv.Itoa(int(e.Type)) + ", port " + strconv.Itoa(int(e.FromPort)) + ")"
	switch {
	case e.Type == FullCompletion && e.FromPort == 0:
		return "full completion"
	case e.Type == Programmatic:
		return "programmatic " + at
	}
	return "special " + at
}

// CompareEdges is the order of the edges of a Graph: by From, then To, then Type and FromPort.
func CompareEdges(a, b Edge) int {
	return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To),
		cmp.Compare(a.Type, b.Type), cmp.Compare(a.FromPort, b.FromPort))
}

// Graph is what was captured. Edges are sorted as CompareEdges orders them.
type Graph struct {
	Nodes []Node
	Edges []Edge
}

// Has says whether the graph has a node of this index.
func (g *Graph) Has(node int32) bool { return node >= 0 && int(node) < len(g.Nodes) }

// Sort puts the edges into their order.
func (g *Graph) Sort() { slices.SortFunc(g.Edges, CompareEdges) }

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
	if !g.Has(node) {
		return after
	}
	stack := []int32{node}
	for len(stack) > 0 {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, e := range g.Out(at) {
			if g.Has(e.To) && !after[e.To] {
				after[e.To] = true
				stack = append(stack, e.To)
			}
		}
	}
	return after
}

// UniqueNames gives each node of the graphs, one after the other, an id of its own: its name, where no other node has
// it, else name#k.
func UniqueNames(graphs []*Graph) []string {
	graphs = slices.DeleteFunc(slices.Clone(graphs), func(g *Graph) bool { return g == nil })
	nodes := 0
	for _, g := range graphs {
		nodes += len(g.Nodes)
	}
	count := make(map[string]int, nodes)
	for _, g := range graphs {
		for i := range g.Nodes {
			count[g.Nodes[i].Name]++
		}
	}
	ids := make([]string, 0, nodes)
	next := map[string]int{}
	for _, g := range graphs {
		for i := range g.Nodes {
			name := g.Nodes[i].Name
			id := name
			for count[name] > 1 && count[id] > 0 { // also pass a node that is really called name#k
				id = name + "#" + strconv.Itoa(next[name])
				next[name]++
			}
			ids = append(ids, id)
		}
	}
	return ids
}
