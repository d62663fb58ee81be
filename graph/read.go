package graph

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// ParseDOT reads a graph: one that WriteDOT wrote, or a dump of the driver (cuGraphDebugDotPrint, with any flags). No
// node of it is tied to an op: Op is -1. The name of a node is that which WriteDOT gave; in a dump, the kernel's symbol
// as the driver prints it, mangled. See Bind for tying a dump to ops.
//
// An error in the text is a DOTError; it gives the line, what was found and what would be right.
func ParseDOT(r io.Reader) (*Graph, error) {
	var text strings.Builder
	if sized, ok := r.(interface{ Len() int }); ok {
		text.Grow(min(sized.Len(), maxBytes+1))
	}
	if _, err := io.Copy(&text, io.LimitReader(r, maxBytes+1)); err != nil {
		return nil, fmt.Errorf("DOT: %w", err)
	}
	src := text.String()
	if len(src) > maxBytes {
		return nil, fmt.Errorf("DOT: want at most %d MiB", maxBytes>>20)
	}
	if at := invalid(src); at >= 0 {
		return nil, errorAt(1+strings.Count(src[:at], "\n"), "want UTF-8 text, found the byte %#02x", src[at])
	}
	doc, err := parse(src)
	if err != nil {
		return nil, err
	}
	for _, n := range doc.nodes {
		if _, ok := parseDumpID(n.id.text); ok {
			return fromDump(doc)
		}
	}
	return fromCanonical(doc)
}

// invalid is the place of the first byte that is not text; -1 when all is.
func invalid(src string) int {
	if utf8.ValidString(src) && strings.IndexByte(src, 0) < 0 {
		return -1
	}
	for i := 0; i < len(src); {
		r, size := utf8.DecodeRuneInString(src[i:])
		if r == 0 || r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}

// place is where a node of the canonical form went.
type place struct {
	member *member
	node   int32
}

// fromCanonical reads the form of WriteDOT. Attributes of nodes that it does not write, such as colours, are allowed.
func fromCanonical(doc *document) (*Graph, error) {
	f := &family{}
	root := f.of(0, token{line: 1})
	root.graph.Nodes = make([]Node, 0, len(doc.nodes))
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
	node := Node{Name: id}
	if name, ok := get(n.attrs, "name"); ok {
		node.Name = unescape(name.text)
	}
	if kind, ok := get(n.attrs, "kind"); ok {
		if node.Kind, ok = kindNamed(kind.text); !ok {
			return nil, errorAt(kind.line, "want a kind of node (%s), found %v", strings.Join(kindNames[:], ", "), kind)
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

func canonicalEdge(e *dotEdge, places map[string]place) (edge Edge, m *member, err error) {
	from, err := nodeOf(e.from, places)
	if err != nil {
		return edge, nil, err
	}
	to, err := nodeOf(e.to, places)
	if err != nil {
		return edge, nil, err
	}
	if from.member != to.member {
		return edge, nil, errorAt(e.from.line, "the edge %v -> %v leaves its graph, want both ends in one", e.from, e.to)
	}
	edge, err = edgeAttributes(e.attrs)
	edge.From, edge.To = from.node, to.node
	return edge, from.member, err
}

// edgeAttributes reads type and port.
func edgeAttributes(attrs []attr) (edge Edge, err error) {
	if v, ok := get(attrs, "type"); ok {
		switch v.text {
		case "full":
			edge.Type = fullCompletion
		case "programmatic":
			edge.Type = programmatic
		default:
			if edge.Type, err = small(v, "full, programmatic or the number of another type of edge"); err != nil {
				return edge, err
			}
		}
	}
	if v, ok := get(attrs, "port"); ok {
		edge.FromPort, err = small(v, "the number of a port")
	}
	return edge, err
}

func nodeOf(at token, places map[string]place) (place, error) {
	p, ok := places[unescape(at.text)]
	if !ok {
		return p, errorAt(at.line, "the edge names %v, want a node that the file declares", at)
	}
	return p, nil
}

func small(v token, want string) (uint8, error) {
	n, err := strconv.ParseUint(v.text, 10, 8)
	if err != nil {
		return 0, errorAt(v.line, "want %s, 0 to 255, found %v", want, v)
	}
	return uint8(n), nil
}

// sortEdges refuses an edge that stands twice; the driver knows no such graph, and a diff could not show it. at is where
// each edge stands.
func sortEdges(g *Graph, at []*dotEdge) error {
	if slices.IsSortedFunc(g.Edges, compareEdges) && !repeats(g.Edges) {
		return nil
	}
	seen := make(map[Edge]bool, len(g.Edges))
	for i, e := range g.Edges {
		if seen[e] {
			return errorAt(at[i].from.line, "edge %v -> %v stands here a second time", at[i].from, at[i].to)
		}
		seen[e] = true
	}
	g.Sort()
	return nil
}

func repeats(edges []Edge) bool {
	for i := range edges[min(1, len(edges)):] {
		if edges[i] == edges[i+1] {
			return true
		}
	}
	return false
}
