package match

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/graph/dot"
	"github.com/gpu-overlap/overlap/graph/internal/graphtest"
)

func differ(t testing.TB, a, b *graph.Graph) []string {
	lines, err := Differences(a, b)
	require.NoError(t, err)
	return lines
}

func TestDifferences(t *testing.T) {
	for _, c := range []struct{ name, a, b, want string }{
		{"equal, numbered otherwise", "A; B; A -> B", "B; A; A -> B", ""},
		{"names shared", "x [name=k]; y [name=k]; z; x -> y; y -> z", "y [name=k]; z; x [name=k]; x -> y; y -> z", ""},
		{"node", "A; B; A -> B", "A", "node B (kernel) of A has no counterpart in B\nedge A -> B is in A only"},
		{"node of B", "A", "A; B; B -> A", "node B (kernel) of B has no counterpart in A\nedge B -> A is in B only"},
		{"edge", "A; B; C; A -> B; A -> C", "C; A; B; A -> C; B -> C",
			"edge A -> B is in A only\nedge B -> C is in B only"},
		{"edge data", "A; B; A -> B", "A; B; A -> B [type=1 port=2]",
			"edge A -> B is full completion in A, programmatic (type 1, port 2) in B"},
		{"kind", "A; H [kind=host]; A -> H", "A; H; A -> H", "node H (host) is host H in A, kernel H in B"},
		{"name", "A; B; C; A -> B; B -> C", "A; X; C; A -> X; X -> C",
			"node B (kernel) is kernel B in A, kernel X in B"},
		{"kinds of nodes alone", "H [kind=host]", "H",
			"node H (host) of A has no counterpart in B\nnode H (kernel) of B has no counterpart in A"},
		{"names shared, edge", "a [name=k]; b [name=k]; c [name=k]; a -> b; b -> c",
			"a [name=k]; b [name=k]; c [name=k]; a -> b; a -> c",
			"edge 0 -> 2 (k -> k) is in B only\nedge 1 -> 2 (k -> k) is in A only"},
		{"child", "c [kind=child holds=1]; x [graph=1]; y [graph=1]; x -> y",
			"c [kind=child holds=4]; y [graph=4]; x [graph=4]; x -> y", ""},
		{"within", "c [kind=child holds=1]; x [graph=1]; y [graph=1]; x -> y",
			"c [kind=child holds=1]; y [graph=1]; x [graph=1]; y -> x",
			"graph of node c (child): edge x -> y is in A only; edge y -> x is in B only"},
		{"no child", "c [kind=child holds=1]; x [graph=1]", "c [kind=child]",
			"graph of node c (child): holds 1 graphs in A, 0 in B"},
		{"which child", "p [name=c kind=child holds=1]; q [name=c kind=child holds=2]; p -> q; x [graph=1]; y [graph=2]",
			"q [name=c kind=child holds=1]; p [name=c kind=child holds=2]; p -> q; x [graph=2]; y [graph=1]", ""},
		{"cycles", "A; B; A -> B -> A", "B; A; A -> B; B -> A", ""},
		{"a cycle and two", "a [name=k]; b [name=k]; c [name=k]; d [name=k]; a -> b -> a; c -> d -> c",
			"a [name=k]; b [name=k]; c [name=k]; d [name=k]; a -> b -> c -> d -> a", "edge"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, b := parseString(t, "digraph {"+c.a+"}"), parseString(t, "digraph {"+c.b+"}")
			got := strings.Join(differ(t, a, b), "\n")
			if c.want == "edge" {
				assert.Contains(t, got, "edge")
				return
			}
			assert.Equal(t, c.want, got)
		})
	}
	assert.Empty(t, differ(t, nil, &graph.Graph{}))
	assert.Equal(t, []string{"graph of node c: 1 edge missing: x -> y"}, Diff(
		parseString(t, "digraph {c [kind=child holds=1]; x [graph=1]; y [graph=1]; x -> y}"),
		parseString(t, "digraph {c [kind=child holds=1]; x [graph=1]; y [graph=1]}")))
	assert.Equal(t, "1 node with another child graph: c", Summary(
		parseString(t, "digraph {c [kind=child holds=1]; x [graph=1]}"), parseString(t, "digraph {c [kind=child]}")))
}

// The three dumps are one graph once the compiler's suffixes of the names are gone, which differ between the programs.
func TestDumpsDoNotDiffer(t *testing.T) {
	short, verbose, torch := dump(t, "arch_0.dot"), dump(t, "arch_v.dot"), dump(t, "arch_torch.dot")
	assert.Equal(t, short, verbose)
	assert.Empty(t, differ(t, short, verbose))
	assert.NotEmpty(t, differ(t, verbose, torch))
	assert.Equal(t, dot.ShortNames(verbose), dot.ShortNames(torch))
	assert.Empty(t, differ(t, dot.ShortNames(verbose), dot.ShortNames(torch)))

	torch.Edges = torch.Edges[1:]
	assert.Equal(t, []string{"edge 0 -> 1 (computation_kernel -> computation_kernel) is in A only"},
		differ(t, dot.ShortNames(verbose), dot.ShortNames(torch)))
}

// alike is a small random graph with few names, so that many nodes look the same.
func alike(r *rand.Rand, most int) *graph.Graph {
	g := graphtest.Random(r)
	g.Nodes = g.Nodes[:min(most, len(g.Nodes))]
	g.Edges = slices.DeleteFunc(g.Edges, func(e graph.Edge) bool { return !g.Has(e.From) || !g.Has(e.To) })
	for i := range g.Nodes {
		g.Nodes[i] = graph.Node{Name: fmt.Sprintf("k%d", r.IntN(2))}
	}
	for i := range g.Edges {
		g.Edges[i].Type, g.Edges[i].FromPort = 0, 0
		if r.IntN(4) == 0 { // some cycles
			g.Edges[i].From, g.Edges[i].To = g.Edges[i].To, g.Edges[i].From
		}
	}
	g.Sort()
	return g
}

// fewest tries every pairing of nodes of one name: how many nodes and edges are left over at least.
func fewest(a, b *graph.Graph) int {
	best := len(a.Edges) + len(b.Edges) + len(a.Nodes) + len(b.Nodes)
	edges := map[[2]int32]bool{}
	for _, e := range b.Edges {
		edges[[2]int32{e.From, e.To}] = true
	}
	to := make([]int32, len(a.Nodes))
	used := make([]bool, len(b.Nodes))
	var try func(i, paired int)
	try = func(i, paired int) {
		if i == len(to) {
			left := len(a.Nodes) + len(b.Nodes) - 2*paired + len(a.Edges) + len(b.Edges)
			for _, e := range a.Edges {
				if u, v := to[e.From], to[e.To]; u >= 0 && v >= 0 && edges[[2]int32{u, v}] {
					left -= 2
				}
			}
			best = min(best, left)
			return
		}
		for w := range used {
			if !used[w] && a.Nodes[i].Name == b.Nodes[w].Name {
				used[w], to[i] = true, int32(w)
				try(i+1, paired+1)
				used[w] = false
			}
		}
		to[i] = -1
		try(i+1, paired)
	}
	try(0, 0)
	return best
}

// Differences says nothing exactly when some pairing leaves nothing over, and never less than the least.
func TestDifferencesAgreesWithAllPairings(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	equal, least, different := 0, 0, 0
	for range 3000 {
		a := alike(r, 5)
		b := graphtest.Shuffled(r, a)
		if r.IntN(3) > 0 && len(b.Edges) > 1 {
			e := &b.Edges[r.IntN(len(b.Edges))]
			e.To = int32(r.IntN(len(b.Nodes)))
			b.Sort()
			b.Edges = slices.Compact(b.Edges)
		}
		if r.IntN(4) == 0 {
			b.Nodes[r.IntN(len(b.Nodes))].Name = "k1"
		}
		lines, want := differ(t, a, b), fewest(a, b)
		require.Equal(t, want == 0, len(lines) == 0, "%s%s%v", dotOf(t, a), dotOf(t, b), lines)
		if want == 0 {
			equal++
			continue
		}
		different++
		count := len(lines)
		for _, l := range lines {
			if strings.Contains(l, " in A, ") { // a renamed node: the fewest leaves out two nodes and their edges
				count = want
			}
		}
		require.GreaterOrEqual(t, count, want, "%v", lines)
		if count == want {
			least++
		}
	}
	t.Logf("%d equal, %d different, of which %d with the fewest lines", equal, different, least)
	assert.Greater(t, equal, 500)
	assert.Greater(t, least*10, different*9)
}

// Graphs that colours cannot tell apart: two six-rings against a twelve-ring, alternating in direction, and the same
// with the nodes of one shuffled.
func TestRegular(t *testing.T) {
	ring := func(sizes ...int) *graph.Graph {
		g := &graph.Graph{}
		for _, n := range sizes {
			first := int32(len(g.Nodes))
			for i := range int32(n) {
				g.Nodes = append(g.Nodes, graph.Node{Name: "k"})
				u, v := first+i, first+(i+1)%int32(n)
				if i%2 == 1 {
					u, v = v, u
				}
				g.Edges = append(g.Edges, graph.Edge{From: u, To: v})
			}
		}
		g.Sort()
		return g
	}
	r := rand.New(rand.NewPCG(11, 12))
	for range 50 {
		assert.Empty(t, differ(t, ring(6, 12, 6, 4), graphtest.Shuffled(r, ring(12, 4, 6, 6))))
		assert.NotEmpty(t, differ(t, ring(6, 6), graphtest.Shuffled(r, ring(12))))
		assert.NotEmpty(t, differ(t, ring(4, 8), graphtest.Shuffled(r, ring(6, 6))))
	}
	// A prism and K(3,3), every edge from a node to a node of its own: both 3-regular on 6 nodes, connected.
	cubic := func(pairs ...[2]int32) *graph.Graph {
		g := &graph.Graph{Nodes: make([]graph.Node, 6+len(pairs))}
		for i, p := range pairs {
			g.Edges = append(g.Edges, graph.Edge{From: p[0], To: int32(6 + i)},
				graph.Edge{From: p[1], To: int32(6 + i)})
		}
		g.Sort()
		return g
	}
	prism := cubic([2]int32{0, 1}, [2]int32{1, 2}, [2]int32{0, 2}, [2]int32{3, 4}, [2]int32{4, 5}, [2]int32{3, 5},
		[2]int32{0, 3}, [2]int32{1, 4}, [2]int32{2, 5})
	k33 := cubic([2]int32{0, 3}, [2]int32{0, 4}, [2]int32{0, 5}, [2]int32{1, 3}, [2]int32{1, 4}, [2]int32{1, 5},
		[2]int32{2, 3}, [2]int32{2, 4}, [2]int32{2, 5})
	for range 50 {
		assert.Empty(t, differ(t, prism, graphtest.Shuffled(r, prism)))
		assert.Empty(t, differ(t, k33, graphtest.Shuffled(r, k33)))
		assert.NotEmpty(t, differ(t, prism, graphtest.Shuffled(r, k33)))
	}
}

// When the steps run out, that is said.
func TestUndecided(t *testing.T) {
	work := -1
	_, err := differences(chorded(true), chorded(false), newLabels(false, &work))
	assert.ErrorIs(t, err, ErrUndecided)
	assert.NotEmpty(t, differ(t, chorded(true), chorded(false)))
	assert.Empty(t, differ(t, chorded(true), graphtest.Shuffled(rand.New(rand.NewPCG(1, 1)), chorded(true))))
}

// chorded is a circle of 8 with chords to the opposite node or to the one three further on, as a graph where each of
// these edges goes both ways: 3-regular and connected, and not the same.
func chorded(opposite bool) *graph.Graph {
	g := &graph.Graph{Nodes: make([]graph.Node, 8)}
	add := func(u, v int32) {
		g.Edges = append(g.Edges, graph.Edge{From: u, To: v}, graph.Edge{From: v, To: u})
	}
	for i := range int32(8) {
		add(i, (i+1)%8)
		if opposite && i < 4 {
			add(i, i+4)
		}
		if !opposite && i%2 == 0 {
			add(i, (i+3)%8)
		}
	}
	g.Sort()
	return g
}
