package graph

import "fmt"

// Validate refuses a graph whose edges lead to no node, and graphs that hold one another in a circle, or so deep that
// walking them would not end soon. It gives the first fault. A graph may have cycles.
func (g *Graph) Validate() error {
	if g == nil {
		return fmt.Errorf("graph: none; want one")
	}
	v := validator{state: map[*Graph]uint8{}}
	return v.look(g, 0)
}

const (
	mostDepth = 64      // of graphs in nodes of graphs
	mostNodes = 1 << 24 // of all, each as often as it is held
)

// validator looks at graphs in graphs, each once.
type validator struct {
	state map[*Graph]uint8 // 1: being looked at; 2: valid
	size  map[*Graph]int   // nodes with those of all that it holds
}

func (v *validator) look(g *Graph, depth int) error {
	switch {
	case v.state[g] == 1:
		return fmt.Errorf("graph: graphs that hold one another in a circle; want none")
	case v.state[g] == 2:
		return nil
	case depth > mostDepth:
		return fmt.Errorf("graph: graphs in graphs, %d deep; want at most %d", depth, mostDepth)
	}
	v.state[g] = 1
	nodes := len(g.Nodes)
	for i := range g.Nodes {
		n := &g.Nodes[i]
		for _, c := range n.Children {
			if c == nil {
				return fmt.Errorf("graph: node %d (%s) holds a graph that is none; want one", i, n.Name)
			}
			if err := v.look(c, depth+1); err != nil {
				return err
			}
			if nodes += v.size[c]; nodes > mostNodes {
				return fmt.Errorf("graph: more than %d nodes with those of the graphs in it; want fewer", mostNodes)
			}
		}
	}
	for _, e := range g.Edges {
		if !g.Has(e.From) || !g.Has(e.To) {
			return fmt.Errorf("graph: edge %d -> %d: want nodes below %d", e.From, e.To, len(g.Nodes))
		}
	}
	v.state[g] = 2
	if v.size == nil {
		v.size = map[*Graph]int{}
	}
	v.size[g] = nodes
	return nil
}
