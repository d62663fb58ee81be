package dot

import (
	"slices"
	"strconv"

	"github.com/gpu-overlap/overlap/graph"
)

// lenientData reads the data of an edge where it was added to a dump as Write writes it; the driver shows none.
// Whatever else a driver says of an edge is passed over, as is headlabel, the place of the edge among those of its
// head.
func lenientData(attrs []attr) (kind, port uint8) {
	e, err := edgeAttributes(attrs)
	if err != nil {
		return 0, 0
	}
	return e.Type, e.FromPort
}

// edgeAttributes reads type and port.
func edgeAttributes(attrs []attr) (edge graph.Edge, err error) {
	if v, ok := get(attrs, "type"); ok {
		switch v.text {
		case "full":
			edge.Type = graph.FullCompletion
		case "programmatic":
			edge.Type = graph.Programmatic
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

func small(v token, want string) (uint8, error) {
	n, err := strconv.ParseUint(v.text, 10, 8)
	if err != nil {
		return 0, errorAt(v.line, "want %s, 0 to 255, found %v", want, v)
	}
	return uint8(n), nil
}

// sortEdges refuses an edge that stands twice; the driver knows no such graph, and a diff could not show it. at is
// where each edge stands.
func sortEdges(g *graph.Graph, at []*dotEdge) error {
	if slices.IsSortedFunc(g.Edges, graph.CompareEdges) && !repeats(g.Edges) {
		return nil
	}
	seen := make(map[graph.Edge]bool, len(g.Edges))
	for i, e := range g.Edges {
		if seen[e] {
			return errorAt(at[i].from.line, "edge %v -> %v stands here a second time", at[i].from, at[i].to)
		}
		seen[e] = true
	}
	g.Sort()
	return nil
}

func repeats(edges []graph.Edge) bool {
	for i := range edges[min(1, len(edges)):] {
		if edges[i] == edges[i+1] {
			return true
		}
	}
	return false
}
