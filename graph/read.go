package graph

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// ParseDOT reads a graph: one that WriteDOT wrote, or a dump of the driver (cuGraphDebugDotPrint, with any flags). No
// node of it is tied to an op: Op is -1. The name of a node is that which WriteDOT gave; in a dump, the kernel's symbol
// as the driver prints it, mangled. See Bind for tying a dump to ops.
//
// An error gives the line, what was found and what would be right.
func ParseDOT(r io.Reader) (*Graph, error) {
	src, err := io.ReadAll(io.LimitReader(r, maxBytes+1))
	if err != nil {
		return nil, fmt.Errorf("DOT: %w", err)
	}
	if len(src) > maxBytes {
		return nil, fmt.Errorf("DOT: want at most %d MiB", maxBytes>>20)
	}
	if at := invalid(src); at >= 0 {
		return nil, errorAt(1+strings.Count(string(src[:at]), "\n"), "want UTF-8 text, found the byte %#02x", src[at])
	}
	doc, err := parse(string(src))
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
func invalid(src []byte) int {
	for i := 0; i < len(src); {
		r, size := utf8.DecodeRune(src[i:])
		if r == 0 || r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}

// fromCanonical reads the form of WriteDOT. Attributes of nodes that it does not write, such as colours, are allowed.
func fromCanonical(doc *document) (*Graph, error) {
	g := &Graph{Nodes: make([]Node, 0, len(doc.nodes))}
	byID := make(map[string]int32, len(doc.nodes))
	for _, n := range doc.nodes {
		id := unescape(n.id.text)
		if _, twice := byID[id]; twice {
			return nil, errorAt(n.id.line, "node %v stands here a second time", n.id)
		}
		byID[id] = int32(len(g.Nodes))
		node := Node{Op: -1, Name: id}
		if name, ok := get(n.attrs, "name"); ok {
			node.Name = unescape(name.text)
		}
		if kind, ok := get(n.attrs, "kind"); ok {
			if node.Kind, ok = kindNamed(kind.text); !ok {
				return nil, errorAt(kind.line, "want a kind of node (%s), found %v", strings.Join(kindNames[:], ", "), kind)
			}
		}
		g.Nodes = append(g.Nodes, node)
	}
	for _, e := range doc.edges {
		edge, err := canonicalEdge(e, byID)
		if err != nil {
			return nil, err
		}
		g.Edges = append(g.Edges, edge)
	}
	return sorted(g, doc)
}

func canonicalEdge(e dotEdge, byID map[string]int32) (edge Edge, err error) {
	if edge.From, err = nodeOf(e.from, byID, unescape(e.from.text)); err != nil {
		return edge, err
	}
	if edge.To, err = nodeOf(e.to, byID, unescape(e.to.text)); err != nil {
		return edge, err
	}
	if v, ok := get(e.attrs, "type"); ok {
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
	if v, ok := get(e.attrs, "port"); ok {
		edge.FromPort, err = small(v, "the number of a port")
	}
	return edge, err
}

func nodeOf(at token, byID map[string]int32, id string) (int32, error) {
	n, ok := byID[id]
	if !ok {
		return 0, errorAt(at.line, "the edge names %v, want a node that the file declares", at)
	}
	return n, nil
}

func small(v token, want string) (uint8, error) {
	n, err := strconv.ParseUint(v.text, 10, 8)
	if err != nil {
		return 0, errorAt(v.line, "want %s, 0 to 255, found %v", want, v)
	}
	return uint8(n), nil
}

// sorted refuses an edge that stands twice; the driver knows no such graph, and a diff could not show it.
func sorted(g *Graph, doc *document) (*Graph, error) {
	seen := make(map[Edge]bool, len(g.Edges))
	for i, e := range g.Edges {
		if seen[e] {
			at := doc.edges[i]
			return nil, errorAt(at.from.line, "edge %v -> %v stands here a second time", at.from, at.to)
		}
		seen[e] = true
	}
	g.Sort()
	return g, nil
}
