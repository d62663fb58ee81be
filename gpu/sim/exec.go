package sim

import (
	"slices"

	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/schedule"
)

// exec is an instantiated graph. Two launches of one exec never overlap, whatever their streams.
type exec struct {
	nodes    []node
	sinks    []int32   // nodes on which none depends
	last     []int32   // the join of the latest launch
	source   *template // as it was
	off      []int32   // nodes of the source that are not enabled
	launched bool
	urgent   bool // its kernels mind their own priorities
	records  bool // it has nodes that leave something to be seen
	leaks    bool // each launch allocates what none frees
	edges    int  // that a launch makes, at most: those of the graph, and those of its fork and its join
	// pageable are the roots that copy from or to pageable memory: a launch first makes these copies, and only then
	// lets the rest begin and returns (GR43, seen on one schedule: wall and issue as if one after the other).
	pageable []int32
	roots    int     // nodes that wait for none
	waited   []int32 // all such copies, for the end of which a launch waits (GR41: behind a kernel, too)
}

func newExec(t *template, in *schedule.Intent, off []int32) *exec {
	x := &exec{source: t.clone(), off: off, leaks: t.leaks()}
	x.nodes = x.source.nodes
	if len(off) > 0 || !t.plain() {
		x.nodes = flat(t, off)
	}
	for i := range x.nodes {
		if !pageable(&x.nodes[i], in) {
			continue
		}
		x.waited = append(x.waited, int32(i))
		if holds(&x.nodes[i], in) {
			x.pageable = append(x.pageable, int32(i))
		}
	}
	x.records = slices.ContainsFunc(x.nodes, func(n node) bool {
		return n.extra != nil && (n.extra.kind == graph.EventRecordNode || n.extra.asked != nil)
	})
	x.sinks = (&template{nodes: x.nodes}).sinks()
	x.edges = 3 + len(x.sinks) + len(x.pageable) // of the fork from its stream and the launch before, and of the join
	for i := range x.nodes {
		if len(x.nodes[i].deps) == 0 {
			x.roots++
		}
		x.edges += max(1, len(x.nodes[i].deps))
	}
	return x
}

// leaks says whether a launch allocates more than it frees.
func (t *template) leaks() bool {
	n := 0
	for i := range t.nodes {
		switch t.nodes[i].kind() {
		case graph.MemAllocNode:
			n++
		case graph.MemFreeNode:
			n--
		}
	}
	return n > 0
}

// pageable says whether a node copies from or to pageable memory.
func pageable(n *node, in *schedule.Intent) bool {
	if n.op == schedule.None {
		return effects[n.extra.api].pageable
	}
	return in.Ops[n.op].Kind.Copies() && in.Ops[n.op].Pageable
}

// holds says whether a node is a root that copies from or to pageable memory, before which nothing else begins.
func holds(n *node, in *schedule.Intent) bool { return len(n.deps) == 0 && pageable(n, in) }

// replace lets an exec do something else from its next launch on.
func (x *exec) replace(with *exec) {
	last, urgent := x.last, x.urgent
	*x = *with
	x.last, x.urgent = last, urgent
}
