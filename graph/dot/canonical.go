package dot

import (
	"strings"

	"github.com/gpu-overlap/overlap/graph"
)

// place is where a node of the canonical form went.
type place struct {
	member *member
	node   int32
}

// fromCanonical reads the form of Write. Attributes of nodes that it does not write, such as colours, are allowed.
func fromCanonical(doc *document) (*graph.Graph, error) {
	f := &family{}
	root := f.of(0, token{line: 1})
	root.graph.Nodes = make([]graph.Node, 0, len(doc.nodes))
	places := make(map[string]place, len(doc.nodes))
	for i := range doc.nodes {
		n := &doc.nodes[i]
		id := unescape(n.id.text)
		if _, twice := places[id]; twice {
			return nil, errorAt(n.id.line, "node %v stands here a second time", n.id)
		}
		m, err := f.canonicalNode(root, n, id)
		if err != nil {
			return nil, err
		}
		places[id] = place{m, int32(len(m.graph.Nodes) - 1)}
	}
	for i := range doc.edges {
		e := &doc.edges[i]
		edge, m, err := canonicalEdge(e, places)
		if err != nil {
			return nil, err
		}
		m.graph.Edges, m.edges = append(m.graph.Edges, edge), append(m.edges, e)
	}
	for _, id := range f.order {
		if err := sortEdges(f.members[id].graph, f.members[id].edges); err != nil {
			return nil, err
		}
	}
	if err := f.tie(root); err != nil {
		return nil, err
	}
	return root.graph, nil
}

// canonicalNode appends a node to the graph that it names, without a name the root.
func (f *family) canonicalNode(root *member, n *dotNode, id string) (m *member, err error) {
	m = root
	node := graph.Node{Name: id}
	if name, ok := get(n.attrs, "name"); ok {
		node.Name = unescape(name.text)
	}
	if kind, ok := get(n.attrs, "kind"); ok {
		if node.Kind, ok = graph.ParseKind(kind.text); !ok {
			return nil, errorAt(kind.line, "want a kind of node (%s), found %v",
				strings.Join(driverKinds(), ", "), kind)
		}
	}
	if in, ok := get(n.attrs, "graph"); ok {
		id, ok := number(in.text)
		if !ok {
			return nil, errorAt(in.line, "want the number of the graph that holds the node, found %v", in)
		}
		m = f.of(id, n.id)
	}
	m.graph.Nodes = append(m.graph.Nodes, node)
	if holds, ok := get(n.attrs, "holds"); ok {
		ids, ok := numbers(holds.text)
		if !ok {
			return nil, errorAt(holds.line, "want the numbers of the graphs that the node holds, found %v", holds)
		}
		for len(m.holds) < len(m.graph.Nodes) {
			m.holds = append(m.holds, nil)
		}
		m.holds[len(m.graph.Nodes)-1] = ids
		for _, id := range ids {
			f.of(id, holds)
		}
	}
	return m, nil
}

func canonicalEdge(e *dotEdge, places map[string]place) (edge graph.Edge, m *member, err error) {
	from, err := nodeOf(e.from, places)
	if err != nil {
		return edge, nil, err
	}
	to, err := nodeOf(e.to, places)
	if err != nil {
		return edge, nil, err
	}
	if from.member != to.member {
		return edge, nil, errorAt(e.from.line, "the edge %v -> %v leaves its graph, want both ends in one",
			e.from, e.to)
	}
	edge, err = edgeAttributes(e.attrs)
	edge.From, edge.To = from.node, to.node
	return edge, from.member, err
}

func nodeOf(at token, places map[string]place) (place, error) {
	p, ok := places[unescape(at.text)]
	if !ok {
		return p, errorAt(at.line, "the edge names %v, want a node that the file declares", at)
	}
	return p, nil
}

// driverKinds are the kinds that the driver has.
func driverKinds() []string {
	names := graph.KindNames()
	return names[:len(names)-1]
}
