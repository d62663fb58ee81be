package sim

import (
	"slices"

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
	knownInstantiateBits = 15
	useNodePriority      = 8 // a flag
)

// instantiateWith is cuGraphInstantiateWithParams: of a graph with a cycle it names a node; which one is not measured.
func (h *host) instantiateWith(in schedule.Instr, a schedule.Args) schedule.Code {
	from := in.Graph
	if a.Graph != schedule.None {
		from = a.Graph
	}
	t, code := h.graphOf(from)
	if code != schedule.Success {
		return code
	}
	code, bad := h.makeExec(in, t)
	switch {
	case code == schedule.Success && a.Number&^knownInstantiateBits != 0:
		code = schedule.InvalidValue
		h.shown.Values = []int64{instantiateError}
	case bad != nil:
		h.shown.Values, h.shown.Nodes = []int64{invalidStructure}, []int32{bad.name()}
	case code != schedule.Success:
		h.shown.Values = []int64{instantiateError}
	default:
		h.execs[in.Graph].urgent = a.Number&useNodePriority != 0
		h.shown.Values = []int64{0}
	}
	return code
}

// makeExec instantiates a graph, unless it has a cycle, or a capture still goes into it (not measured).
func (h *host) makeExec(in schedule.Instr, t *template) (schedule.Code, *node) {
	if code := h.unsafe(in.Thread, "call make-exec"); code != schedule.Success {
		return code, nil
	}
	if h.capturing(t) {
		return schedule.InvalidValue, nil
	}
	if bad := t.onCycle(); bad != nil {
		return schedule.InvalidValue, bad
	}
	h.execs[in.Graph], h.lost[in.Graph].exec = newExec(t, h.p.Intent, nil), false
	return schedule.Success, nil
}

// onCycle is the first node on a cycle, or behind one; in a child it is looked for too. nil when there is none.
func (t *template) onCycle() *node {
	waiting := make([]int, len(t.nodes))
	dependents := make([][]int32, len(t.nodes))
	var queue []int32
	edited := t.added > 0
	for i := range t.nodes {
		n := &t.nodes[i]
		if n.more != nil && n.more.child != nil {
			if bad := n.more.child.onCycle(); bad != nil {
				return bad
			}
			edited = edited || n.more.child.added > 0
		}
	}
	if !edited { // without edges added to nodes that were there, all lead forward
		return nil
	}
	for i := range t.nodes {
		waiting[i] = len(t.nodes[i].deps)
		if waiting[i] == 0 {
			queue = append(queue, int32(i))
		}
		for _, d := range t.nodes[i].deps {
			dependents[d] = append(dependents[d], int32(i))
		}
	}
	for k := 0; k < len(queue); k++ {
		for _, to := range dependents[queue[k]] {
			if waiting[to]--; waiting[to] == 0 {
				queue = append(queue, to)
			}
		}
	}
	for i := range t.nodes {
		if waiting[i] > 0 {
			return &t.nodes[i]
		}
	}
	return nil
}

// execOf is the exec of a graph that a call names.
func (h *host) execOf(id int32) (*exec, schedule.Code) {
	switch {
	case id == schedule.Null:
		return nil, schedule.InvalidValue
	case h.lost[id].exec:
		return nil, schedule.InvalidHandle
	case h.execs[id] == nil:
		return nil, schedule.InvalidValue
	}
	return h.execs[id], schedule.Success
}

// destroyExec returns at once; what runs goes on.
func (h *host) destroyExec(in schedule.Instr) schedule.Code {
	if _, code := h.execOf(in.Graph); code != schedule.Success {
		return code
	}
	if code := h.unsafe(in.Thread, "destroy exec x"); code != schedule.Success {
		return code
	}
	h.execs[in.Graph], h.lost[in.Graph].exec = nil, true
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
	if owner, _ := h.nodeNamed(h.captured[in.Graph], a.Node); owner == nil {
		return schedule.InvalidHandle
	}
	at := slices.IndexFunc(x.source.nodes, func(n node) bool { return n.name() == a.Node && !n.gone() })
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
