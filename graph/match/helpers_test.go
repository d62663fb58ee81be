package match

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/graph/dot"
)

// dump reads a file of testdata/graphs.
func dump(t testing.TB, name string) *graph.Graph {
	text, err := os.ReadFile(filepath.Join("..", "..", "testdata", "graphs", name))
	require.NoError(t, err)
	return parseString(t, string(text))
}

func parseString(t testing.TB, text string) *graph.Graph {
	g, err := dot.Read(strings.NewReader(text))
	require.NoError(t, err)
	return g
}

func dotOf(t testing.TB, g *graph.Graph) string {
	var b strings.Builder
	require.NoError(t, dot.Write(&b, g))
	return b.String()
}

func dumpOf(t testing.TB, g *graph.Graph, verbose bool) string {
	var b strings.Builder
	require.NoError(t, dot.WriteDump(&b, g, verbose, nil))
	return b.String()
}
