package graph_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/graph/internal/graphtest"
)

// After agrees with the transitive closure found by repeated squaring of the relation.
func TestAfter(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		g := graphtest.Random(r)
		n := len(g.Nodes)
		reach := make([][]bool, n)
		for i := range reach {
			reach[i] = make([]bool, n)
		}
		for _, e := range g.Edges {
			reach[e.From][e.To] = true
		}
		for k := range n {
			for i := range n {
				for j := range n {
					reach[i][j] = reach[i][j] || reach[i][k] && reach[k][j]
				}
			}
		}
		for i := range n {
			require.Equal(t, reach[i], g.After(int32(i)))
		}
	}
	loop := &graph.Graph{Nodes: make([]graph.Node, 2), Edges: []graph.Edge{{From: 0, To: 1}, {From: 1, To: 0}}}
	assert.Equal(t, []bool{true, true}, loop.After(0))
	assert.Equal(t, []graph.Edge{{From: 1, To: 0}}, loop.Out(1))
	assert.Empty(t, slices.Clone(graphtest.Reference().Out(7)))
}
