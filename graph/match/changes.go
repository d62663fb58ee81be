package match

import (
	"slices"

	"github.com/gpu-overlap/overlap/graph"
)

type difference uint8

const (
	missing difference = iota
	extra
	other
	within // two nodes are the same but for the graphs that they hold
)

// change is one line of a diff.
type change struct {
	how       difference
	what      string // node or edge
	name      string
	want, got string // of other; of within got says what differs
}

type changes struct{ nodes, edges []change }

// naming says how nodes and edges are called in a list of changes.
type naming interface {
	node(ofGot bool, i int32) string
	edge(ofGot bool, e graph.Edge) string
	kind(n graph.Node) string           // what two nodes that match must share beside the graphs that they hold
	inside(want, got graph.Node) string // how the graphs that two nodes hold differ; empty when they do not
}

// changesBetween lists what differs once to[i] is the node of got that node i of want is, -1 for none: nodes, then
// edges.
func changesBetween(want, got *graph.Graph, to []int32, names naming) (d changes) {
	merged := make([]int32, len(got.Nodes)) // common numbers: those of want first
	for i := range merged {
		merged[i] = -1
	}
	for w, g := range to {
		if g < 0 {
			d.nodes = append(d.nodes, change{how: missing, what: "node", name: names.node(false, int32(w))})
			continue
		}
		merged[g] = int32(w)
		a, b := want.Nodes[w], got.Nodes[g]
		if ka, kb := names.kind(a), names.kind(b); ka != kb {
			d.nodes = append(d.nodes, change{other, "node", names.node(false, int32(w)), ka, kb})
		} else if text := names.inside(a, b); text != "" {
			d.nodes = append(d.nodes, change{how: within, what: "node", name: names.node(false, int32(w)), got: text})
		}
	}
	back := slices.Clone(to) // the node of got by common number
	for g, w := range merged {
		if w < 0 {
			merged[g] = int32(len(back))
			back = append(back, int32(g))
			d.nodes = append(d.nodes, change{how: extra, what: "node", name: names.node(true, int32(g))})
		}
	}
	renamed := make([]graph.Edge, len(got.Edges))
	for i, e := range got.Edges {
		e.From, e.To = merged[e.From], merged[e.To]
		renamed[i] = e
	}
	d.edges = compareEdgeSets(slices.Clone(want.Edges), renamed, func(ofGot bool, e graph.Edge) string {
		if ofGot {
			e.From, e.To = back[e.From], back[e.To]
		}
		return names.edge(ofGot, e)
	})
	return d
}

// compareEdgeSets compares two lists of edges. An edge that one side has with other data is one change, not two.
func compareEdgeSets(want, got []graph.Edge, name func(ofGot bool, e graph.Edge) string) (list []change) {
	slices.SortFunc(want, graph.CompareEdges)
	slices.SortFunc(got, graph.CompareEdges)
	var lost, found []graph.Edge // of want alone, of got alone
	merge(want, got, graph.CompareEdges, func(w, g *graph.Edge) {
		switch {
		case g == nil:
			lost = append(lost, *w)
		case w == nil:
			found = append(found, *g)
		}
	})
	ends := func(a, b graph.Edge) int {
		return graph.CompareEdges(graph.Edge{From: a.From, To: a.To}, graph.Edge{From: b.From, To: b.To})
	}
	merge(lost, found, ends, func(w, g *graph.Edge) {
		switch {
		case g == nil:
			list = append(list, change{how: missing, what: "edge", name: name(false, *w)})
		case w == nil:
			list = append(list, change{how: extra, what: "edge", name: name(true, *g)})
		default:
			list = append(list, change{other, "edge", name(false, *w), w.Completion(), g.Completion()})
		}
	})
	return list
}

// merge walks two sorted lists and visits equals as pairs, others alone.
func merge(a, b []graph.Edge, order func(a, b graph.Edge) int, visit func(a, b *graph.Edge)) {
	for len(a) > 0 && len(b) > 0 {
		switch o := order(a[0], b[0]); {
		case o < 0:
			visit(&a[0], nil)
			a = a[1:]
		case o > 0:
			visit(nil, &b[0])
			b = b[1:]
		default:
			visit(&a[0], &b[0])
			a, b = a[1:], b[1:]
		}
	}
	for i := range a {
		visit(&a[i], nil)
	}
	for i := range b {
		visit(nil, &b[i])
	}
}
