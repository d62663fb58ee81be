package dot

import (
	"slices"
	"strings"

	"github.com/gpu-overlap/overlap/graph"
)

// dumpID is what the driver calls a node: "graph_16_node_3". The first number is that of the graph in the process and
// means nothing outside it, the second is the order of creation; those of destroyed nodes are missing.
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

type dumpNode struct {
	dumpID
	graph.Node
	children []int // the graphs that its label names
	at       token
}

// fromDump reads a dump of the driver. A child graph stands in the file as a cluster of its own, named by the label of
// the node that holds it.
func fromDump(doc *document) (*graph.Graph, error) {
	f := &family{}
	for _, c := range doc.clusters {
		if name, ok := strings.CutPrefix(c.text, "cluster_"); ok {
			if id, ok := number(name); ok {
				f.of(id, c)
			}
		}
	}
	nodes, err := dumpNodes(doc)
	if err != nil {
		return nil, err
	}
	for len(nodes) > 0 {
		id := nodes[0].graph
		n := 1
		for n < len(nodes) && nodes[n].graph == id {
			n++
		}
		if err := f.of(id, nodes[0].at).fill(nodes[:n]); err != nil {
			return nil, err
		}
		nodes = nodes[n:]
	}
	if err := f.connect(doc.edges); err != nil {
		return nil, err
	}
	root, err := f.root()
	if err != nil {
		return nil, err
	}
	if err := f.tie(root); err != nil {
		return nil, err
	}
	return root.graph, nil
}

// dumpNodes reads the labels; the nodes come sorted by graph and number.
func dumpNodes(doc *document) ([]dumpNode, error) {
	nodes := make([]dumpNode, 0, len(doc.nodes))
	for i := range doc.nodes {
		n := &doc.nodes[i]
		id, ok := parseDumpID(n.id.text)
		if !ok {
			return nil, errorAt(n.id.line, "want a node called graph_G_node_N, found %v", n.id)
		}
		label, ok := get(n.attrs, "label")
		if !ok {
			return nil, errorAt(n.id.line, "want a label that says what node %v is", n.id)
		}
		shape, _ := get(n.attrs, "shape")
		node, children, err := readLabel(label.text, shape.text)
		if err != nil {
			return nil, errorAt(label.line, "%v", err)
		}
		nodes = append(nodes, dumpNode{id, node, children, n.id})
	}
	order := func(a, b dumpNode) int {
		if a.graph != b.graph {
			return a.graph - b.graph
		}
		return a.node - b.node
	}
	if !slices.IsSortedFunc(nodes, order) {
		slices.SortStableFunc(nodes, order)
	}
	return nodes, nil
}

// fill takes the nodes of one graph, sorted by number. What is left of a graph after nodes were destroyed counts from 0
// again.
func (m *member) fill(nodes []dumpNode) error {
	m.graph.Nodes = make([]graph.Node, 0, len(nodes))
	for i, n := range nodes {
		if i > 0 && n.node == nodes[i-1].node {
			return errorAt(n.at.line, "node %v stands here a second time", n.at)
		}
		if n.node != i && m.numbers == nil {
			m.numbers = make([]int, i, len(nodes))
			for k := range m.numbers {
				m.numbers[k] = k
			}
		}
		if m.numbers != nil {
			m.numbers = append(m.numbers, n.node)
		}
		m.graph.Nodes = append(m.graph.Nodes, n.Node)
		if len(n.children) > 0 {
			if m.holds == nil {
				m.holds = make([][]int, len(nodes))
			}
			m.holds[i] = n.children
		}
	}
	return nil
}

// find is the node of a number.
func (m *member) find(number int) (node int32, ok bool) {
	if m.numbers == nil {
		return int32(number), number < len(m.graph.Nodes)
	}
	at, ok := slices.BinarySearch(m.numbers, number)
	return int32(at), ok
}

// connect gives the edges to their graphs.
func (f *family) connect(edges []dotEdge) error {
	var m *member
	for i := range edges {
		e := &edges[i]
		from, ok1 := parseDumpID(e.from.text)
		to, ok2 := parseDumpID(e.to.text)
		if !ok1 || !ok2 || from.graph != to.graph {
			return errorAt(e.from.line, "want an edge between two nodes graph_G_node_N of one graph, found %v -> %v",
				e.from, e.to)
		}
		if m == nil || m.id != from.graph {
			m = f.members[from.graph]
		}
		var edge graph.Edge
		if ok1 = m != nil; ok1 {
			edge.From, ok1 = m.find(from.node)
			edge.To, ok2 = m.find(to.node)
		}
		if !ok1 || !ok2 {
			return errorAt(e.from.line, "the edge %v -> %v names a node that the file does not declare", e.from, e.to)
		}
		edge.Type, edge.FromPort = lenientData(e.attrs)
		m.graph.Edges = append(m.graph.Edges, edge)
		m.edges = append(m.edges, e)
	}
	for _, id := range f.order {
		m := f.members[id]
		if err := sortEdges(m.graph, m.edges); err != nil {
			return err
		}
	}
	return nil
}

// root is the one graph that no node of another graph holds.
func (f *family) root() (root *member, err error) {
	for _, id := range f.order {
		for _, ids := range f.members[id].holds {
			for _, child := range ids {
				if c := f.members[child]; c != nil {
					c.held = true
				}
			}
		}
	}
	for _, id := range f.order {
		switch m := f.members[id]; {
		case m.held || len(m.graph.Nodes) == 0:
		case root != nil:
			return nil, errorAt(m.at.line, "want one graph, found a second: graph_%d and graph_%d", root.id, id)
		default:
			root = m
		}
	}
	if root == nil {
		return nil, errorAt(f.members[f.order[0]].at.line, "want a graph that is no other's child, found that all are")
	}
	return root, nil
}
