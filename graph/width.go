package graph

// Width is the largest number of nodes of which none comes before another: as many may run at a time, and never more. A
// node that holds graphs counts as many as the widest of them, and at least one.
type Width struct {
	AtLeast, AtMost int     // the same but for graphs so large and tangled that finding out would take too long
	Nodes           []int32 // which make AtLeast; nodes of the graph itself, sorted
}

// Exact says whether the width is known.
func (w Width) Exact() bool { return w.AtLeast == w.AtMost }

// maxWidthWork bounds the search for a width; a step is an edge looked at.
const maxWidthWork = 400_000_000

// WidthOf finds the width of a graph (Dilworth: the least number of chains that cover it). It fails when the graph, or
// one that hangs in it, has a cycle.
func WidthOf(g *Graph) (Width, error) {
	if err := g.Validate(); err != nil {
		return Width{}, err
	}
	work := maxWidthWork
	return widthOf(g, map[*Graph]Width{}, &work)
}

func widthOf(g *Graph, known map[*Graph]Width, work *int) (Width, error) {
	if w, ok := known[g]; ok {
		return w, nil
	}
	out, in := g.Successors(), g.Predecessors()
	order, err := acyclic(out, in)
	if err != nil {
		return Width{}, err
	}
	least, most := make([]int, len(g.Nodes)), make([]int, len(g.Nodes))
	exact := true
	for i := range g.Nodes {
		least[i], most[i] = 1, 1
		for _, child := range g.Nodes[i].Children {
			w, err := widthOf(child, known, work)
			if err != nil {
				return Width{}, err
			}
			least[i], most[i] = max(least[i], w.AtLeast), max(most[i], w.AtMost)
			exact = exact && w.Exact()
		}
	}
	w := widest(out, in, order, least, work)
	if !exact {
		w.AtMost = widest(out, in, order, most, work).AtMost
	}
	known[g] = w
	return w, nil
}

// widest is the width with weights. A lower bound is the heaviest set of nodes that are equally deep, an upper one the
// chains found so far; where they do not meet, chains are joined until no more can be.
func widest(out, in *Adjacency, order []int32, weight []int, work *int) Width {
	w := level(out, in, order, weight)
	n := newNetwork(out, weight, work)
	n.greedy(order)
	for total := n.chains(); ; total = n.chains() {
		if w.AtMost = total; total == w.AtLeast || *work < 0 {
			return w
		}
		if !n.layers() {
			return Width{total, total, n.antichain()}
		}
		n.join()
	}
}

// level is the heaviest set of nodes at one depth, counted from the roots or from the sinks.
func level(out, in *Adjacency, order []int32, weight []int) (best Width) {
	depth := make([]int32, len(weight))
	for _, side := range [2]*Adjacency{in, out} {
		sum := make([]int, len(weight)+1)
		deepest := int32(-1)
		for k := range order {
			v := order[k]
			if side == out {
				v = order[len(order)-1-k]
			}
			depth[v] = 0
			for _, a := range side.Of(v) {
				depth[v] = max(depth[v], depth[a.Node]+1)
			}
			sum[depth[v]] += weight[v]
			if sum[depth[v]] > best.AtLeast {
				best.AtLeast, deepest = sum[depth[v]], depth[v]
			}
		}
		if deepest >= 0 {
			best.Nodes = best.Nodes[:0]
			for v, d := range depth {
				if d == deepest {
					best.Nodes = append(best.Nodes, int32(v))
				}
			}
		}
	}
	return best
}
