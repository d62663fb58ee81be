package dot

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/graph/internal/graphtest"
)

// What is written of the reference are the driver's own bytes, but for the number of the graph and what a Graph does
// not know: handles and launch dimensions.
func TestWriteDumpIsTheDrivers(t *testing.T) {
	for file, verbose := range map[string]bool{"arch_0.dot": false, "arch_v.dot": true} {
		want := testdata(t, file)
		for old, text := range map[string]string{`graph_16`: "graph_1", `cluster_16`: "cluster_1",
			`\\<\\<\\<1,1,0\\>\\>\\>`: "", `0x0000[0-9A-F]{12}`: "0x0000000000000000"} {
			want = regexp.MustCompile(old).ReplaceAllString(want, text)
		}
		assert.Equal(t, want, dumpOf(t, parseString(t, testdata(t, file)), verbose), file)
	}
}

func TestWriteDump(t *testing.T) {
	g := nested()
	short, verbose := dumpOf(t, g, false), dumpOf(t, g, true)
	assert.Contains(t, short, "\"graph_1_node_3\"[style=\"solid\" shape=\"rectangle\" label=\"3\nHOST\n\"];\n\n")
	assert.Contains(t, short, "\"graph_1_node_4\"[style=\"solid\" shape=\"rectangle\" label=\"4\ngraph_2\n\"];\n\n")
	assert.Contains(t, short, "\nsubgraph cluster_2 {\nlabel=\"graph_2\" graph[style=\"dashed\"];\n")
	assert.Contains(t, verbose,
		"{\nCONDITIONAL\n| {{ID | node handle} | {13 (topoId: 0) | 0x0000000000000000}}\n| {graph | graph_3}\n| {graph | graph_4}\n}\"];\n\n")
	assert.Contains(t, verbose, `"graph_2_node_0" -> "graph_2_node_1" [headlabel=0];`)
	for text, want := range map[string]*graph.Graph{short: anonymous(g), verbose: anonymous(g), dotOf(t, g): g} {
		again := parseString(t, text)
		assert.Equal(t, want, again)
		assert.Same(t, again.Nodes[graph.ConditionalNode].Children[0],
			again.Nodes[graph.ChildNode].Children[0].Nodes[1].Children[0])
	}
	assert.Equal(t, "TYPE_77", parseString(t, dumpOf(t, &graph.Graph{Nodes: []graph.Node{{Kind: 77}}},
		true)).Nodes[0].Name)

	for _, name := range []string{"", " f", "f\n", "a\nb"} {
		assert.ErrorContains(t, WriteDump(&strings.Builder{}, &graph.Graph{Nodes: []graph.Node{{Name: name}}}, false,
			nil), "node 0: want a name without line breaks")
	}
	for name, refused := range map[string]bool{"k<<<1,1,0>>>": true, "k<<<{1,2},1,0>>>": true, "k<<<T>>>": false,
		"<<<": false} {
		err := WriteDump(&strings.Builder{}, &graph.Graph{Nodes: []graph.Node{{Name: name}}}, false, nil)
		assert.Equal(t, refused, err != nil, name)
	}
	assert.ErrorContains(t, WriteDump(&strings.Builder{}, &graph.Graph{Edges: []graph.Edge{{From: 0, To: 1}}}, true,
		nil), "edge 0 -> 1: want nodes below 0")
	assert.EqualError(t, WriteDump(broken{}, graphtest.Reference(), true, nil), "pipe broken")
}

// randomNested is a random graph whose nodes are of all kinds and hold graphs down to a depth; some hang on two nodes.
func randomNested(r *rand.Rand, depth int, pool *[]*graph.Graph) *graph.Graph {
	g := graphtest.Random(r)
	for i := range g.Nodes {
		n := &g.Nodes[i]
		n.Kind = graph.Kind(r.IntN(len(dumpWords) + 1))
		if int(n.Kind) == len(dumpWords) {
			n.Kind = graph.UnknownNode
		}
		if n.Kind != graph.KernelNode && n.Kind != graph.UnknownNode {
			n.Name = n.Kind.String()
		} else if r.IntN(3) == 0 {
			n.Name = fmt.Sprintf(`N%d\<|"{}> ::%c`, r.IntN(9), 'a'+rune(r.IntN(26)))
		}
		if n.Kind != graph.ChildNode && n.Kind != graph.ConditionalNode {
			continue
		}
		for range r.IntN(2) + int(n.Kind)/int(graph.ConditionalNode) {
			switch {
			case len(*pool) > 0 && r.IntN(4) == 0:
				n.Children = append(n.Children, (*pool)[r.IntN(len(*pool))])
			case r.IntN(6) == 0:
				n.Children = append(n.Children, &graph.Graph{Nodes: []graph.Node{}})
			case depth > 0:
				n.Children = append(n.Children, randomNested(r, depth-1, pool))
			}
		}
	}
	*pool = append(*pool, g)
	return g
}

// Those of nodes that were destroyed are missing among the numbers.
func TestWriteDumpOfWhatIsLeft(t *testing.T) {
	g := &graph.Graph{Nodes: []graph.Node{{Kind: graph.EmptyNode}, {Kind: graph.EmptyNode}},
		Edges: []graph.Edge{{From: 0, To: 1}}}
	var b strings.Builder
	require.NoError(t, WriteDump(&b, g, true, map[*graph.Graph]Details{g: {IDs: []int32{2, 5}}}))
	assert.Contains(t, b.String(), `"graph_1_node_5"[style="solid" shape="rectangle" label="5 (topoId: 0)`)
	assert.Contains(t, b.String(), `"graph_1_node_2" -> "graph_1_node_5" [headlabel=0];`)
	assert.Equal(t, g.Edges, parseString(t, b.String()).Edges)
}

func TestRoundTripNested(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	held := 0
	for range 500 {
		var pool []*graph.Graph
		g := randomNested(r, 3, &pool)
		list, _ := sharing(g)
		held += len(list) - 1
		require.Equal(t, g, parseString(t, dotOf(t, g)))
		for _, text := range []string{dumpOf(t, g, false), dumpOf(t, g, true)} {
			require.Equal(t, anonymous(g), parseString(t, text), text)
		}
	}
	assert.Greater(t, held, 200)
}
