package graph

import (
	"fmt"
	"slices"
	"strings"
)

// Diff compares two graphs and says in lines how got differs from want: nodes first, then edges, each in the order of
// the graph. No line means equal: there is a bijection of the nodes that preserves name, kind and edges with their data.
//
// Nodes are matched by name, so ops by op. Nodes that share a name (kernels of a dump that no one bound to ops) are
// matched in the order of their creation: no line still proves equality, but a line may then be owed to another order.
// Bind first.
func Diff(want, got *Graph) []string {
	d := compare(want, got)
	lines := make([]string, 0, len(d.nodes)+len(d.edges))
	for _, list := range [][]change{d.nodes, d.edges} {
		for _, c := range list {
			switch c.how {
			case missing:
				lines = append(lines, fmt.Sprintf("- %s %s (wanted, not got)", c.what, c.name))
			case extra:
				lines = append(lines, fmt.Sprintf("+ %s %s (got, not wanted)", c.what, c.name))
			case other:
				lines = append(lines, fmt.Sprintf("%s %s is %s, want %s", c.what, c.name, c.got, c.want))
			}
		}
	}
	return lines
}

// Summary is Diff in one line, "1 node missing: X; 2 edges too many: A -> B, B -> C"; empty when the graphs are equal.
func Summary(want, got *Graph) string {
	d := compare(want, got)
	var parts []string
	for _, list := range [][]change{d.nodes, d.edges} {
		for _, how := range []difference{missing, extra, other} {
			var names []string
			what := ""
			for _, c := range list {
				if c.how == how {
					what, names = c.what, append(names, c.name)
				}
			}
			if len(names) > 0 {
				parts = append(parts, summarize(what, how, names))
			}
		}
	}
	return strings.Join(parts, "; ")
}

func summarize(what string, how difference, names []string) string {
	const most = 6
	count := len(names)
	if count > 1 {
		what += "s"
	}
	if count > most {
		names = append(names[:most:most], fmt.Sprintf("and %d more", count-most))
	}
	return fmt.Sprintf("%d %s %s: %s", count, what, [...]string{"missing", "too many", "of another kind"}[how], strings.Join(names, ", "))
}

type difference uint8

const (
	missing difference = iota
	extra
	other
)

// change is one line of a diff.
type change struct {
	how       difference
	what      string // node or edge
	name      string
	want, got string // of other
}

type changes struct{ nodes, edges []change }

// compare numbers the nodes of both graphs as one set, those of want first, and then compares sets of nodes and edges.
func compare(want, got *Graph) (d changes) {
	want, got = orEmpty(want), orEmpty(got)
	if same(want, got) {
		return d
	}
	names, index := nodeIDs(want), map[nodeKey]int32{}
	for i, k := range nodeKeys(want) {
		index[k] = int32(i)
	}
	gotIDs := nodeIDs(got)
	merged := make([]int32, len(got.Nodes)) // the common number of each node of got
	kept := make([]int32, len(want.Nodes))  // the node of got that matches each of want
	for i := range kept {
		kept[i] = -1
	}
	for i, k := range nodeKeys(got) {
		if w, ok := index[k]; ok {
			merged[i], kept[w] = w, int32(i)
			continue
		}
		merged[i] = int32(len(names))
		names = append(names, gotIDs[i])
	}
	for w, g := range kept {
		switch {
		case g < 0:
			d.nodes = append(d.nodes, change{how: missing, what: "node", name: names[w]})
		case want.Nodes[w].Kind != got.Nodes[g].Kind:
			d.nodes = append(d.nodes, change{other, "node", names[w], want.Nodes[w].Kind.String(), got.Nodes[g].Kind.String()})
		}
	}
	for _, name := range names[len(want.Nodes):] {
		d.nodes = append(d.nodes, change{how: extra, what: "node", name: name})
	}
	renamed := make([]Edge, len(got.Edges))
	for i, e := range got.Edges {
		e.From, e.To = merged[e.From], merged[e.To]
		renamed[i] = e
	}
	d.edges = compareEdgeSets(slices.Clone(want.Edges), renamed, names)
	return d
}

// same says whether two graphs are equal node by node and edge by edge, without names to be looked up.
func same(want, got *Graph) bool {
	return slices.Equal(want.Edges, got.Edges) &&
		slices.EqualFunc(want.Nodes, got.Nodes, func(a, b Node) bool { return a.Name == b.Name && a.Kind == b.Kind })
}

func orEmpty(g *Graph) *Graph {
	if g == nil {
		return &Graph{}
	}
	return g
}

// nodeKey matches nodes: the k-th of a name with the k-th of that name.
type nodeKey struct {
	name string
	k    int
}

func nodeKeys(g *Graph) []nodeKey {
	keys := make([]nodeKey, len(g.Nodes))
	count := make(map[string]int, len(g.Nodes))
	for i, n := range g.Nodes {
		keys[i] = nodeKey{n.Name, count[n.Name]}
		count[n.Name]++
	}
	return keys
}

// compareEdgeSets compares two lists of edges. An edge that one side has with other data is one change, not two.
func compareEdgeSets(want, got []Edge, names []string) (list []change) {
	slices.SortFunc(want, compareEdges)
	slices.SortFunc(got, compareEdges)
	var lost, found []Edge // of want alone, of got alone
	merge(want, got, compareEdges, func(w, g *Edge) {
		switch {
		case g == nil:
			lost = append(lost, *w)
		case w == nil:
			found = append(found, *g)
		}
	})
	ends := func(a, b Edge) int { return compareEdges(Edge{From: a.From, To: a.To}, Edge{From: b.From, To: b.To}) }
	merge(lost, found, ends, func(w, g *Edge) {
		name := func(e *Edge) string { return names[e.From] + " -> " + names[e.To] }
		switch {
		case g == nil:
			list = append(list, change{how: missing, what: "edge", name: name(w)})
		case w == nil:
			list = append(list, change{how: extra, what: "edge", name: name(g)})
		default:
			list = append(list, change{other, "edge", name(w), w.data(), g.data()})
		}
	})
	return list
}

// merge walks two sorted lists and visits equals as pairs, others alone.
func merge(a, b []Edge, order func(a, b Edge) int, visit func(a, b *Edge)) {
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
