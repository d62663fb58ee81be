package graph

// Adjacency lists the neighbours of each node on one side, in the order of the edges.
type Adjacency struct {
	Start []int32 // of each node's part of Arcs; one more at the end
	Arcs  []Arc
}

// Arc is an edge as one of its ends sees it.
type Arc struct {
	Node int32  // at the other end
	Data uint16 // the edge's Type in the upper byte, FromPort in the lower
}

// Edge is an edge with the data of an arc.
func (a Arc) Edge(from, to int32) Edge {
	return Edge{From: from, To: to, Type: uint8(a.Data >> 8), FromPort: uint8(a.Data)}
}

// Of gives the neighbours of a node.
func (a *Adjacency) Of(node int32) []Arc {
	if node < 0 || int(node)+1 >= len(a.Start) {
		return nil
	}
	from, to := a.Start[node], a.Start[node+1]
	if from < 0 || from > to || int(to) > len(a.Arcs) {
		return nil
	}
	return a.Arcs[from:to]
}

func (e Edge) packed() uint16 { return uint16(e.Type)<<8 | uint16(e.FromPort) }

// Successors lists the heads of the edges that leave each node. Edges of nodes that are not there are left out.
func (g *Graph) Successors() *Adjacency {
	return g.adjacent(func(e Edge) (node, other int32) { return e.From, e.To })
}

// Predecessors lists the tails of the edges that reach each node. Edges of nodes that are not there are left out.
func (g *Graph) Predecessors() *Adjacency {
	return g.adjacent(func(e Edge) (node, other int32) { return e.To, e.From })
}

func (g *Graph) adjacent(ends func(Edge) (node, other int32)) *Adjacency {
	a := &Adjacency{Start: make([]int32, len(g.Nodes)+2)}
	for _, e := range g.Edges {
		if node, other := ends(e); g.Has(node) && g.Has(other) {
			a.Start[node+2]++
		}
	}
	for i := 2; i < len(a.Start); i++ {
		a.Start[i] += a.Start[i-1]
	}
	a.Arcs = make([]Arc, a.Start[len(a.Start)-1])
	for _, e := range g.Edges {
		if node, other := ends(e); g.Has(node) && g.Has(other) {
			a.Arcs[a.Start[node+1]] = Arc{other, e.packed()}
			a.Start[node+1]++
		}
	}
	a.Start = a.Start[:len(g.Nodes)+1]
	return a
}

// Topological is an order in which every edge leads forward, given the successors and the predecessors of a graph:
// smaller numbers first where there is a choice of two roots or two nodes that come free at once. Nodes in a cycle and
// those after it are missing. With the two sides exchanged it is an order from the sinks to the roots.
func Topological(out, in *Adjacency) []int32 {
	if out == nil || in == nil {
		return nil
	}
	n := max(len(out.Start)-1, 0)
	waits := make([]int32, n)
	order := make([]int32, 0, n)
	for i := range waits {
		if waits[i] = int32(len(in.Of(int32(i)))); waits[i] == 0 {
			order = append(order, int32(i))
		}
	}
	for k := 0; k < len(order); k++ {
		for _, e := range out.Of(order[k]) {
			if e.Node < 0 || int(e.Node) >= n {
				continue
			}
			if waits[e.Node]--; waits[e.Node] == 0 {
				order = append(order, e.Node)
			}
		}
	}
	return order
}
