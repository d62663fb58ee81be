package sim

import (
	"slices"

	"github.com/gpu-overlap/overlap/gpu/sim/tables"
	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/schedule"
)

// Results of cuGraphInstantiateWithParams; 0 is success. And the flags that it knows.
const (
	instantiateError     = 1
	invalidStructure     = 2
	useNodePriority      = 8
	knownInstantiateBits = 15
)

// instantiate makes an exec of what was captured. It counts among the unsafe calls while a capture is under way.
func (h *host) instantiate(in schedule.Instr) schedule.Code {
	code, _ := h.makeExec(in, in.Graph)
	return code
}

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
	h.execs[in.Graph.Index()], h.destroyed[in.Graph.Index()].exec = newExec(t, h.p.Intent, nil), false
	return schedule.Success, nil
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
	h.execs[in.Graph.Index()], h.destroyed[in.Graph.Index()].exec = nil, true
	return schedule.Success
}

// enableNode is cuGraphNodeSetEnabled: for kernels, memsets and copies. A node that is not enabled only keeps its
// edges.
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
	if code := h.unsafe(in.Thread, tables.MakeExec); code != schedule.Success { // taken to be as unsafe (U16)
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
