package graph

// adjacency lists the neighbours of each node on one side, in the order of the edges.
type adjacency struct {
	start []int32 // of each node's part of arcs; one more at the end
	arcs  []arc
}

// arc is an edge as one of its ends sees it.
type arc struct {
	node int32  // at the other end
	data uint16 // type and port
}

func (a *adjacency) of(node int32) []arc { return a.arcs[a.start[node]:a.start[node+1]] }

func (e Edge) packed() uint16 { return uint16(e.Type)<<8 | uint16(e.FromPort) }

// out lists the heads of the edges that leave each node, in the tails of those that reach it. Edges of nodes that are not
// there are left out.
func (g *Graph) out() *adjacency {
	return g.adjacent(func(e Edge) (node, other int32) { return e.From, e.To })
}

func (g *Graph) in() *adjacency {
	return g.adjacent(func(e Edge) (node, other int32) { return e.To, e.From })
}

func (g *Graph) adjacent(ends func(Edge) (node, other int32)) *adjacency {
	a := &adjacency{start: make([]int32, len(g.Nodes)+2)}
	for _, e := range g.Edges {
		if node, other := ends(e); g.has(node) && g.has(other) {
			a.start[node+2]++
		}
	}
	for i := 2; i < len(a.start); i++ {
		a.start[i] += a.start[i-1]
	}
	a.arcs = make([]arc, a.start[len(a.start)-1])
	for _, e := range g.Edges {
		if node, other := ends(e); g.has(node) && g.has(other) {
			a.arcs[a.start[node+1]] = arc{other, e.packed()}
			a.start[node+1]++
		}
	}
	a.start = a.start[:len(g.Nodes)+1]
	return a
}

// topological is an order in which every edge leads forward, smaller numbers first where there is a choice of two roots or
// two nodes that come free at once. Nodes in a cycle and those after it are missing.
func topological(out, in *adjacency) []int32 {
	n := len(out.start) - 1
	waits := make([]int32, n)
	order := make([]int32, 0, n)
	for i := range waits {
		if waits[i] = in.start[i+1] - in.start[i]; waits[i] == 0 {
			order = append(order, int32(i))
		}
	}
	for k := 0; k < len(order); k++ {
		for _, e := range out.of(order[k]) {
			if waits[e.node]--; waits[e.node] == 0 {
				order = append(order, e.node)
			}
		}
	}
	return order
}
