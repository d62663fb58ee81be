package match

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/graph/internal/graphtest"
)

func TestDiff(t *testing.T) {
	for _, c := range []struct {
		name, want, got, diff, summary string
	}{
		{name: "equal, created in another order", want: "A; B; A -> B", got: "B; A; A -> B"},
		{name: "node missing", want: "A; B; X0; A -> B", got: "A; B; A -> B",
			diff: "- node X0 (wanted, not got)", summary: "1 node missing: X0"},
		{name: "node too many and its edge", want: "A", got: "A; B; A -> B",
			diff:    "+ node B (got, not wanted)\n+ edge A -> B (got, not wanted)",
			summary: "1 node too many: B; 1 edge too many: A -> B"},
		{name: "edges", want: "A; B; C; A -> B; B -> C", got: "A; B; C; A -> C",
			diff:    "- edge A -> B (wanted, not got)\n+ edge A -> C (got, not wanted)\n- edge B -> C (wanted, not got)",
			summary: "2 edges missing: A -> B, B -> C; 1 edge too many: A -> C"},
		{name: "turned", want: "A; B; A -> B", got: "A; B; B -> A",
			diff:    "- edge A -> B (wanted, not got)\n+ edge B -> A (got, not wanted)",
			summary: "1 edge missing: A -> B; 1 edge too many: B -> A"},
		{name: "programmatic", want: "A0; A1; A0 -> A1", got: "A0; A1; A0 -> A1 [type=programmatic, port=1]",
			diff:    "edge A0 -> A1 is programmatic (type 1, port 1), want full completion",
			summary: "1 edge of another kind: A0 -> A1"},
		{name: "port", want: "A; B; A -> B [type=1 port=1]", got: "A; B; A -> B [type=1 port=2]",
			diff:    "edge A -> B is programmatic (type 1, port 2), want programmatic (type 1, port 1)",
			summary: "1 edge of another kind: A -> B"},
		{name: "one more edge of another kind", want: "A; B; A -> B", got: "A; B; A -> B; A -> B [type=5]",
			diff: "+ edge A -> B (got, not wanted)", summary: "1 edge too many: A -> B"},
		{name: "kind", want: "H [kind=host]", got: "H", diff: "node H is kernel, want host",
			summary: "1 node of another kind: H"},
		{name: "shared names", want: "k1 [name=k]; k2 [name=k]; k1 -> k2", got: "k1 [name=k]",
			diff:    "- node k#1 (wanted, not got)\n- edge k#0 -> k#1 (wanted, not got)",
			summary: "1 node missing: k#1; 1 edge missing: k#0 -> k#1"},
		{name: "many", want: "A;B;C;D;E;F;G;H", got: "",
			diff:    strings.Join(strings.Split("- node A,- node B,- node C,- node D,- node E,- node F,- node G,- node H", ","), " (wanted, not got)\n") + " (wanted, not got)",
			summary: "8 nodes missing: A, B, C, D, E, F, and 2 more"},
	} {
		t.Run(c.name, func(t *testing.T) {
			want, got := parseString(t, "digraph {"+c.want+"}"), parseString(t, "digraph {"+c.got+"}")
			assert.Equal(t, c.diff, strings.Join(Diff(want, got), "\n"))
			assert.Equal(t, c.summary, Summary(want, got))
		})
	}
	assert.Empty(t, Diff(nil, nil))
	assert.Equal(t, "8 nodes missing: A0, A1, B0, B1, C0, C1, and 2 more; "+
		"10 edges missing: A0 -> A1, A0 -> B0, A1 -> B1, B0 -> B1, B0 -> C0, B1 -> C1, and 4 more",
		Summary(graphtest.Reference(), nil))
}

// On ops, the diff is empty exactly when the sets of nodes and edges, written out by name, are the same; it counts what
// the two sets do not share, and the other way round it says the opposite.
func TestDiffAgreesWithSets(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	equal := 0
	for range 2000 {
		want := distinct(graphtest.Random(r))
		got := graphtest.Shuffled(r, want)
		if r.IntN(2) == 0 && len(got.Edges) > 0 {
			got.Edges[r.IntN(len(got.Edges))].FromPort ^= 1
		}
		if r.IntN(3) == 0 {
			got.Nodes[r.IntN(len(got.Nodes))].Kind ^= 3
		}
		if r.IntN(3) == 0 && len(got.Edges) > 0 {
			got.Edges = got.Edges[1:]
		}
		same := assert.ObjectsAreEqual(setOf(want), setOf(got))
		require.Equal(t, same, len(Diff(want, got)) == 0, "%v\n%v", dotOf(t, want), dotOf(t, got))
		require.Equal(t, same, Summary(want, got) == "")
		require.Len(t, Diff(got, want), len(Diff(want, got)))
		if same {
			equal++
		}
	}
	assert.Greater(t, equal, 100)
	assert.Less(t, equal, 1900)
}

func distinct(g *graph.Graph) *graph.Graph {
	for i := range g.Nodes {
		g.Nodes[i].Name = string(rune('A' + i))
	}
	return g
}

func setOf(g *graph.Graph) map[string]int {
	set := map[string]int{}
	for _, n := range g.Nodes {
		set[n.Name+" "+n.Kind.String()]++
	}
	for _, e := range g.Edges {
		set[g.Nodes[e.From].Name+" "+g.Nodes[e.To].Name+" "+e.Completion()]++
	}
	return set
}
