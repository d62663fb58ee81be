package sim

import (
	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/schedule"
)

// Results of cuGraphExecUpdate; 0 is success.
const (
	topologyChanged   = 2
	nodeTypeChanged   = 3
	parametersChanged = 5
	attributesChanged = 8
)

// differs says why an exec can not become one of another graph: nodes are paired from the sinks, through dependencies
// in their order (GR29). With it come the node of the error, and the one that an edge leads from; or the pairs, by
// node of the exec 1 + the other.
func (x *exec) differs(o *template) (result int64, at []*node, pair []int32) {
	t := x.source
	_, mine := t.numbers()
	_, others := o.numbers()
	a, b := t.sinks(), o.sinks()
	switch {
	case mine != others:
		return topologyChanged, nil, nil
	case len(a) != len(b):
		return topologyChanged, []*node{&o.nodes[b[0]]}, nil
	}
	pair = make([]int32, len(t.nodes))
	var queue []int32
	meet := func(x, y int32) bool {
		if pair[x] == 0 {
			pair[x] = y + 1
			queue = append(queue, x)
		}
		return pair[x] == y+1
	}
	for i := range a {
		meet(a[i], b[i])
	}
	for k := 0; k < len(queue); k++ {
		n, m := &t.nodes[queue[k]], &o.nodes[pair[queue[k]]-1]
		if result, at := x.nodeDiffers(n, m); result != 0 {
			return result, at, nil
		}
		for i, d := range n.deps {
			from := &o.nodes[m.deps[i]]
			if p, q := n.data(i), m.data(i); !meet(d, m.deps[i]) || p.kind != q.kind || p.port != q.port {
				return topologyChanged, []*node{m, from}, nil
			}
		}
	}
	return 0, nil, pair
}

// nodeDiffers compares two nodes that are paired.
func (x *exec) nodeDiffers(n, m *node) (int64, []*node) {
	switch {
	case n.kind() != m.kind():
		return nodeTypeChanged, []*node{m}
	case len(n.deps) != len(m.deps):
		return topologyChanged, []*node{m}
	case n.kind() == graph.MemcpyNode && n.class != m.class, n.kind() == graph.MemsetNode && n.plane() != m.plane():
		return parametersChanged, []*node{m}
	case x.urgent && n.priority != m.priority:
		return attributesChanged, []*node{m}
	case n.kind() == graph.ChildNode:
		inner := exec{source: n.extra.child, urgent: x.urgent}
		result, at, _ := inner.differs(m.extra.child)
		return result, at
	}
	return 0, nil
}

// plane says whether a fill has two dimensions.
func (n *node) plane() bool { return n.extra.api == schedule.Memset2D }
