package graph

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/schedule"
)

// reference is the graph of the reference pipeline, two micro-batches and four stages, written down by hand.
func reference() *Graph {
	g := &Graph{}
	for i, name := range strings.Fields("A0 A1 B0 B1 C0 C1 D0 D1") {
		g.Nodes = append(g.Nodes, Node{Op: schedule.At(int32(i)), Name: name})
	}
	for _, e := range [][2]int32{{0, 1}, {0, 2}, {1, 3}, {2, 3}, {2, 4}, {3, 5}, {4, 5}, {4, 6}, {5, 7}, {6, 7}} {
		g.Edges = append(g.Edges, Edge{From: e[0], To: e[1]})
	}
	return g
}

func intentOf(names string) *schedule.Intent {
	in := &schedule.Intent{}
	for _, name := range strings.Fields(names) {
		in.Ops = append(in.Ops, schedule.Op{Name: name})
	}
	return in
}

func testdata(t testing.TB, name string) string {
	text, err := os.ReadFile(filepath.Join("..", "testdata", "graphs", name))
	require.NoError(t, err)
	return string(text)
}

func parseString(t testing.TB, text string) *Graph {
	g, err := ParseDOT(strings.NewReader(text))
	require.NoError(t, err)
	return g
}

func dotOf(t testing.TB, g *Graph) string {
	var b strings.Builder
	require.NoError(t, WriteDOT(&b, g))
	return b.String()
}

func dumpOf(t testing.TB, g *Graph, verbose bool) string {
	var b strings.Builder
	require.NoError(t, WriteDump(&b, g, verbose, nil))
	return b.String()
}

// nested has a node of each kind, a child graph within a child graph, and one that hangs on two nodes.
func nested() *Graph {
	leaf := &Graph{Nodes: []Node{{Name: "leaf"}, {Kind: MemcpyNode, Name: "memcpy"}}, Edges: []Edge{{0, 1, 0, 0}}}
	inner := &Graph{Nodes: []Node{{Name: "graph_1"}, {Kind: ChildNode, Name: "child", Children: []*Graph{leaf}}}, Edges: []Edge{{0, 1, 1, 2}}}
	g := &Graph{Nodes: []Node{}}
	for k := range Kind(numKinds) {
		g.Nodes = append(g.Nodes, Node{Kind: k, Name: k.String()})
		if k > 0 {
			g.Edges = append(g.Edges, Edge{From: int32(k) - 1, To: int32(k)})
		}
	}
	g.Nodes[0].Name = `HOST<a|b>{"\n"}`
	g.Nodes[ChildNode].Children = []*Graph{inner}
	g.Nodes[ConditionalNode].Children = []*Graph{leaf, {Nodes: []Node{}}}
	g.Nodes = append(g.Nodes, Node{Kind: UnknownNode, Name: "Green Context {1|2}"})
	return g
}

// anonymous is what a dump keeps: the names of kernels and of unknown nodes, and kinds that have a name, but no data of edges.
func anonymous(g *Graph) *Graph {
	a := &Graph{Nodes: []Node{}, Edges: slices.Clone(g.Edges)}
	for i := range a.Edges {
		a.Edges[i].Type, a.Edges[i].FromPort = 0, 0
	}
	for _, n := range g.Nodes {
		switch {
		case n.Kind >= numKinds && n.Kind != UnknownNode:
			n.Name, n.Kind = "TYPE_"+n.Kind.String(), UnknownNode
		case n.Kind != KernelNode && n.Kind != UnknownNode:
			n.Name = n.Kind.String()
		}
		var children []*Graph
		for _, c := range n.Children {
			children = append(children, anonymous(c))
		}
		n.Children = children
		a.Nodes = append(a.Nodes, n)
	}
	return a
}
