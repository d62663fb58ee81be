package graph_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/graph/dot"
)

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
