package match

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/gpu-overlap/overlap/graph"
)

// Differences says in words how two graphs differ, whatever the numbering of their nodes: "node 3 (kernel f) of A has
// no counterpart in B", "edge A0 -> B1 is in A only". None means equal: there is a bijection of the nodes that
// preserves kind, name, edges with their data, and in the same way the graphs that nodes hold. Conversely, equal graphs
// give none.
//
// How two graphs differ is not one answer: the lines follow from a pairing of the nodes that leaves little over, not
// always the least. Nodes whose names occur once in each graph are called by name, others by their number.
//
// The error is ErrUndecided, for graphs so regular that they could not be compared to the end; the lines then are what
// the pairing found leaves over.
func Differences(a, b *graph.Graph) ([]string, error) {
	if err := valid(a, b); err != nil {
		return nil, err
	}
	work := maxWork
	return differences(orEmpty(a), orEmpty(b), newLabels(false, &work))
}

func differences(a, b *graph.Graph, exact *labels) ([]string, error) {
	_, found := isomorphism(newColored(a, exact.of(a)), newColored(b, exact.of(b)), exact.work)
	if found == yes {
		return nil, nil
	}
	loose := newLabels(true, exact.work)
	to := align(newColored(a, loose.of(a)), newColored(b, loose.of(b)))
	rename(a, b, to)
	var lines []string
	d := changesBetween(a, b, to, newWords(a, b, exact))
	for _, list := range [][]change{d.nodes, d.edges} {
		for _, c := range list {
			lines = append(lines, c.inWords())
		}
	}
	if found == undecided || exact.unsure {
		return lines, ErrUndecided
	}
	return lines, nil
}

func (c change) inWords() string {
	only, none := "A", "B"
	if c.how == extra {
		only, none = none, only
	}
	switch {
	case c.how == other:
		return fmt.Sprintf("%s %s is %s in A, %s in B", c.what, c.name, c.want, c.got)
	case c.how == within:
		return fmt.Sprintf("graph of %s %s: %s", c.what, c.name, c.got)
	case c.what == "node":
		return fmt.Sprintf("node %s of %s has no counterpart in %s", c.name, only, none)
	}
	return fmt.Sprintf("edge %s is in %s only", c.name, only)
}

// rename pairs nodes that are left over and differ in kind or name alone: all their edges are those of the other.
func rename(a, b *graph.Graph, to []int32) {
	from := make([]int32, len(b.Nodes))
	for w := range from {
		from[w] = -1
	}
	for u, w := range to {
		if w >= 0 {
			from[w] = int32(u)
		}
	}
	inA, outA, inB, outB := a.Predecessors(), a.Successors(), b.Predecessors(), b.Successors()
	same := func(as, bs []graph.Arc) bool {
		for _, x := range as {
			if to[x.Node] < 0 || !hasArc(bs, graph.Arc{Node: to[x.Node], Data: x.Data}) {
				return false
			}
		}
		return len(as) == len(bs)
	}
	for u, w := range to {
		// The candidates are the neighbours of one partner.
		for _, side := range [2][2]*graph.Adjacency{{inA, outB}, {outA, inB}} {
			if w >= 0 || to[u] >= 0 {
				break
			}
			arcs := side[0].Of(int32(u))
			if len(arcs) == 0 || to[arcs[0].Node] < 0 {
				continue
			}
			for _, y := range side[1].Of(to[arcs[0].Node]) {
				v := y.Node
				if to[u] < 0 && from[v] < 0 &&
					same(inA.Of(int32(u)), inB.Of(v)) && same(outA.Of(int32(u)), outB.Of(v)) {
					to[u], from[v] = v, int32(u)
				}
			}
		}
	}
}

// words calls the nodes of two graphs in a text.
type words struct {
	a, b   *graph.Graph
	unique bool // every name is one node's in each graph
	exact  *labels
}

func newWords(a, b *graph.Graph, exact *labels) *words {
	w := &words{a: a, b: b, unique: true, exact: exact}
	for _, g := range []*graph.Graph{a, b} {
		seen := make(map[string]bool, len(g.Nodes))
		for _, n := range g.Nodes {
			w.unique = w.unique && !seen[n.Name] && n.Name != ""
			seen[n.Name] = true
		}
	}
	return w
}

func (w *words) of(second bool) *graph.Graph {
	if second {
		return w.b
	}
	return w.a
}

func (w *words) node(second bool, i int32) string {
	n := w.of(second).Nodes[i]
	if w.unique {
		return n.Name + " (" + n.Kind.String() + ")"
	}
	return strconv.Itoa(int(i)) + " (" + w.kind(n) + ")"
}

func (w *words) edge(second bool, e graph.Edge) string {
	nodes := w.of(second).Nodes
	names := nodes[e.From].Name + " -> " + nodes[e.To].Name
	if w.unique {
		return names
	}
	return fmt.Sprintf("%d -> %d (%s)", e.From, e.To, names)
}

func (w *words) kind(n graph.Node) string {
	if n.Name == n.Kind.String() {
		return n.Name
	}
	return n.Kind.String() + " " + n.Name
}

func (w *words) inside(a, b graph.Node) string {
	if len(a.Children) != len(b.Children) {
		return fmt.Sprintf("holds %d graphs in A, %d in B", len(a.Children), len(b.Children))
	}
	for i := range a.Children {
		if w.exact.class(a.Children[i]) == w.exact.class(b.Children[i]) {
			continue
		}
		lines, _ := differences(a.Children[i], b.Children[i], w.exact)
		const most = 4
		if more := len(lines) - most; more > 0 {
			lines = append(lines[:most:most], fmt.Sprintf("and %d more", more))
		}
		return strings.Join(lines, "; ")
	}
	return ""
}
