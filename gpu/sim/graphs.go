package sim

import (
	"slices"

	"github.com/gpu-overlap/overlap/gpu/sim/hardware"
	"github.com/gpu-overlap/overlap/gpu/sim/tables"
	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/schedule"
)

func (h *host) createGraph(in schedule.Instr) schedule.Code {
	if code := h.unsafe(in.Thread, tables.MakeGraph); code != schedule.Success {
		return code
	}
	h.captured[in.Graph.Index()], h.destroyed[in.Graph.Index()].graph = &template{}, false
	return schedule.Success
}

// destroyGraph forgets a graph; what was instantiated from it stays.
func (h *host) destroyGraph(t *template, in schedule.Instr) schedule.Code {
	if code := h.unsafe(in.Thread, tables.DestroyGraph); code != schedule.Success {
		return code
	}
	if h.capturing(t) {
		return schedule.IllegalState
	}
	t.gone = true
	for i, other := range h.captured {
		if other == t {
			h.captured[i], h.destroyed[i].graph = nil, true
		}
	}
	return schedule.Success
}

// listGraph shows a graph. Without room for it, edge data that says something is an error (GR18).
func (h *host) listGraph(t *template, variant int32) schedule.Code {
	const withoutData = 1
	l := t.list(h.p)
	says := func(e graph.Edge) bool { return e.Type != 0 || e.FromPort != 0 }
	if variant == withoutData && slices.ContainsFunc(l.Graph.Edges, says) {
		l.Code = lossyQuery
	}
	h.shown.List = l
	return schedule.Success
}

// addNode is cuGraphAdd…Node. What is added to the graph of a capture while it runs need not be joined (G2).
func (h *host) addNode(t *template, in schedule.Instr, a schedule.Args) schedule.Code {
	names := a.Nodes
	if a.Number == schedule.AddOp {
		names = schedule.Refs(h.p.Intent.Ops[in.Op.Index()].After)
	}
	deps, code := h.nodesOf(t, names)
	if code != schedule.Success {
		return code
	}
	if len(t.sets.distinct(deps)) < len(deps) {
		return schedule.InvalidValue
	}
	n, code := h.newNode(in, a)
	if code != schedule.Success {
		return code
	}
	n.deps = deps
	t.nodes = append(t.nodes, n)
	id := int32(len(t.nodes) - 1)
	t.sets.single(id)
	for _, c := range h.captures {
		if c.template == t {
			c.excused = append(c.excused, id)
		}
	}
	return schedule.Success
}

// newNode is a node of the kind that the call says.
func (h *host) newNode(in schedule.Instr, a schedule.Args) (n node, code schedule.Code) {
	if a.Number == schedule.AddOp {
		return node{class: hardware.ClassOf(&h.p.Intent.Ops[in.Op.Index()]), op: in.Op.Index()}, schedule.Success
	}
	kind := graph.Kind(a.Number)
	n = otherNode(hardware.Join, kind, a.Node.Index())
	switch kind {
	case graph.WaitEventNode, graph.EventRecordNode:
		switch {
		case in.Event == schedule.Null:
			return n, schedule.InvalidValue
		case !h.events[in.Event.Index()].alive:
			return n, schedule.InvalidHandle
		}
		n.extra.event = in.Event.Index()
	case graph.ChildNode:
		child, code := h.graphOf(a.Graph)
		if code != schedule.Success {
			return n, code
		}
		if child.size() > mostCloned {
			return n, schedule.OutOfMemory
		}
		n.extra.child = child.clone()
	case graph.MemsetNode, graph.MemcpyNode:
		n.class, n.extra.dur = hardware.Kernel, short
	}
	return n, schedule.Success
}

// editEdges is cuGraphAddDependencies and cuGraphRemoveDependencies: pair by pair, up to one that is there already,
// or is not (GR1: those before it stay). What is no node of the graph, or a pair of one node with itself, is found
// before.
func (h *host) editEdges(t *template, names []schedule.Ref, add bool) schedule.Code {
	ids, code := h.nodesOf(t, names)
	if code != schedule.Success {
		return code
	}
	for i := 0; i+1 < len(ids); i += 2 {
		if ids[i] == ids[i+1] {
			return schedule.InvalidValue
		}
	}
	t.own()
	for i := 0; i+1 < len(ids); i += 2 {
		from, to := ids[i], ids[i+1]
		switch is := slices.Contains(t.nodes[to].deps, from); {
		case is == add:
			return schedule.InvalidValue
		case add:
			t.addEdge(from, to)
		default:
			t.removeEdge(from, to)
		}
	}
	return schedule.Success
}

// destroyNode takes a node and its edges out of its graph.
func (h *host) destroyNode(name schedule.Ref) schedule.Code {
	if name == schedule.Null {
		return schedule.InvalidValue
	}
	t, id := h.nodeNamed(nil, name.Index())
	switch {
	case t == nil:
		return schedule.InvalidHandle
	case h.capturing(t): // GR40: documented as not allowed; the code is assumed
		return schedule.InvalidValue
	}
	t.destroy(id)
	return schedule.Success
}
