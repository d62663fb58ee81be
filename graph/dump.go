package graph

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// dumpID is what the driver calls a node: "graph_16_node_3". The first number is that of the graph in the process and
// means nothing outside it, the second is the order of creation.
type dumpID struct{ graph, node int }

func parseDumpID(s string) (id dumpID, ok bool) {
	rest, ok := strings.CutPrefix(s, "graph_")
	if !ok {
		return id, false
	}
	g, n, ok := strings.Cut(rest, "_node_")
	if !ok {
		return id, false
	}
	if id.graph, ok = number(g); !ok {
		return id, false
	}
	id.node, ok = number(n)
	return id, ok
}

func number(s string) (int, bool) {
	n, err := strconv.ParseUint(s, 10, 31)
	return int(n), err == nil && digit(s[0])
}

type dumpNode struct {
	dumpID
	Node
	children []int // the graphs that its label names
	at       token
}

// fromDump reads a dump of the driver. A child graph stands in the file as a cluster of its own, named by the label of
// its node; it is one node here, so what is in it is passed over.
func fromDump(doc *document) (*Graph, error) {
	nodes, err := dumpNodes(doc)
	if err != nil {
		return nil, err
	}
	root, err := rootOf(nodes)
	if err != nil {
		return nil, err
	}
	nodes = slices.DeleteFunc(nodes, func(n dumpNode) bool { return n.graph != root })
	slices.SortStableFunc(nodes, func(a, b dumpNode) int { return a.node - b.node })
	g := &Graph{}
	for i, n := range nodes {
		if n.node != i {
			if i > 0 && n.node == i-1 {
				return nil, errorAt(n.at.line, "node %v stands here a second time", n.at)
			}
			return nil, errorAt(n.at.line, "want node %d of graph_%d before %v: nodes count from 0 without a gap", i, root, n.at)
		}
		g.Nodes = append(g.Nodes, n.Node)
	}
	top := document{}
	for _, e := range doc.edges {
		edge, inside, err := dumpEdge(e, root, len(g.Nodes))
		if err != nil {
			return nil, err
		}
		if inside {
			g.Edges = append(g.Edges, edge)
			top.edges = append(top.edges, e)
		}
	}
	return sorted(g, &top)
}

func dumpNodes(doc *document) ([]dumpNode, error) {
	nodes := make([]dumpNode, 0, len(doc.nodes))
	for _, n := range doc.nodes {
		id, ok := parseDumpID(n.id.text)
		if !ok {
			return nil, errorAt(n.id.line, "want a node called graph_G_node_N, found %v", n.id)
		}
		label, ok := get(n.attrs, "label")
		if !ok {
			return nil, errorAt(n.id.line, "want a label that says what node %v is", n.id)
		}
		node, children, err := readLabel(label.text)
		if err != nil {
			return nil, errorAt(label.line, "%v", err)
		}
		nodes = append(nodes, dumpNode{id, node, children, n.id})
	}
	return nodes, nil
}

// rootOf is the one graph that no node of another graph holds.
func rootOf(nodes []dumpNode) (int, error) {
	held := map[int]bool{}
	for _, n := range nodes {
		for _, c := range n.children {
			held[c] = c != n.graph || held[c]
		}
	}
	root := -1
	for _, n := range nodes {
		switch {
		case held[n.graph] || n.graph == root:
		case root >= 0:
			return 0, errorAt(n.at.line, "want one graph, found a second: graph_%d and graph_%d", root, n.graph)
		default:
			root = n.graph
		}
	}
	if root < 0 {
		return 0, errorAt(nodes[0].at.line, "want a graph that is no other's child, found that all are")
	}
	return root, nil
}

// dumpEdge reads an edge. An attribute other than headlabel (the place of the edge among those of its head) could say
// that the edge is programmatic: taking that for full completion would call different graphs equal.
func dumpEdge(e dotEdge, root, nodes int) (edge Edge, inside bool, err error) {
	from, ok1 := parseDumpID(e.from.text)
	to, ok2 := parseDumpID(e.to.text)
	if !ok1 || !ok2 || from.graph != to.graph {
		return edge, false, errorAt(e.from.line, "want an edge between two nodes graph_G_node_N of one graph, found %v -> %v", e.from, e.to)
	}
	if from.graph != root {
		return edge, false, nil
	}
	if from.node >= nodes || to.node >= nodes {
		return edge, false, errorAt(e.from.line, "the edge %v -> %v names a node that the file does not declare", e.from, e.to)
	}
	for _, a := range e.attrs {
		if a.key.text != "headlabel" {
			return edge, false, errorAt(a.key.line, "want no attribute of an edge but headlabel, found %v", a.key)
		}
	}
	return Edge{From: int32(from.node), To: int32(to.node)}, true, nil
}

// labelWords are the words by which dumps tell kinds of node.
var labelWords = map[string]Kind{
	"KERNEL": KernelNode, "MEMCPY": MemcpyNode, "MEMSET": MemsetNode, "HOST": HostNode, "EMPTY": EmptyNode,
	"CHILD": ChildNode, "CHILD_GRAPH": ChildNode, "GRAPH": ChildNode, "EVENT_RECORD": EventRecordNode,
	"WAIT_EVENT": WaitEventNode, "EVENT_WAIT": WaitEventNode, "EXT_SEMAS_SIGNAL": SignalSemaphoreNode,
	"EXT_SEMAS_WAIT": WaitSemaphoreNode, "MEM_ALLOC": MemAllocNode, "MEM_FREE": MemFreeNode,
	"BATCH_MEM_OP": BatchMemOpNode, "CONDITIONAL": ConditionalNode,
}

// readLabel finds kind and name. Short labels are lines, "0", "name"; long ones are record rows, "{KERNEL", "| {ID | 0
// (topoId: 7) | name\<\<\<1,1,0\>\>\>}" and others that differ from driver to driver and are passed over.
func readLabel(label string) (n Node, children []int, err error) {
	n.Op = -1
	lines := labelLines(label)
	if len(lines) > 0 && strings.HasPrefix(lines[0], "{") {
		return readRecord(lines)
	}
	if len(lines) < 2 {
		return n, nil, fmt.Errorf("want a label of two lines or more, the number of the node and its name, found %q", shorten(label))
	}
	n.Name = unescape(lines[1])
	if child, ok := graphNamed(n.Name); ok {
		return Node{Kind: ChildNode, Op: -1, Name: ChildNode.String()}, []int{child}, nil
	}
	if kind, ok := labelWords[n.Name]; ok && kind != KernelNode {
		n.Kind, n.Name = kind, kind.String()
	}
	return n, children, nil
}

func readRecord(lines []string) (n Node, children []int, err error) {
	n.Op = -1
	rows := append([]string{strings.TrimSpace(lines[0][1:])}, lines[1:]...)
	if rows[0] == "" {
		rows = rows[1:]
	}
	word := ""
	if len(rows) > 0 {
		word = strings.TrimSpace(strings.SplitN(strings.TrimRight(rows[0], "}"), "|", 2)[0])
	}
	kind, ok := labelWords[word]
	if !ok {
		_, ok = graphNamed(word)
		kind = ChildNode
	}
	if !ok {
		return n, nil, fmt.Errorf("want the kind of the node first in its label (KERNEL, MEMCPY, MEMSET, HOST, …), found %q", shorten(word))
	}
	n.Kind, n.Name = kind, kind.String()
	switch kind {
	case KernelNode:
		n.Name, err = kernelName(rows)
	case ChildNode, ConditionalNode:
		for _, row := range rows {
			for _, cell := range strings.FieldsFunc(row, func(r rune) bool { return strings.ContainsRune("{}| ", r) }) {
				if child, ok := graphNamed(cell); ok {
					children = append(children, child)
				}
			}
		}
	}
	return n, children, err
}

// kernelName reads the row of the id: its third cell, up to the launch dimensions.
func kernelName(rows []string) (string, error) {
	for _, row := range rows {
		cells, ok := strings.CutPrefix(strings.Join(strings.Fields(row), " "), "| {ID |")
		if !ok {
			continue
		}
		_, name, ok := strings.Cut(cells, "|")
		if !ok {
			break
		}
		name = strings.TrimSuffix(strings.TrimSpace(name), "}")
		if dims := strings.LastIndex(name, `\<\<\<`); dims >= 0 {
			name = name[:dims]
		}
		if name = unescape(strings.TrimSpace(name)); name != "" {
			return name, nil
		}
		break
	}
	return "", fmt.Errorf("want the row {ID | number | name} of a kernel, found none")
}

func graphNamed(s string) (int, bool) {
	rest, ok := strings.CutPrefix(s, "graph_")
	if !ok {
		return 0, false
	}
	return number(rest)
}

// labelLines splits a label at real newlines and at DOT's escapes for them; empty lines go.
func labelLines(label string) []string {
	var b strings.Builder
	for i := 0; i < len(label); i++ {
		if label[i] == '\\' && i+1 < len(label) {
			i++
			if strings.IndexByte("nlr", label[i]) >= 0 {
				b.WriteByte('\n')
				continue
			}
			b.WriteByte('\\')
		}
		b.WriteByte(label[i])
	}
	lines := strings.Split(b.String(), "\n")
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	return slices.DeleteFunc(lines, func(s string) bool { return s == "" })
}
