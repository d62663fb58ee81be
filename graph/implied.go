package graph

import "github.com/gpu-overlap/overlap/schedule"

// Implied is the graph that a program's capture must give: a node for each op that it records, in the order of issue,
// and an edge of full completion from each op that the calls put directly before it. It rests on reachability over the
// calls (schedule.OrderOf) and on none of the bookkeeping of a capture, so that comparing the two says something. Of a
// program that does not replay it is the order of the Body.
func Implied(p *schedule.Program) *Graph {
	order := schedule.OrderOf(p)
	g := &Graph{Nodes: make([]Node, len(order.Issue))}
	node := make([]int32, len(p.Intent.Ops))
	for i, op := range order.Issue {
		node[op] = int32(i)
		g.Nodes[i] = Node{Kind: kindOf(p.Intent.Ops[op].Kind), Op: op, Name: p.Intent.Ops[op].Name}
	}
	for i, op := range order.Issue {
		for _, pred := range order.Preds(op) {
			g.Edges = append(g.Edges, Edge{From: node[pred], To: int32(i)})
		}
	}
	g.Sort()
	return g
}

func kindOf(k schedule.Kind) Kind {
	switch {
	case k == schedule.Host:
		return HostNode
	case k.Copies():
		return MemcpyNode
	}
	return KernelNode
}
