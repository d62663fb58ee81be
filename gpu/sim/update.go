package sim

import (
	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/schedule"
)

// updateExec is cuGraphExecUpdate. Nodes that are not enabled stay so (measured).
func (h *host) updateExec(in schedule.Instr, a schedule.Args) schedule.Code {
	h.shown.Values = []int64{0}
	x, code := h.execOf(in.Graph)
	if code != schedule.Success {
		return code
	}
	t, code := h.graphOf(a.Graph)
	if code != schedule.Success {
		return code
	}
	if code := h.unsafe(in.Thread, "call make-exec"); code != schedule.Success { // taken to be as unsafe (not measured)
		h.shown.Values = nil
		return code
	}
	d := x.source.differs(t, x.urgent)
	h.shown.Values = []int64{d.result}
	for _, n := range d.at {
		h.shown.Nodes = append(h.shown.Nodes, n.name())
	}
	if d.result != 0 {
		return updateFailure
	}
	var off []int32
	for _, id := range x.off {
		off = append(off, d.pairs[id]-1)
	}
	x.replace(newExec(t, h.p.Intent, off))
	return schedule.Success
}

// difference says why an exec of one graph can not become one of another: the result, and with it the node of the error and
// the one that an edge leads from. Result 0: it can.
type difference struct {
	result int64
	at     []*node
	pairs  []int32 // by node: 1 + the other's
}

// differs pairs nodes from the sinks, through dependencies in their order (documented), and stops at the first pair that does
// not fit. Graphs of other numbers of nodes have no such pair, and one inside a child is not named (measured, both).
func (t *template) differs(o *template, urgent bool) difference {
	_, mine := t.numbers()
	_, others := o.numbers()
	a, b := t.sinks(), o.sinks()
	switch {
	case mine != others:
		return difference{result: topologyChanged}
	case len(a) != len(b):
		return difference{result: topologyChanged, at: []*node{&o.nodes[b[0]]}}
	}
	d := difference{pairs: make([]int32, len(t.nodes))}
	var queue []int32
	meet := func(x, y int32) bool {
		if d.pairs[x] == 0 {
			d.pairs[x] = y + 1
			queue = append(queue, x)
		}
		return d.pairs[x] == y+1
	}
	for i := range a {
		meet(a[i], b[i])
	}
	for k := 0; k < len(queue); k++ {
		x, y := &t.nodes[queue[k]], &o.nodes[d.pairs[queue[k]]-1]
		if result, named := x.unlike(y, urgent); result != 0 {
			d.result = result
			if named {
				d.at = []*node{y}
			}
			return d
		}
		for i, from := range x.deps {
			one, other := x.data(i), y.data(i)
			if !meet(from, y.deps[i]) || one.kind != other.kind || one.port != other.port {
				return difference{result: topologyChanged, at: []*node{y, &o.nodes[y.deps[i]]}}
			}
		}
	}
	return d
}

// unlike says what of a node can not become another, and whether the node is named then.
func (n *node) unlike(o *node, urgent bool) (result int64, named bool) {
	switch {
	case n.kind() != o.kind():
		return nodeTypeChanged, true
	case len(n.deps) != len(o.deps):
		return topologyChanged, true
	case n.kind() == graph.MemcpyNode && n.class != o.class, n.planar() != o.planar():
		return parametersChanged, true
	case urgent && n.priority != o.priority:
		return attributesChanged, true
	case n.kind() == graph.ChildNode:
		return n.more.child.differs(o.more.child, urgent).result, false
	}
	return 0, false
}

// planar says whether a node fills memory in two dimensions.
func (n *node) planar() bool {
	return n.kind() == graph.MemsetNode && n.more.api == schedule.Memset2D
}
