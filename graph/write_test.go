package graph

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWriteDOT(t *testing.T) {
	assert.Equal(t, `digraph schedule {
  A0 [kind=kernel];
  A1 [kind=kernel];
  B0 [kind=kernel];
  B1 [kind=kernel];
  C0 [kind=kernel];
  C1 [kind=kernel];
  D0 [kind=kernel];
  D1 [kind=kernel];
  A0 -> A1;
  A0 -> B0;
  A1 -> B1;
  B0 -> B1;
  B0 -> C0;
  B1 -> C1;
  C0 -> C1;
  C0 -> D0;
  C1 -> D1;
  D0 -> D1;
}
`, dotOf(t, reference()))
	g := &Graph{
		Nodes: []Node{{Name: "k"}, {Name: "k"}, {Name: "k#0"}, {Name: "node", Kind: HostNode},
			{Name: `a"\`, Kind: Kind(77)}, {Name: "1.x"}, {Name: ""}},
		Edges: []Edge{{From: 0, To: 1}, {From: 0, To: 2, Type: 1, FromPort: 1}, {From: 1, To: 2, FromPort: 2}, {From: 2, To: 3, Type: 9}},
	}
	assert.Equal(t, `digraph schedule {
  "k#1" [kind=kernel, name=k];
  "k#2" [kind=kernel, name=k];
  "k#0" [kind=kernel];
  "node" [kind=host];
  "a\"\\" [kind=77];
  "1.x" [kind=kernel];
  "" [kind=kernel];
  "k#1" -> "k#2";
  "k#1" -> "k#0" [type=programmatic, port=1];
  "k#2" -> "k#0" [type=full, port=2];
  "k#0" -> "node" [type=9, port=0];
}
`, dotOf(t, g))
	assert.Equal(t, g, parseString(t, dotOf(t, g)))

	assert.ErrorContains(t, WriteDOT(&strings.Builder{}, &Graph{Edges: []Edge{{From: 0, To: 1}}}), "edge 0 -> 1: want nodes below 0")
	assert.EqualError(t, WriteDOT(broken{}, reference()), "pipe broken")
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("pipe broken") }

// randomGraph has few names, so that some nodes share one, and at most one edge of each kind between two nodes.
func randomGraph(r *rand.Rand) *Graph {
	g := &Graph{Nodes: []Node{}}
	for range 1 + r.IntN(6) {
		g.Nodes = append(g.Nodes, Node{Kind: Kind(r.IntN(2) * 3), Name: fmt.Sprintf("n%d", r.IntN(8))})
	}
	for from := range g.Nodes {
		for to := from + 1; to < len(g.Nodes); to++ {
			if r.IntN(3) == 0 {
				g.Edges = append(g.Edges, Edge{int32(from), int32(to), uint8(r.IntN(2)), uint8(r.IntN(2))})
			}
		}
	}
	g.Sort()
	return g
}

func TestRoundTripRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		g := randomGraph(r)
		require.Equal(t, g, parseString(t, dotOf(t, g)))
	}
}

// After agrees with the transitive closure found by repeated squaring of the relation.
func TestAfter(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		g := randomGraph(r)
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
	loop := &Graph{Nodes: make([]Node, 2), Edges: []Edge{{From: 0, To: 1}, {From: 1, To: 0}}}
	assert.Equal(t, []bool{true, true}, loop.After(0))
	assert.Equal(t, []Edge{{From: 1, To: 0}}, loop.Out(1))
	assert.Empty(t, slices.Clone(reference().Out(7)))
}
