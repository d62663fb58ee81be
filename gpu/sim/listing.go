package sim

import (
	"cmp"
	"slices"

	"github.com/gpu-overlap/overlap/gpu"
	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/schedule"
)

// edges are in the driver's order: by the node that they leave, then as they came, with the node at which they end or
// later. ids are the numbers of the nodes.
func (t *template) edges(ids []int32) []graph.Edge {
	at := make([]int32, len(t.nodes)+1) // where the edges that leave a node begin
	for i := range t.nodes {
		for _, d := range t.nodes[i].deps {
			at[d+1]++
		}
	}
	for i := range t.nodes {
		at[i+1] += at[i]
	}
	out := make([]graph.Edge, at[len(t.nodes)])
	var came []int64 // by edge, when
	if t.added > 0 {
		came = make([]int64, len(out))
	}
	for i := range t.nodes {
		n := &t.nodes[i]
		for k, d := range n.deps {
			e := n.data(k)
			out[at[d]] = graph.Edge{From: ids[d], To: ids[i], Type: e.kind, FromPort: e.port}
			if came != nil {
				came[at[d]] = t.came(int32(i), k)
			}
			at[d]++
		}
	}
	if came != nil {
		sortEdges(out, came)
	}
	return out
}

// sortEdges sorts edges, which are sorted by the node that they leave, by when they came.
func sortEdges(edges []graph.Edge, came []int64) {
	order := make([]int, len(edges))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(edges[a].From, edges[b].From), cmp.Compare(came[a], came[b]))
	})
	old := slices.Clone(edges)
	for i, k := range order {
		edges[i] = old[k]
	}
}

// graph is what a driver says of nodes and edges. A node is named by its op, or by what the program calls it.
func (t *template) graph(p *schedule.Program) *graph.Graph {
	ids, count := t.numbers()
	g := &graph.Graph{Nodes: make([]graph.Node, 0, count)}
	for i := range t.nodes {
		n := &t.nodes[i]
		if n.gone() {
			continue
		}
		node := graph.Node{Kind: n.kind(), Op: schedule.At(n.op)}
		if name := n.name(); name != schedule.None {
			node.Name = p.NodeName(schedule.At(name))
		}
		g.Nodes = append(g.Nodes, node)
	}
	g.Edges = t.edges(ids)
	return g
}

// list is all that a driver says of a graph.
func (t *template) list(p *schedule.Program) *gpu.Listing {
	ids, count := t.numbers()
	l := &gpu.Listing{Graph: *t.graph(p), Deps: make([][]int32, 0, count), Dependents: make([][]int32, count)}
	for i := range t.nodes {
		n := &t.nodes[i]
		if n.gone() {
			continue
		}
		l.Nodes = append(l.Nodes, schedule.At(n.name()))
		l.Priorities = append(l.Priorities, int64(n.priority))
		var deps []int32
		for _, d := range n.deps {
			deps = append(deps, ids[d])
		}
		l.Deps = append(l.Deps, deps)
	}
	for _, i := range t.roots() {
		l.Roots = append(l.Roots, ids[i])
	}
	for _, e := range l.Graph.Edges {
		l.Dependents[e.From] = append(l.Dependents[e.From], e.To)
	}
	return l
}

// roots are the nodes without a dependency, the one that became so last first.
func (t *template) roots() (list []int32) {
	for i := range t.nodes {
		if n := &t.nodes[i]; len(n.deps) == 0 && !n.gone() {
			list = append(list, int32(i))
		}
	}
	since := func(i int32) int64 {
		if m := t.nodes[i].extra; m != nil && m.rooted > 0 {
			return m.rooted
		}
		return int64(i) << 32
	}
	slices.SortFunc(list, func(a, b int32) int { return cmp.Compare(since(b), since(a)) })
	return list
}
