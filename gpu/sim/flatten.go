package sim

import (
	"slices"

	"github.com/gpu-overlap/overlap/gpu/sim/hardware"
	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/schedule"
)

// flattener makes the works of a graph from its nodes: a child becomes its nodes, between one before and one behind;
// a node whose start others wait for gets one before it, which stands for its start (it starts at once, unless it
// must wait for room on the device).
type flattener struct{ nodes []node }

// flat are the works of a graph, as nodes that depend on one another. Those that are off do nothing.
func flat(t *template, off []int32) []node {
	var f flattener
	f.level(t, nil, off)
	return f.nodes
}

func (f *flattener) add(n node) int32 {
	f.nodes = append(f.nodes, n)
	return int32(len(f.nodes) - 1)
}

// level adds the nodes of a graph, whose roots come behind before, and gives its sinks.
func (f *flattener) level(t *template, before, off []int32) (sinks []int32) {
	count := len(t.nodes)
	first, last := make([]int32, count), make([]int32, count) // of the works of a node
	marked := t.started()
	nothing := otherNode(hardware.Join, graph.EmptyNode, schedule.None)
	for i := range t.nodes {
		n := t.nodes[i]
		n.deps = nil
		switch {
		case n.gone():
		case slices.Contains(off, int32(i)):
			first[i] = f.add(nothing)
			last[i] = first[i]
		case n.extra != nil && n.extra.child != nil:
			first[i] = f.add(nothing)
			inner := f.level(n.extra.child, first[i:i+1], nil)
			last[i] = f.add(nothing)
			f.nodes[last[i]].deps = append(inner, first[i])
		case marked[i]:
			first[i] = f.add(nothing)
			last[i] = f.add(n)
			f.nodes[last[i]].deps = first[i : i+1]
		default:
			first[i] = f.add(n)
			last[i] = first[i]
		}
	}
	for i := range t.nodes {
		n := &t.nodes[i]
		if n.gone() {
			continue
		}
		deps := slices.Clone(before)
		if len(n.deps) > 0 {
			deps = nil
		}
		for k, d := range n.deps {
			// Behind a trigger what is no kernel waits for the end.
			if e := n.data(k); e.atStart() && (e.kind != programmaticEdge || n.kind() == graph.KernelNode) {
				deps = append(deps, first[d])
			} else {
				deps = append(deps, last[d])
			}
		}
		f.nodes[first[i]].deps = deps
	}
	for _, i := range t.sinks() {
		sinks = append(sinks, last[i])
	}
	return sinks
}

// started says of which nodes others wait for the start.
func (t *template) started() []bool {
	list := make([]bool, len(t.nodes))
	for i := range t.nodes {
		for k, d := range t.nodes[i].deps {
			list[d] = list[d] || t.nodes[i].data(k).atStart()
		}
	}
	return list
}

// plain says whether all nodes are captured ops, one after the other: then a launch takes them as they are.
func (t *template) plain() bool {
	return !slices.ContainsFunc(t.nodes, func(n node) bool { return n.extra != nil })
}
