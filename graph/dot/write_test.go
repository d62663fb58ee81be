package dot

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/graph/internal/graphtest"
)

func TestWrite(t *testing.T) {
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
`, dotOf(t, graphtest.Reference()))
	g := &graph.Graph{
		Nodes: []graph.Node{{Name: "k"}, {Name: "k"}, {Name: "k#0"}, {Name: "node", Kind: graph.HostNode},
			{Name: `a"\`, Kind: graph.Kind(77)}, {Name: "1.x"}, {Name: ""}},
		Edges: []graph.Edge{{From: 0, To: 1}, {From: 0, To: 2, Type: 1, FromPort: 1}, {From: 1, To: 2, FromPort: 2},
			{From: 2, To: 3, Type: 9}},
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

	assert.ErrorContains(t, Write(&strings.Builder{}, &graph.Graph{Edges: []graph.Edge{{From: 0, To: 1}}}),
		"edge 0 -> 1: want nodes below 0")
	assert.EqualError(t, Write(broken{}, graphtest.Reference()), "pipe broken")
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("pipe broken") }

func TestRoundTripRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		g := graphtest.Random(r)
		require.Equal(t, g, parseString(t, dotOf(t, g)))
	}
}
