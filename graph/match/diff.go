package match

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gpu-overlap/overlap/graph"
)

// Diff compares two graphs and says in lines how got differs from want: nodes first, then edges, each in the order of
// the graph. No line means equal: there is a bijection of the nodes that preserves name, kind and edges with their
// data.
//
// Nodes are matched by name, so ops by op. Nodes that share a name (kernels of a dump that no one bound to ops) are
// matched in the order of their creation: no line still proves equality, but a line may then be owed to another order.
// Bind first. Of a graph that is not valid the one line says why.
func Diff(want, got *graph.Graph) []string {
	if err := valid(want, got); err != nil {
		return []string{err.Error()}
	}
	d := compare(want, got, held{})
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
			case within:
				lines = append(lines, fmt.Sprintf("graph of %s %s: %s", c.what, c.name, c.got))
			}
		}
	}
	return lines
}

// Summary is Diff in one line, "1 node missing: X; 2 edges too many: A -> B, B -> C"; empty when the graphs are equal.
func Summary(want, got *graph.Graph) string {
	if err := valid(want, got); err != nil {
		return err.Error()
	}
	return summary(want, got, held{})
}

// valid is the error of the first of the graphs that is not valid. None is an empty one.
func valid(graphs ...*graph.Graph) error {
	for _, g := range graphs {
		if err := orEmpty(g).Validate(); err != nil {
			return err
		}
	}
	return nil
}

func summary(want, got *graph.Graph, memo held) string {
	d := compare(want, got, memo)
	var parts []string
	for _, list := range [][]change{d.nodes, d.edges} {
		for _, how := range []difference{missing, extra, other, within} {
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
	say := [...]string{"missing", "too many", "of another kind", "with another child graph"}[how]
	return fmt.Sprintf("%d %s %s: %s", count, what, say, strings.Join(names, ", "))
}

// compare matches the nodes by name, the k-th of a name with the k-th of that name.
func compare(want, got *graph.Graph, memo held) (d changes) {
	want, got = orEmpty(want), orEmpty(got)
	if same(want, got) {
		return d
	}
	index := map[nodeKey]int32{}
	for i, k := range nodeKeys(want) {
		index[k] = int32(i)
	}
	wantIDs, gotIDs := graph.UniqueNames([]*graph.Graph{want}), graph.UniqueNames([]*graph.Graph{got})
	to := make([]int32, len(want.Nodes)) // the node of got that matches each of want
	for i := range to {
		to[i] = -1
	}
	for i, k := range nodeKeys(got) {
		if w, ok := index[k]; ok {
			to[w], gotIDs[i] = int32(i), wantIDs[w]
		}
	}
	return changesBetween(want, got, to, byID{wantIDs, gotIDs, memo})
}

// byID calls nodes by their ids.
type byID struct {
	want, got []string
	memo      held
}

func (n byID) node(ofGot bool, i int32) string {
	if ofGot {
		return n.got[i]
	}
	return n.want[i]
}

func (n byID) edge(ofGot bool, e graph.Edge) string {
	return n.node(ofGot, e.From) + " -> " + n.node(ofGot, e.To)
}

func (n byID) kind(node graph.Node) string { return node.Kind.String() }

func (n byID) inside(want, got graph.Node) string {
	if w, g := len(want.Children), len(got.Children); w != g {
		return fmt.Sprintf("holds %d graphs, want %d", g, w)
	}
	for i := range want.Children {
		pair := [2]*graph.Graph{want.Children[i], got.Children[i]}
		text, ok := n.memo[pair]
		if !ok {
			text = summary(pair[0], pair[1], n.memo)
			n.memo[pair] = text
		}
		if text != "" {
			return text
		}
	}
	return ""
}

// held remembers how two graphs that nodes hold differ: one graph may hang on many nodes.
type held map[[2]*graph.Graph]string

// same says whether two graphs are equal node by node and edge by edge, without names to be looked up. Graphs that
// nodes hold are the same when they are one value.
func same(want, got *graph.Graph) bool {
	return slices.Equal(want.Edges, got.Edges) && slices.EqualFunc(want.Nodes, got.Nodes, func(a, b graph.Node) bool {
		return a.Name == b.Name && a.Kind == b.Kind && slices.Equal(a.Children, b.Children)
	})
}

func orEmpty(g *graph.Graph) *graph.Graph {
	if g == nil {
		return &graph.Graph{}
	}
	return g
}

// nodeKey matches nodes: the k-th of a name with the k-th of that name.
type nodeKey struct {
	name string
	k    int
}

func nodeKeys(g *graph.Graph) []nodeKey {
	keys := make([]nodeKey, len(g.Nodes))
	count := make(map[string]int, len(g.Nodes))
	for i, n := range g.Nodes {
		keys[i] = nodeKey{n.Name, count[n.Name]}
		count[n.Name]++
	}
	return keys
}
