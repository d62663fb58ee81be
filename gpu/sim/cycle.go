package sim

import (
	"slices"

	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/schedule"
)

// onCycle is the node that the driver names of a graph with a cycle: the first that is on one, and of empty nodes
// alone the one from which the way leads back (GR3, of 21 graphs; empty nodes in an order of their own are not among
// them). In a child it is one without a handle. nil when there is no cycle.
func (t *template) onCycle() *node {
	for i := range t.nodes {
		if m := t.nodes[i].extra; m != nil && m.child != nil && m.child.onCycle() != nil {
			return &node{op: schedule.None}
		}
	}
	if t.added == 0 { // without edges added to nodes that were there, all lead forward
		return nil
	}
	on := t.cyclic()
	at := int32(slices.Index(on, true))
	if at < 0 {
		return nil
	}
	first, way, empty := at, map[int32]bool{}, true
	for {
		way[at] = true
		empty = empty && t.nodes[at].kind() == graph.EmptyNode
		next := schedule.None
		for _, d := range t.dependents(at) {
			if on[d] && (next == schedule.None || way[d]) {
				next = d
			}
		}
		switch {
		case !way[next]:
			at = next
		case empty:
			return &t.nodes[at]
		default:
			return &t.nodes[first]
		}
	}
}

// cyclic says of each node whether it is on a cycle, or between two: neither what comes before it has a beginning,
// nor what comes behind it an end.
func (t *template) cyclic() []bool {
	deps, dependents := make([][]int32, len(t.nodes)), make([][]int32, len(t.nodes))
	for i := range t.nodes {
		deps[i] = t.nodes[i].deps
		for _, d := range deps[i] {
			dependents[d] = append(dependents[d], int32(i))
		}
	}
	on, behind := endless(deps, dependents), endless(dependents, deps)
	for i := range on {
		on[i] = on[i] && behind[i]
	}
	return on
}

// endless says of each node whether what comes before it has no beginning.
func endless(before, after [][]int32) []bool {
	waiting, list := make([]int, len(before)), make([]bool, len(before))
	var queue []int32
	for i := range before {
		if waiting[i] = len(before[i]); waiting[i] == 0 {
			queue = append(queue, int32(i))
		}
		list[i] = true
	}
	for k := 0; k < len(queue); k++ {
		list[queue[k]] = false
		for _, to := range after[queue[k]] {
			if waiting[to]--; waiting[to] == 0 {
				queue = append(queue, to)
			}
		}
	}
	return list
}
