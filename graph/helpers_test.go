package graph

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/schedule"
)

// reference is the graph of the reference pipeline, two micro-batches and four stages, written down by hand.
func reference() *Graph {
	g := &Graph{}
	for i, name := range strings.Fields("A0 A1 B0 B1 C0 C1 D0 D1") {
		g.Nodes = append(g.Nodes, Node{Op: int32(i), Name: name})
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
