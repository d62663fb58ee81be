package graph

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The driver's dumps of the reference experiment, short and verbose, by a C++ program and by PyTorch, are one graph.
func TestDumpsAreTheReference(t *testing.T) {
	names, err := ParseNames(strings.NewReader(testdata(t, "reference.names")))
	require.NoError(t, err)
	in := intentOf("A0 A1 B0 B1 C0 C1 D0 D1")
	for _, file := range []string{"arch_0.dot", "arch_v.dot", "arch_torch.dot"} {
		dump := parseString(t, testdata(t, file))
		require.Len(t, dump.Nodes, 8, file)
		require.Len(t, dump.Edges, 10, file)
		assert.Equal(t, int32(-1), dump.Nodes[0].Op)
		assert.True(t, strings.HasPrefix(dump.Nodes[0].Name, "_Z18computation_kernely"), dump.Nodes[0].Name)
		assert.True(t, strings.HasPrefix(dump.Nodes[3].Name, "_Z20communication_kernely"), dump.Nodes[3].Name)
		assert.NotContains(t, dump.Nodes[0].Name, "<")

		got, err := Bind(dump, names, in)
		require.NoError(t, err, file)
		assert.Equal(t, reference(), got)
		assert.Empty(t, Diff(reference(), got), file)
		assert.Empty(t, Summary(reference(), got), file)

		got.Edges = append(got.Edges[:3:3], got.Edges[4:]...)
		assert.Equal(t, []string{"- edge B0 -> B1 (wanted, not got)"}, Diff(reference(), got))
		got.Edges = append(got.Edges, Edge{From: 2, To: 3}, Edge{From: 2, To: 5})
		assert.Equal(t, []string{"+ edge B0 -> C1 (got, not wanted)"}, Diff(reference(), got))
	}
}

func TestParseDOT(t *testing.T) {
	kernel := Node{Op: -1, Name: "k"}
	for _, c := range []struct {
		name, text string
		want       Graph
	}{
		{"empty", "digraph dot {\nsubgraph cluster_1 {\nlabel=\"graph_1\" graph[style=\"dashed\"];\n}\n}\n", Graph{Nodes: []Node{}}},
		{"canonical", "digraph schedule {\n  A0 [kind=kernel];\n  H [kind=host];\n  A0 -> H [type=programmatic, port=1];\n}\n",
			Graph{Nodes: []Node{{Op: -1, Name: "A0"}, {Kind: HostNode, Op: -1, Name: "H"}}, Edges: []Edge{{0, 1, 1, 1}}}},
		{"by hand: comments, defaults, chains, colours", "/* why\n */ strict DIGRAPH {\n node [shape=box]; rankdir=LR // left to right\n" +
			"k [color=red]; \"a\\\"b\"; k -> \"a\\\"b\" -> k\n # end\n}",
			Graph{Nodes: []Node{kernel, {Op: -1, Name: `a"b`}}, Edges: []Edge{{From: 0, To: 1}, {From: 1, To: 0}}}},
		{"numbers and other types", "digraph { 1; -2.5; 1 -> -2.5 [type=7 port=0] }",
			Graph{Nodes: []Node{{Op: -1, Name: "1"}, {Op: -1, Name: "-2.5"}}, Edges: []Edge{{0, 1, 7, 0}}}},
		{"names shared", "digraph {\"k#0\" [name=k]; \"k#1\" [name=k]; \"k#0\" -> \"k#1\"}",
			Graph{Nodes: []Node{kernel, kernel}, Edges: []Edge{{From: 0, To: 1}}}},
		{"nodes of a dump in another order", `digraph dot { graph_7_node_1 [label="1\nm\n"]; graph_7_node_0 [label="0\nk\n"]; graph_7_node_0 -> graph_7_node_1 }`,
			Graph{Nodes: []Node{kernel, {Op: -1, Name: "m"}}, Edges: []Edge{{From: 0, To: 1}}}},
	} {
		t.Run(c.name, func(t *testing.T) { assert.Equal(t, &c.want, parseString(t, c.text)) })
	}
}

func TestDumpKinds(t *testing.T) {
	for label, want := range map[string]Node{
		"0\nMEMCPY\n(HtoD)\n":       {Kind: MemcpyNode, Name: "memcpy"},
		"0\nMEMSET\n":               {Kind: MemsetNode, Name: "memset"},
		"0\nHOST\n":                 {Kind: HostNode, Name: "host"},
		"0\nEMPTY\n":                {Kind: EmptyNode, Name: "empty"},
		"0\nEVENT_RECORD\n":         {Kind: EventRecordNode, Name: "event_record"},
		"0\nEvent Record\n":         {Kind: EventRecordNode, Name: "event_record"},
		"0\nmemcpy (HtoD,4096)\n":   {Kind: MemcpyNode, Name: "memcpy"},
		"0\nMem Alloc Node\n":       {Kind: MemAllocNode, Name: "mem_alloc"},
		"0\nMEM_FREE\n":             {Kind: MemFreeNode, Name: "mem_free"},
		"0\nBatchMemOp\n":           {Kind: BatchMemOpNode, Name: "batch_mem_op"},
		"0\nEXT_SEMAS_SIGNAL\n":     {Kind: SignalSemaphoreNode, Name: "ext_semas_signal"},
		"0\nEXT_SEMAS_WAIT\n":       {Kind: WaitSemaphoreNode, Name: "ext_semas_wait"},
		"0":                         {Kind: UnknownNode, Name: "0"},
		"{TELEPORT}":                {Kind: UnknownNode, Name: "TELEPORT"},
		"{TELE\\|PORT\n| {ID | 0}}": {Kind: UnknownNode, Name: "TELE|PORT"},
		"0\nEVENT_WAIT\n":           {Kind: WaitEventNode, Name: "wait_event"},
		"0\nWAIT_EVENT\n":           {Kind: WaitEventNode, Name: "wait_event"},
		"0\ngraph_9\n":              {Kind: ChildNode, Name: "child"},
		"0\nhello\n":                {Name: "hello"},
		`0\nhello\n`:                {Name: "hello"},
		"0\nv<int>::f\\<int\\>\n":   {Name: "v<int>::f<int>"},
		"{MEMSET\n| {{ID | node handle} | {20 (topoId: 20) | 0x1}}\n}":                   {Kind: MemsetNode, Name: "memset"},
		"{\nMEMCPY\n| {{ID | node handle} | {2 (topoId: 1) | 0x00}}\n| {kind | DtoD}\n}": {Kind: MemcpyNode, Name: "memcpy"},
		"{HOST}": {Kind: HostNode, Name: "host"},
		"{KERNEL\n| {cluster | 2}\n| {ID | 0 (topoId: 7) | f\\<int\\>\\<\\<\\<\\{1,2\\},1,0\\>\\>\\>}\n}": {Name: "f<int>"},
		"{KERNEL\n| {ID | 0 (topoId: 7) | plain}\n}":                                                      {Name: "plain"},
		"{CONDITIONAL\n| {bodies | graph_2}\n}":                                                           {Kind: ConditionalNode, Name: "conditional"},
	} {
		want.Op = -1
		g := parseString(t, "digraph dot { \"graph_1_node_0\"[style=\"bold\" label=\""+label+"\"];\n }")
		assert.Equal(t, []Node{want}, g.Nodes, label)
	}
}

// A child graph is one node of its parent and hangs on it, wherever its cluster stands; where there is no cluster, nothing
// hangs there, and a cluster without a node is an empty graph.
func TestDumpChild(t *testing.T) {
	child := "subgraph cluster_5 {\n\"graph_5_node_0\"[label=\"0\nx\n\"];\n\"graph_5_node_1\"[label=\"1\ny\n\"];\n\"graph_5_node_0\" -> \"graph_5_node_1\";\n}\n"
	parent := "subgraph cluster_2 {\n\"graph_2_node_0\"[label=\"0\nk\n\"];\n\"graph_2_node_1\"[shape=\"rectangle\" label=\"1\ngraph_5\n\"];\n\"graph_2_node_0\" -> \"graph_2_node_1\";\n}\n"
	inner := &Graph{Nodes: []Node{{Op: -1, Name: "x"}, {Op: -1, Name: "y"}}, Edges: []Edge{{From: 0, To: 1}}}
	want := func(children ...*Graph) *Graph {
		return &Graph{Nodes: []Node{{Op: -1, Name: "k"}, {Kind: ChildNode, Op: -1, Name: "child", Children: children}}, Edges: []Edge{{From: 0, To: 1}}}
	}
	assert.Equal(t, want(inner), parseString(t, "digraph dot {\n"+parent+child+"}\n"))
	assert.Equal(t, want(inner), parseString(t, "digraph dot {\n"+child+parent+"}\n"))
	assert.Equal(t, want(), parseString(t, "digraph dot {\n"+parent+"}\n"))
	assert.Equal(t, want(&Graph{Nodes: []Node{}}), parseString(t, "digraph dot {\n"+parent+"subgraph cluster_5 { label=x }\n}\n"))

	// Nodes of other kinds hold graphs too, in rows and in lines; a kernel may be called like a graph.
	for _, label := range []string{"1\nCONDITIONAL\ngraph_5\n", "{Conditional\n| {ID | 1}\n| {bodies | {graph_5}}\n}", "{IF\n| {graph_5 | graph_77}}"} {
		g := parseString(t, "digraph dot {\n"+strings.ReplaceAll(parent, "1\ngraph_5\n", label)+child+"}\n")
		assert.Equal(t, Node{Kind: ConditionalNode, Op: -1, Name: "conditional", Children: []*Graph{inner}}, g.Nodes[1], label)
	}
	kernel := parseString(t, "digraph dot {\n"+strings.ReplaceAll(parent, "rectangle", "octagon")+"}\n")
	assert.Equal(t, Node{Op: -1, Name: "graph_5"}, kernel.Nodes[1])

	_, err := ParseDOT(strings.NewReader("digraph dot {\n" + strings.ReplaceAll(parent, "graph_5", "x") + child + "}\n"))
	assert.ErrorContains(t, err, "want one graph, found a second: graph_2 and graph_5")
}

func TestParseDOTErrors(t *testing.T) {
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
		{"digraph {" + node("0", "{KERNEL\n| {cooperative | 0}}") + "}", "want the row {ID | number | name} of a kernel, found none"},
		{"digraph {" + node("1", "1\\nk") + "}", "want node 0 of graph_1 before \"graph_1_node_1\""},
		{"digraph {" + node("0", "0\\nk") + node("0", "0\\nk") + "}", "line 2: node \"graph_1_node_0\" stands here a second time"},
		{"digraph {" + node("0", "0\\nk") + "graph_1_node_0 -> graph_1_node_1 }", "names a node that the file does not declare"},
		{"digraph {" + node("0", "0\\nk") + "graph_1_node_0 -> graph_2_node_0 }", "want an edge between two nodes graph_G_node_N of one graph"},
		{"digraph {" + node("0", "0\\nk") + "graph_1_node_0 -> graph_1_node_0; graph_1_node_0 -> graph_1_node_0 [style=dashed] }", "line 2: edge graph_1_node_0 -> graph_1_node_0 stands here a second time"},
		{"digraph {" + node("0", "0\\nk") + "graph_2_node_0 [label=\"0\nq\"]; graph_2_node_0 -> graph_2_node_1 }", "names a node that the file does not declare"},
		{"digraph {" + node("0", "0\\nk") + "graph_2_node_0 [label=\"0\ngraph_3\"]; graph_3_node_0 [label=\"0\ngraph_2\"] }", "want one graph, found a second: graph_1 and graph_2, which no node of it holds"},
		{"digraph {" + node("0", "0\\ngraph_2") + "graph_2_node_0 [label=\"0\ngraph_3\"]; graph_3_node_0 [label=\"0\ngraph_2\"] }", "line 2: graph_2 holds itself"},
		{"digraph {" + node("0", "0\\ngraph_2") + chain(70) + "}", "want at most 64 child graphs within one another"},
		{"digraph { a [graph=x] }", "want the number of the graph that holds the node, found x"},
		{"digraph { a [holds=x] }", "want the numbers of the graphs that the node holds, found x"},
		{"digraph { a; b [graph=1]; a -> b }", "the edge a -> b leaves its graph, want both ends in one"},
		{"digraph { a;\n b [graph=1] }", "line 2: want one graph, found a second: graph_0 and graph_1"},
		{"digraph { a [holds=1]; b [graph=1 holds=\"1\"] }", "graph_1 holds itself"},
		{"digraph {" + node("0", "0\\ngraph_2") + "graph_2_node_0 [label=\"0\ngraph_1\"] }", "want a graph that is no other's child"},
	} {
		g, err := ParseDOT(strings.NewReader(c.text))
		require.ErrorContains(t, err, c.want, c.text)
		assert.Nil(t, g)
		assert.NotContains(t, err.Error(), "\n")
	}
	_, err := ParseDOT(iotest.ErrReader(errors.New("disk gone")))
	assert.EqualError(t, err, "DOT: disk gone")
}

// Without words that are known a short label goes by the shape, and an octagon is a kernel whatever it is called.
func TestDumpShapes(t *testing.T) {
	for shape, want := range map[string]Node{
		"octagon":      {Name: "HOST"},
		"Octagon":      {Name: "HOST"},
		"rectangle":    {Kind: HostNode, Name: "host"},
		"invtrapezium": {Kind: HostNode, Name: "host"},
	} {
		want.Op = -1
		assert.Equal(t, []Node{want}, parseString(t, "digraph dot { graph_1_node_0 [shape="+shape+" label=\"0\nHOST\n\"] }").Nodes, shape)
	}
	for shape, want := range map[string]Node{
		"octagon":      {Name: "odd"},
		"trapezium":    {Kind: MemcpyNode, Name: "memcpy"},
		"invtrapezium": {Kind: MemsetNode, Name: "memset"},
		"rectangle":    {Kind: UnknownNode, Name: "odd"},
		"star":         {Kind: UnknownNode, Name: "odd"},
	} {
		want.Op = -1
		assert.Equal(t, []Node{want}, parseString(t, "digraph dot { graph_1_node_0 [shape="+shape+" label=\"0\nodd\n\"] }").Nodes, shape)
	}
}

// What a driver says of an edge beside its data is passed over.
func TestDumpEdges(t *testing.T) {
	for attrs, want := range map[string]Edge{
		"":                            {},
		"[headlabel=3]":               {},
		"[headlabel=3 style=dashed]":  {},
		"[headlabel=3 type=1 port=2]": {Type: 1, FromPort: 2},
		"[headlabel=3][type=programmatic, port=1]": {Type: 1, FromPort: 1},
		"[type=odd port=2]":                        {},
	} {
		want.To = 1
		g := parseString(t, "digraph dot { graph_1_node_0 [label=\"0\nk\"]; graph_1_node_1 [label=\"1\nk\"]; graph_1_node_0 -> graph_1_node_1 "+attrs+" }")
		assert.Equal(t, []Edge{want}, g.Edges, attrs)
	}
}

// What was read is written and read again without a change, and nothing in a file makes the reader panic.
// Minimising the dumps takes the fuzzer a minute each: give it -fuzzminimizetime 100x.
func FuzzParseDOT(f *testing.F) {
	for _, file := range []string{"arch_0.dot", "arch_v.dot", "arch_torch.dot"} {
		f.Add(testdata(f, file))
	}
	f.Add(dotOf(f, reference()))
	f.Add(dotOf(f, nested()))
	for _, verbose := range []bool{false, true} {
		f.Add(dumpOf(f, nested(), verbose))
	}
	f.Add("digraph {\"a#0\" [name=\"a\" kind=host]; \"a#1\" [name=a]; \"node\"; \"\\\\\"; \"a#0\" -> node [type=1 port=2]}")
	f.Fuzz(func(t *testing.T, text string) {
		g, err := ParseDOT(strings.NewReader(text))
		if err != nil {
			require.NotEmpty(t, err.Error())
			return
		}
		again := parseString(t, dotOf(t, g))
		require.Empty(t, Diff(g, again))
		require.Equal(t, dotOf(t, g), dotOf(t, again))
		require.Equal(t, g, again)
		var dump strings.Builder
		for _, verbose := range []bool{false, true} {
			if dump.Reset(); WriteDump(&dump, g, verbose) == nil { // what it refuses are names that a label cannot hold
				require.Equal(t, anonymous(g), anonymous(parseString(t, dump.String())))
			}
		}
	})
}
