package graph_test

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/graph/internal/graphtest"
)

// heaviest tries every set of nodes.
func heaviest(g *graph.Graph, weight []int) (best int) {
	n := len(g.Nodes)
	after := make([]uint, n)
	for i := range n {
		for j, yes := range g.After(int32(i)) {
			if yes {
				after[i] |= 1 << j
			}
		}
	}
	for set := range uint(1) << n {
		sum := 0
		for rest := set; rest != 0; rest &= rest - 1 {
			i := bits.TrailingZeros(rest)
			if after[i]&set != 0 {
				sum = -1 << 20
			}
			sum += weight[i]
		}
		best = max(best, sum)
	}
	return best
}

func checkAntichain(t *testing.T, g *graph.Graph, weight []int, w graph.Width) {
	sum := 0
	for _, v := range w.Nodes {
		sum += weight[v]
		after := g.After(v)
		for _, u := range w.Nodes {
			require.False(t, after[u])
		}
	}
	require.Equal(t, w.AtLeast, sum)
}

func TestWidthAgreesWithAllSets(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	flowed := 0
	for range 3000 {
		n := 1 + r.IntN(12)
		g := &graph.Graph{Nodes: make([]graph.Node, n)}
		weight := make([]int, n)
		density := 2 + r.IntN(6)
		for i := range n {
			weight[i] = 1
			if r.IntN(4) == 0 { // a child graph of so many nodes
				weight[i] = 1 + r.IntN(4)
				g.Nodes[i].Children = []*graph.Graph{{}, {Nodes: make([]graph.Node, weight[i])}}
			}
			for j := range i {
				if r.IntN(density) == 0 {
					g.Edges = append(g.Edges, graph.Edge{From: int32(j), To: int32(i)})
				}
			}
		}
		g.Sort()
		g = graphtest.Shuffled(r, g)
		for i := range g.Nodes {
			weight[i] = 1
			if c := g.Nodes[i].Children; c != nil {
				weight[i] = len(c[1].Nodes)
			}
		}
		w, err := graph.WidthOf(g)
		require.NoError(t, err)
		require.True(t, w.Exact())
		require.Equal(t, heaviest(g, weight), w.AtLeast, dotOf(t, g))
		checkAntichain(t, g, weight, w)
		out, in := g.Successors(), g.Predecessors()
		if graph.Level(out, in, graph.Topological(out, in), weight).AtLeast < w.AtLeast {
			flowed++
		}
		// Out of steps, the bounds still hold.
		work := -1
		b := graph.Widest(out, in, graph.Topological(out, in), weight, &work)
		require.LessOrEqual(t, b.AtLeast, w.AtLeast)
		require.GreaterOrEqual(t, b.AtMost, w.AtLeast)
		checkAntichain(t, g, weight, b)
	}
	assert.Greater(t, flowed, 100, "cases whose width no level shows")
}

func TestWidthOf(t *testing.T) {
	w, err := graph.WidthOf(graphtest.Reference())
	require.NoError(t, err)
	assert.Equal(t, 2, w.AtLeast)
	w, err = graph.WidthOf(&graph.Graph{})
	require.NoError(t, err)
	assert.Equal(t, graph.Width{}, w)
	loop := parseString(t, "digraph { a; b; c; d; a -> b -> c -> b; c -> d }")
	_, err = graph.WidthOf(loop)
	assert.EqualError(t, err, "nodes wait for one another in a circle: 2 -> 1 -> 2; want none that do")
	_, err = graph.WidthOf(&graph.Graph{Nodes: []graph.Node{{Children: []*graph.Graph{loop}}}})
	assert.ErrorAs(t, err, new(*graph.CycleError))
	_, _, err = graph.CriticalPath(loop, make([]time.Duration, 4))
	assert.ErrorAs(t, err, new(*graph.CycleError))
	long := &graph.Graph{}
	for i := range int32(20) {
		long.Nodes = append(long.Nodes, graph.Node{})
		long.Edges = append(long.Edges, graph.Edge{From: i, To: (i + 1) % 20})
	}
	_, err = graph.WidthOf(long)
	assert.ErrorContains(t, err, "-> … -> ")
}

// The critical path is the longest of all paths, which are walked one by one.
func TestCriticalPath(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	for range 1000 {
		g := graphtest.Shuffled(r, graphtest.Random(r))
		d := make([]time.Duration, len(g.Nodes))
		for i := range d {
			d[i] = time.Duration(r.IntN(5))
		}
		var longest func(v int32) time.Duration
		longest = func(v int32) (most time.Duration) {
			for _, e := range g.Out(v) {
				most = max(most, longest(e.To))
			}
			return most + d[v]
		}
		want := time.Duration(0)
		for v := range g.Nodes {
			want = max(want, longest(int32(v)))
		}
		got, path, err := graph.CriticalPath(g, d)
		require.NoError(t, err)
		require.Equal(t, want, got)
		sum := time.Duration(0)
		for i, v := range path {
			sum += d[v]
			if i > 0 {
				require.True(t, slices.ContainsFunc(g.Out(path[i-1]), func(e graph.Edge) bool { return e.To == v }))
			}
		}
		require.Equal(t, want, sum)
	}
	d := []time.Duration{1 << 62, 1 << 62}
	_, _, err := graph.CriticalPath(parseString(t, "digraph { a; b; a -> b }"), d)
	assert.ErrorIs(t, err, graph.ErrTooLong)
	_, _, err = graph.CriticalPath(parseString(t, "digraph { a; b }"), d)
	assert.NoError(t, err)
	_, _, err = graph.CriticalPath(graphtest.Reference(), d)
	assert.ErrorContains(t, err, "2 durations, want one for each of 8 nodes")
	_, path, err := graph.CriticalPath(&graph.Graph{}, nil)
	assert.NoError(t, err)
	assert.Nil(t, path)
}
