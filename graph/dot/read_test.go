package dot

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/graph/internal/graphtest"
	"github.com/gpu-overlap/overlap/graph/match"
)

// The driver's dumps of the reference experiment, short and verbose, by a C++ program and by PyTorch, are one graph.
func TestDumpsAreTheReference(t *testing.T) {
	names, err := ReadNames(strings.NewReader(testdata(t, "reference.names")))
	require.NoError(t, err)
	in := graphtest.Intent("A0 A1 B0 B1 C0 C1 D0 D1")
	for _, file := range []string{"arch_0.dot", "arch_v.dot", "arch_torch.dot"} {
		dump := parseString(t, testdata(t, file))
		require.Len(t, dump.Nodes, 8, file)
		require.Len(t, dump.Edges, 10, file)
		assert.False(t, dump.Nodes[0].Op.Some())
		assert.True(t, strings.HasPrefix(dump.Nodes[0].Name, "_Z18computation_kernely"), dump.Nodes[0].Name)
		assert.True(t, strings.HasPrefix(dump.Nodes[3].Name, "_Z20communication_kernely"), dump.Nodes[3].Name)
		assert.NotContains(t, dump.Nodes[0].Name, "<")

		got, err := Bind(dump, names, in)
		require.NoError(t, err, file)
		assert.Equal(t, graphtest.Reference(), got)
		assert.Empty(t, match.Diff(graphtest.Reference(), got), file)
		assert.Empty(t, match.Summary(graphtest.Reference(), got), file)

		got.Edges = append(got.Edges[:3:3], got.Edges[4:]...)
		assert.Equal(t, []string{"- edge B0 -> B1 (wanted, not got)"}, match.Diff(graphtest.Reference(), got))
		got.Edges = append(got.Edges, graph.Edge{From: 2, To: 3}, graph.Edge{From: 2, To: 5})
		assert.Equal(t, []string{"+ edge B0 -> C1 (got, not wanted)"}, match.Diff(graphtest.Reference(), got))
	}
}

func TestRead(t *testing.T) {
	kernel := graph.Node{Name: "k"}
	for _, c := range []struct {
		name, text string
		want       graph.Graph
	}{
		{"empty", "digraph dot {\nsubgraph cluster_1 {\nlabel=\"graph_1\" graph[style=\"dashed\"];\n}\n}\n",
			graph.Graph{Nodes: []graph.Node{}}},
		{"canonical", "digraph schedule {\n  A0 [kind=kernel];\n  H [kind=host];\n  A0 -> H [type=programmatic, port=1];\n}\n",
			graph.Graph{Nodes: []graph.Node{{Name: "A0"}, {Kind: graph.HostNode, Name: "H"}},
				Edges: []graph.Edge{{From: 0, To: 1, Type: 1, FromPort: 1}}}},
		{"by hand: comments, defaults, chains, colours",
			"/* why\n */ strict DIGRAPH {\n node [shape=box]; rankdir=LR // left to right\n" +
				"k [color=red]; \"a\\\"b\"; k -> \"a\\\"b\" -> k\n # end\n}",
			graph.Graph{Nodes: []graph.Node{kernel, {Name: `a"b`}},
				Edges: []graph.Edge{{From: 0, To: 1}, {From: 1, To: 0}}}},
		{"numbers and other types", "digraph { 1; -2.5; 1 -> -2.5 [type=7 port=0] }",
			graph.Graph{Nodes: []graph.Node{{Name: "1"}, {Name: "-2.5"}},
				Edges: []graph.Edge{{From: 0, To: 1, Type: 7}}}},
		{"names shared", "digraph {\"k#0\" [name=k]; \"k#1\" [name=k]; \"k#0\" -> \"k#1\"}",
			graph.Graph{Nodes: []graph.Node{kernel, kernel}, Edges: []graph.Edge{{From: 0, To: 1}}}},
		{"nodes of a dump in another order",
			`digraph dot { graph_7_node_1 [label="1\nm\n"]; graph_7_node_0 [label="0\nk\n"]; graph_7_node_0 -> graph_7_node_1 }`,
			graph.Graph{Nodes: []graph.Node{kernel, {Name: "m"}}, Edges: []graph.Edge{{From: 0, To: 1}}}},
		{"a dump after nodes were destroyed",
			`digraph dot { graph_7_node_4 [label="4\nm\n"]; graph_7_node_1 [label="1\nk\n"]; graph_7_node_1 -> graph_7_node_4 }`,
			graph.Graph{Nodes: []graph.Node{kernel, {Name: "m"}}, Edges: []graph.Edge{{From: 0, To: 1}}}},
	} {
		t.Run(c.name, func(t *testing.T) { assert.Equal(t, &c.want, parseString(t, c.text)) })
	}
}

func TestReadErrors(t *testing.T) {
	deep := strings.Repeat("{ subgraph ", 100)
	node := func(n, label string) string { return "\"graph_1_node_" + n + "\" [label=\"" + label + "\"];\n" }
	chain := func(n int) (text string) {
		for i := 2; i < n; i++ {
			text += fmt.Sprintf("graph_%d_node_0 [label=\"0\ngraph_%d\"];\n", i, i+1)
		}
		return text
	}
	for _, c := range []struct{ text, want string }{
		{"", "DOT line 1: want digraph, found the end of the file"},
		{"\ngraph { a -- b }", "line 2: want digraph, found graph"},
		{"digraph {\n a", "line 2: want a node, an edge or }, found the end of the file"},
		{"digraph {\n a -> ; }", "line 2: want the node to which the edge leads, found ;"},
		{"digraph {\n a:n -> b }", `line 2: want a name, a string or punctuation, found ":"`},
		{"digraph {\n \"a }", "line 2: want the closing quote"},
		{"digraph {\n /* a }", "line 2: want the end of this comment"},
		{"digraph { a [kind] }", "want =, found ]"},
		{"digraph { a [kind=] }", "want the value of kind, found ]"},
		{"digraph { a [=b] }", "want an attribute or ], found ="},
		{"digraph { a = }", "want a value, found }"},
		{"digraph a b {}", "want {, found b"},
		{"digraph {} digraph {}", "want the end of the file after one graph, found digraph"},
		{"digraph " + deep, "want at most 64 subgraphs"},
		{"digraph { a [kind=kernal] }", "want a kind of node (kernel, memcpy,"},
		{"digraph { a [kind=300] }", "want a kind of node"},
		{"digraph {\n\n a -> b; a }", "line 3: the edge names b, want a node that the file declares"},
		{"digraph { b; a -> b }", "the edge names a,"},
		{"digraph { a;\n a }", "line 2: node a stands here a second time"},
		{"digraph { a; b; a -> b;\n a -> b }", "line 2: edge a -> b stands here a second time"},
		{"digraph { a; a -> a [type=odd] }", "want full, programmatic or the number"},
		{"digraph { a; a -> a [port=256] }", "want the number of a port, 0 to 255, found 256"},
		{"digraph {\n a\x00 }", "line 2: want UTF-8 text, found the byte 0x00"},
		{"digraph {\n \"\xff\" }", "line 2: want UTF-8 text, found the byte 0xff"},
		{"digraph {" + node("0", "0\\nk") + "x }", "line 2: want a node called graph_G_node_N, found x"},
		{"digraph { graph_1_node_0 }", "want a label that says what node graph_1_node_0 is"},
		{"digraph {" + node("0", "") + "}", "want a label that says what the node is, found an empty one"},
		{"digraph {" + node("0", "{") + "}", "want the kind of the node first"},
		{"digraph {" + node("0", "{KERNEL\n| {cooperative | 0}}") + "}",
			"want the row {ID | number | name} of a kernel, found none"},
		{"digraph {" + node("1", "1\\nk") + node("1", "1\\nk") + "}",
			"line 2: node \"graph_1_node_1\" stands here a second time"},
		{"digraph {" + node("1", "1\\nk") + "graph_1_node_1 -> graph_1_node_0 }",
			"names a node that the file does not declare"},
		{"digraph {" + node("0", "0\\nk") + node("0", "0\\nk") + "}",
			"line 2: node \"graph_1_node_0\" stands here a second time"},
		{"digraph {" + node("0", "0\\nk") + "graph_1_node_0 -> graph_1_node_1 }",
			"names a node that the file does not declare"},
		{"digraph {" + node("0", "0\\nk") + "graph_1_node_0 -> graph_2_node_0 }",
			"want an edge between two nodes graph_G_node_N of one graph"},
		{"digraph {" + node("0", "0\\nk") + "graph_1_node_0 -> graph_1_node_0; graph_1_node_0 -> graph_1_node_0 [style=dashed] }", "line 2: edge graph_1_node_0 -> graph_1_node_0 stands here a second time"},
		{"digraph {" + node("0", "0\\nk") + "graph_2_node_0 [label=\"0\nq\"]; graph_2_node_0 -> graph_2_node_1 }",
			"names a node that the file does not declare"},
		{"digraph {" + node("0", "0\\nk") + "graph_2_node_0 [label=\"0\ngraph_3\"]; graph_3_node_0 [label=\"0\ngraph_2\"] }", "want one graph, found a second: graph_1 and graph_2, which no node of it holds"},
		{"digraph {" + node("0", "0\\ngraph_2") + "graph_2_node_0 [label=\"0\ngraph_3\"]; graph_3_node_0 [label=\"0\ngraph_2\"] }", "line 2: graph_2 holds itself"},
		{"digraph {" + node("0", "0\\ngraph_2") + chain(70) + "}", "want at most 64 child graphs within one another"},
		{"digraph { a [graph=x] }", "want the number of the graph that holds the node, found x"},
		{"digraph { a [holds=x] }", "want the numbers of the graphs that the node holds, found x"},
		{"digraph { a; b [graph=1]; a -> b }", "the edge a -> b leaves its graph, want both ends in one"},
		{"digraph { a;\n b [graph=1] }", "line 2: want one graph, found a second: graph_0 and graph_1"},
		{"digraph { a [holds=1]; b [graph=1 holds=\"1\"] }", "graph_1 holds itself"},
		{"digraph {" + node("0", "0\\ngraph_2") + "graph_2_node_0 [label=\"0\ngraph_1\"] }",
			"want a graph that is no other's child"},
	} {
		g, err := Read(strings.NewReader(c.text))
		require.ErrorContains(t, err, c.want, c.text)
		assert.Nil(t, g)
		assert.NotContains(t, err.Error(), "\n")
	}
	_, err := Read(iotest.ErrReader(errors.New("disk gone")))
	assert.EqualError(t, err, "DOT: disk gone")
}

// What was read is written and read again without a change, and nothing in a file makes the reader panic.
// Minimising the dumps takes the fuzzer a minute each: give it -fuzzminimizetime 100x.
func FuzzRead(f *testing.F) {
	for _, file := range []string{"arch_0.dot", "arch_v.dot", "arch_torch.dot", "hand_0.dot", "hand_v.dot",
		"memory_v.dot", "nested_v.dot"} {
		f.Add(testdata(f, file))
	}
	f.Add(dotOf(f, graphtest.Reference()))
	f.Add(dotOf(f, nested()))
	for _, verbose := range []bool{false, true} {
		f.Add(dumpOf(f, nested(), verbose))
	}
	f.Add("digraph {\"a#0\" [name=\"a\" kind=host]; \"a#1\" [name=a]; \"node\"; \"\\\\\"; \"a#0\" -> node [type=1 port=2]}")
	f.Fuzz(func(t *testing.T, text string) {
		g, err := Read(strings.NewReader(text))
		if err != nil {
			require.NotEmpty(t, err.Error())
			return
		}
		again := parseString(t, dotOf(t, g))
		require.Empty(t, match.Diff(g, again))
		require.Equal(t, dotOf(t, g), dotOf(t, again))
		require.Equal(t, g, again)
		require.Empty(t, differ(t, g, again))
		if w, err := graph.WidthOf(g); err == nil { // else it has a cycle
			require.True(t, w.Exact())
			_, path, err := graph.CriticalPath(g, make([]time.Duration, len(g.Nodes)))
			require.NoError(t, err)
			require.Equal(t, len(g.Nodes) == 0, len(path) == 0)
		}
		var dump strings.Builder
		for _, verbose := range []bool{false, true} {
			if dump.Reset(); WriteDump(&dump, g, verbose, nil) == nil { // what it refuses are names that a label cannot hold
				require.Equal(t, anonymous(g), anonymous(parseString(t, dump.String())))
			}
		}
	})
}
