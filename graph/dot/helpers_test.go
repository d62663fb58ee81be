package dot

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/graph/match"
)

func testdata(t testing.TB, name string) string {
	text, err := os.ReadFile(filepath.Join("..", "..", "testdata", "graphs", name))
	require.NoError(t, err)
	return string(text)
}

func parseString(t testing.TB, text string) *graph.Graph {
	g, err := Read(strings.NewReader(text))
	require.NoError(t, err)
	return g
}

func dotOf(t testing.TB, g *graph.Graph) string {
	var b strings.Builder
	require.NoError(t, Write(&b, g))
	return b.String()
}

func dumpOf(t testing.TB, g *graph.Graph, verbose bool) string {
	var b strings.Builder
	require.NoError(t, WriteDump(&b, g, verbose, nil))
	return b.String()
}

// nested has a node of each kind, a child graph within a child graph, and one that hangs on two nodes.
func nested() *graph.Graph {
	leaf := &graph.Graph{Nodes: []graph.Node{{Name: "leaf"}, {Kind: graph.MemcpyNode, Name: "memcpy"}},
		Edges: []graph.Edge{{From: 0, To: 1}}}
	inner := &graph.Graph{Nodes: []graph.Node{{Name: "graph_1"},
		{Kind: graph.ChildNode, Name: "child", Children: []*graph.Graph{leaf}}}, Edges: []graph.Edge{{From: 0, To: 1,
		Type: 1, FromPort: 2}}}
	g := &graph.Graph{Nodes: []graph.Node{}}
	for k := range graph.Kind(len(dumpWords)) {
		g.Nodes = append(g.Nodes, graph.Node{Kind: k, Name: k.String()})
		if k > 0 {
			g.Edges = append(g.Edges, graph.Edge{From: int32(k) - 1, To: int32(k)})
		}
	}
	g.Nodes[0].Name = `HOST<a|b>{"\n"}`
	g.Nodes[graph.ChildNode].Children = []*graph.Graph{inner}
	g.Nodes[graph.ConditionalNode].Children = []*graph.Graph{leaf, {Nodes: []graph.Node{}}}
	g.Nodes = append(g.Nodes, graph.Node{Kind: graph.UnknownNode, Name: "Green Context {1|2}"})
	return g
}

// anonymous is what a dump keeps: the names of kernels and of unknown nodes, and kinds that have a name, but no data of
// edges.
func anonymous(g *graph.Graph) *graph.Graph {
	a := &graph.Graph{Nodes: []graph.Node{}, Edges: slices.Clone(g.Edges)}
	for i := range a.Edges {
		a.Edges[i].Type, a.Edges[i].FromPort = 0, 0
	}
	for _, n := range g.Nodes {
		switch {
		case int(n.Kind) >= len(dumpWords) && n.Kind != graph.UnknownNode:
			n.Name, n.Kind = "TYPE_"+n.Kind.String(), graph.UnknownNode
		case n.Kind != graph.KernelNode && n.Kind != graph.UnknownNode:
			n.Name = n.Kind.String()
		}
		var children []*graph.Graph
		for _, c := range n.Children {
			children = append(children, anonymous(c))
		}
		n.Children = children
		a.Nodes = append(a.Nodes, n)
	}
	return a
}

func differ(t testing.TB, a, b *graph.Graph) []string {
	lines, err := match.Differences(a, b)
	require.NoError(t, err)
	return lines
}
