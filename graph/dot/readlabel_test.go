package dot

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/schedule"
)

func TestDumpKinds(t *testing.T) {
	assert.Len(t, dumpWords, len(driverKinds()), "a word for each kind")
	for label, want := range map[string]graph.Node{
		"0\nMEMCPY\n(HtoD,4096)\n": {Kind: graph.MemcpyNode, Name: "memcpy"},
		"0\nMEMSET\n":              {Kind: graph.MemsetNode, Name: "memset"},
		"0\nHOST\n":                {Kind: graph.HostNode, Name: "host"},
		"0\nEMPTY\n":               {Kind: graph.EmptyNode, Name: "empty"},
		"0\nEVENT_RECORD\n":        {Kind: graph.EventRecordNode, Name: "event_record"},
		"0 (topoId: 3)\nEVENT_RECORD\nnode handle: 0x0\nevent: 0x0\n": {Kind: graph.EventRecordNode,
			Name: "event_record"},
		"0 (topoId: 3)\ngraph_7\nnode handle: 0x0\n": {Kind: graph.ChildNode, Name: "child"},
		"0\nMEM_ALLOC\n":            {Kind: graph.MemAllocNode, Name: "mem_alloc"},
		"0\nMEM_FREE\n":             {Kind: graph.MemFreeNode, Name: "mem_free"},
		"0\nBATCH_MEM_OP\n":         {Kind: graph.BatchMemOpNode, Name: "batch_mem_op"},
		"0\nEXT_SEMAS_SIGNAL\n":     {Kind: graph.SignalSemaphoreNode, Name: "ext_semas_signal"},
		"0\nEXT_SEMAS_WAIT\n":       {Kind: graph.WaitSemaphoreNode, Name: "ext_semas_wait"},
		"0":                         {Kind: graph.UnknownNode, Name: "0"},
		"{TELEPORT}":                {Kind: graph.UnknownNode, Name: "TELEPORT"},
		"{TELE\\|PORT\n| {ID | 0}}": {Kind: graph.UnknownNode, Name: "TELE|PORT"},
		"0\nEVENT_WAIT\n":           {Kind: graph.WaitEventNode, Name: "wait_event"},
		"0\nWAIT_EVENT\n":           {Name: "WAIT_EVENT"},
		"0\ngraph_9\n":              {Kind: graph.ChildNode, Name: "child"},
		"0\nhello\n":                {Name: "hello"},
		`0\nhello\n`:                {Name: "hello"},
		"0\nv<int>::f\\<int\\>\n":   {Name: "v<int>::f<int>"},
		"{MEMSET\n| {{ID | node handle} | {20 (topoId: 20) | 0x1}}\n}": {Kind: graph.MemsetNode,
			Name: "memset"},
		"{\nMEMCPY\n| {{ID | node handle} | {2 (topoId: 1) | 0x00}}\n| {kind | DtoD}\n}": {Kind: graph.MemcpyNode,
			Name: "memcpy"},
		"{HOST}": {Kind: graph.HostNode, Name: "host"},
		"{KERNEL\n| {cluster | 2}\n| {ID | 0 (topoId: 7) | f\\<int\\>\\<\\<\\<\\{1,2\\},1,0\\>\\>\\>}\n}": {Name: "f<int>"},
		"{KERNEL\n| {ID | 0 (topoId: 7) | plain}\n}":                                                      {Name: "plain"},
		"{CONDITIONAL\n| {bodies | graph_2}\n}":                                                           {Kind: graph.ConditionalNode, Name: "conditional"},
	} {
		want.Op = schedule.Ref{}
		g := parseString(t, "digraph dot { \"graph_1_node_0\"[style=\"bold\" label=\""+label+"\"];\n }")
		assert.Equal(t, []graph.Node{want}, g.Nodes, label)
	}
}

// A child graph is one node of its parent and hangs on it, wherever its cluster stands; where there is no cluster,
// nothing hangs there, and a cluster without a node is an empty graph.
func TestDumpChild(t *testing.T) {
	child := "subgraph cluster_5 {\n\"graph_5_node_0\"[label=\"0\nx\n\"];\n\"graph_5_node_1\"[label=\"1\ny\n\"];\n\"graph_5_node_0\" -> \"graph_5_node_1\";\n}\n"
	parent := "subgraph cluster_2 {\n\"graph_2_node_0\"[label=\"0\nk\n\"];\n\"graph_2_node_1\"[shape=\"rectangle\" label=\"1\ngraph_5\n\"];\n\"graph_2_node_0\" -> \"graph_2_node_1\";\n}\n"
	inner := &graph.Graph{Nodes: []graph.Node{{Name: "x"}, {Name: "y"}}, Edges: []graph.Edge{{From: 0, To: 1}}}
	want := func(children ...*graph.Graph) *graph.Graph {
		return &graph.Graph{Nodes: []graph.Node{{Name: "k"}, {Kind: graph.ChildNode, Name: "child",
			Children: children}}, Edges: []graph.Edge{{From: 0, To: 1}}}
	}
	assert.Equal(t, want(inner), parseString(t, "digraph dot {\n"+parent+child+"}\n"))
	assert.Equal(t, want(inner), parseString(t, "digraph dot {\n"+child+parent+"}\n"))
	assert.Equal(t, want(), parseString(t, "digraph dot {\n"+parent+"}\n"))
	assert.Equal(t, want(&graph.Graph{Nodes: []graph.Node{}}),
		parseString(t, "digraph dot {\n"+parent+"subgraph cluster_5 { label=x }\n}\n"))

	// Nodes of other kinds hold graphs too, in rows and in lines; a kernel may be called like a graph.
	for _, label := range []string{"1\nCONDITIONAL\ngraph_5\n", "{Conditional\n| {ID | 1}\n| {bodies | {graph_5}}\n}",
		"{CONDITIONAL\n| {graph_5 | graph_77}}"} {
		g := parseString(t, "digraph dot {\n"+strings.ReplaceAll(parent, "1\ngraph_5\n", label)+child+"}\n")
		assert.Equal(t, graph.Node{Kind: graph.ConditionalNode, Name: "conditional", Children: []*graph.Graph{inner}},
			g.Nodes[1], label)
	}
	kernel := parseString(t, "digraph dot {\n"+strings.ReplaceAll(parent, "rectangle", "octagon")+"}\n")
	assert.Equal(t, graph.Node{Name: "graph_5"}, kernel.Nodes[1])

	_, err := Read(strings.NewReader("digraph dot {\n" + strings.ReplaceAll(parent, "graph_5", "x") + child + "}\n"))
	assert.ErrorContains(t, err, "want one graph, found a second: graph_2 and graph_5")
}

// Without words that are known a short label goes by the shape, and an octagon is a kernel whatever it is called.
func TestDumpShapes(t *testing.T) {
	for shape, want := range map[string]graph.Node{
		"octagon":      {Name: "HOST"},
		"Octagon":      {Name: "HOST"},
		"rectangle":    {Kind: graph.HostNode, Name: "host"},
		"invtrapezium": {Kind: graph.HostNode, Name: "host"},
	} {
		want.Op = schedule.Ref{}
		assert.Equal(t, []graph.Node{want},
			parseString(t, "digraph dot { graph_1_node_0 [shape="+shape+" label=\"0\nHOST\n\"] }").Nodes, shape)
	}
	for shape, want := range map[string]graph.Node{
		"octagon":      {Name: "odd"},
		"trapezium":    {Kind: graph.MemcpyNode, Name: "memcpy"},
		"invtrapezium": {Kind: graph.MemsetNode, Name: "memset"},
		"rectangle":    {Kind: graph.UnknownNode, Name: "odd"},
		"star":         {Kind: graph.UnknownNode, Name: "odd"},
	} {
		want.Op = schedule.Ref{}
		assert.Equal(t, []graph.Node{want},
			parseString(t, "digraph dot { graph_1_node_0 [shape="+shape+" label=\"0\nodd\n\"] }").Nodes, shape)
	}
}

// What a driver says of an edge beside its data is passed over.
func TestDumpEdges(t *testing.T) {
	for attrs, want := range map[string]graph.Edge{
		"":                            {},
		"[headlabel=3]":               {},
		"[headlabel=3 style=dashed]":  {},
		"[headlabel=3 type=1 port=2]": {Type: 1, FromPort: 2},
		"[headlabel=3][type=programmatic, port=1]": {Type: 1, FromPort: 1},
		"[type=odd port=2]":                        {},
	} {
		want.To = 1
		g := parseString(t, "digraph dot { graph_1_node_0 [label=\"0\nk\"]; graph_1_node_1 [label=\"1\nk\"]; graph_1_node_0 -> graph_1_node_1 "+attrs+" }")
		assert.Equal(t, []graph.Edge{want}, g.Edges, attrs)
	}
}
