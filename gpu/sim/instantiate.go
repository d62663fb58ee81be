package sim

import (
	"slices"

	"github.com/gpu-overlap/overlap/gpu/sim/tables"
	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/schedule"
)

// Results of cuGraphInstantiateWithParams and of cuGraphExecUpdate; 0 is success.
const (
	instantiateError     = 1
	invalidStructure     = 2
	topologyChanged      = 2
	nodeTypeChanged      = 3
	parametersChanged    = 5
	attributesChanged    = 8
	useNodePriority      = 8 // a flag
	knownInstantiateBits = 15
)

// instantiateWith is cuGraphInstantiateWithParams: of a graph with a cycle it names a node.
func (h *host) instantiateWith(in schedule.Instr, a schedule.Args) schedule.Code {
	from := in.Graph
	if a.Graph.Some() {
		from = a.Graph
	}
	if _, code := h.graphOf(from); code == schedule.InvalidHandle {
		return code
	}
	code, bad := h.makeExec(in, from)
	switch {
	case code == schedule.Success && a.Number&^knownInstantiateBits != 0:
		code = schedule.InvalidValue
		h.shown.Values = []int64{instantiateError}
	case bad != nil:
		h.shown.Values, h.shown.Nodes = []int64{invalidStructure}, []schedule.Ref{schedule.At(bad.name())}
	case code != schedule.Success:
		h.shown.Values = []int64{instantiateError}
	default:
		h.execs[in.Graph.Index()].urgent = a.Number&useNodePriority != 0
		h.shown.Values = []int64{0}
	}
	return code
}

// makeExec instantiates a graph into the exec of another, or of itself, unless it has a cycle.
func (h *host) makeExec(in schedule.Instr, from schedule.Ref) (schedule.Code, *node) {
	t, code := h.graphOf(from)
	if code == schedule.InvalidHandle {
		return code, nil // no call is made
	}
	if code := h.unsafe(in.Thread, tables.MakeExec); code != schedule.Success {
		return code, nil
	}
	if code != schedule.Success {
		return code, nil
	}
	if bad := t.onCycle(); bad != nil {
		return schedule.InvalidValue, bad
	}
	h.execs[in.Graph.Index()], h.lost[in.Graph.Index()].exec = newExec(t, h.p.Intent, nil), false
	return schedule.Success, nil
}

// execOf is the exec of a graph that a call names.
func (h *host) execOf(g schedule.Ref) (*exec, schedule.Code) {
	switch id := g.Index(); {
	case g == schedule.Null:
		return nil, schedule.InvalidValue
	case h.lost[id].exec:
		return nil, schedule.InvalidHandle
	case h.execs[id] == nil:
		return nil, schedule.InvalidValue
	}
	return h.execs[g.Index()], schedule.Success
}

// destroyExec returns at once; what runs goes on.
func (h *host) destroyExec(in schedule.Instr) schedule.Code {
	_, code := h.execOf(in.Graph)
	if code == schedule.InvalidHandle {
		return code // no call is made
	}
	if code := h.unsafe(in.Thread, tables.DestroyExec); code != schedule.Success {
		return code
	}
	if code != schedule.Success {
		return code
	}
	h.execs[in.Graph.Index()], h.lost[in.Graph.Index()].exec = nil, true
	return schedule.Success
}

// enableNode is cuGraphNodeSetEnabled: for kernels, memsets and copies. A node that is not enabled only keeps its edges.
func (h *host) enableNode(in schedule.Instr, a schedule.Args) schedule.Code {
	x, code := h.execOf(in.Graph)
	switch {
	case code != schedule.Success:
		return code
	case a.Node == schedule.Null:
		return schedule.InvalidValue
	}
	if owner, _ := h.nodeNamed(h.captured[in.Graph.Index()], a.Node.Index()); owner == nil {
		return schedule.InvalidHandle
	}
	at := slices.IndexFunc(x.source.nodes, func(n node) bool { return n.name() == a.Node.Index() && !n.gone() })
	if at < 0 {
		return schedule.InvalidValue
	}
	switch x.source.nodes[at].kind() {
	case graph.KernelNode, graph.MemsetNode, graph.MemcpyNode:
	default:
		return schedule.InvalidValue
	}
	off := slices.DeleteFunc(slices.Clone(x.off), func(id int32) bool { return id == int32(at) })
	if a.Number == 0 {
		off = append(off, int32(at))
	}
	x.replace(newExec(x.source, h.p.Intent, off))
	return schedule.Success
}

// replace lets an exec do something else from its next launch on.
func (x *exec) replace(with *exec) {
	last, urgent := x.last, x.urgent
	*x = *with
	x.last, x.urgent = last, urgent
}

// updateExec is cuGraphExecUpdate.
func (h *host) updateExec(in schedule.Instr, a schedule.Args) schedule.Code {
	x, code := h.execOf(in.Graph)
	var t *template
	if code == schedule.Success {
		t, code = h.graphOf(a.Graph)
	}
	switch code {
	case schedule.InvalidValue:
		h.shown.Values = []int64{0}
		return code
	case schedule.InvalidHandle:
		return code
	}
	if code := h.unsafe(in.Thread, tables.MakeExec); code != schedule.Success { // taken to be as unsafe (not measured)
		return code
	}
	result, nodes, pair := x.differs(t)
	h.shown.Values = []int64{result}
	for _, n := range nodes {
		h.shown.Nodes = append(h.shown.Nodes, schedule.At(n.name()))
	}
	if result != 0 {
		return updateFailure
	}
	var off []int32
	for _, id := range x.off {
		off = append(off, pair[id]-1)
	}
	x.replace(newExec(t, h.p.Intent, off))
	return schedule.Success
}

// differs says why an exec can not become one of another graph: nodes are paired from the sinks, through dependencies in
// their order (documented). With it come the node of the error, and the one that an edge leads from; or the pairs, by node
// of the exec 1 + the other.
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
		inner := exec{source: n.more.child, urgent: x.urgent}
		result, at, _ := inner.differs(m.more.child)
		return result, at
	}
	return 0, nil
}

// plane says whether a fill has two dimensions.
func (n *node) plane() bool { return n.more.api == schedule.Memset2D }

// sinks are the nodes on which none depends.
func (t *template) sinks() (ids []int32) {
	covered := make([]bool, len(t.nodes))
	for i := range t.nodes {
		covered[i] = covered[i] || t.nodes[i].gone()
		for _, d := range t.nodes[i].deps {
			covered[d] = true
		}
	}
	for i, c := range covered {
		if !c {
			ids = append(ids, int32(i))
		}
	}
	return ids
}
