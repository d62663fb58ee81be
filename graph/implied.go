package graph

import (
	"github.com/gpu-overlap/overlap/order"
	"github.com/gpu-overlap/overlap/schedule"
)

// Implied is the graph that a program's capture must give: a node for each op that it records, in the order of issue,
// and an edge of full completion from each op that the calls put directly before it. It rests on reachability over the
// calls (order.Of) and on none of the bookkeeping of a capture, so that comparing the two says something. Of a
// program that does not replay it is the order of the Body.
func Implied(p *schedule.Program) *Graph {
	if p == nil {
		return &Graph{}
	}
	return ImpliedBy(order.Of(p), p.Intent)
}

// ImpliedBy is Implied where the order of the program is known. Of an order that is another intent's the graph is empty.
func ImpliedBy(imposed *order.Order, in *schedule.Intent) *Graph {
	if imposed == nil || in == nil || !imposed.Fits(in) {
		return &Graph{}
	}
	g := &Graph{Nodes: make([]Node, len(imposed.Issue))}
	node := make([]int32, len(in.Ops))
	at := make([]int, len(imposed.Issue)+1) // where the next edge that leaves a node goes
	for i, op := range imposed.Issue {
		node[op] = int32(i)
		g.Nodes[i] = Node{Kind: kindOf(in.Ops[op].Kind), Op: schedule.At(op), Name: in.Ops[op].Name}
		for _, pred := range imposed.Preds(op) {
			at[node[pred]+1]++
		}
	}
	for i := range imposed.Issue {
		at[i+1] += at[i]
	}
	if n := at[len(imposed.Issue)]; n > 0 {
		g.Edges = make([]Edge, n)
	}
	for i, op := range imposed.Issue {
		for _, pred := range imposed.Preds(op) {
			from := node[pred]
			g.Edges[at[from]] = Edge{From: from, To: int32(i)}
			at[from]++
		}
	}
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
