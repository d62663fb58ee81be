package sim

import (
	"slices"

	"github.com/gpu-overlap/overlap/gpu/sim/tables"
	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/schedule"
)

// lostHandles says of a graph and its exec that they were destroyed.
type lostHandles struct{ graph, exec bool }

// editGraph makes the calls that build, change and show graphs.
func (h *host) editGraph(in schedule.Instr, a schedule.Args) schedule.Code {
	switch in.Verb {
	case schedule.CreateGraph:
		return h.createGraph(in)
	case schedule.DestroyNode:
		return h.destroyNode(a.Node)
	case schedule.DestroyExec:
		return h.destroyExec(in)
	case schedule.EnableNode:
		return h.enableNode(in, a)
	case schedule.UpdateExec:
		return h.updateExec(in, a)
	case schedule.InstantiateWith:
		return h.instantiateWith(in, a)
	}
	t, code := h.graphOf(in.Graph)
	if code != schedule.Success {
		return code
	}
	switch in.Verb {
	case schedule.AddNode:
		return h.addNode(t, in, a)
	case schedule.AddEdges, schedule.RemoveEdges:
		return h.editEdges(t, a.Nodes, in.Verb == schedule.AddEdges)
	case schedule.DestroyGraph:
		return h.destroyGraph(t, in)
	case schedule.PrintGraph:
		dot, all := dumps(t, h.p)
		h.shown.Text = []string{string(dot), string(all)}
		return schedule.Success
	}
	return h.listGraph(t, a.Number)
}

func (h *host) createGraph(in schedule.Instr) schedule.Code {
	if code := h.unsafe(in.Thread, tables.MakeGraph); code != schedule.Success {
		return code
	}
	h.captured[in.Graph.Index()], h.lost[in.Graph.Index()].graph = &template{}, false
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
			h.captured[i], h.lost[i].graph = nil, true
		}
	}
	return schedule.Success
}

// listGraph shows a graph. Without room for it, edge data that says something is an error (documented).
func (h *host) listGraph(t *template, variant int32) schedule.Code {
	const withoutData = 1
	l := t.list(h.p)
	if variant == withoutData && slices.ContainsFunc(l.Graph.Edges, func(e graph.Edge) bool { return e.Type != 0 || e.FromPort != 0 }) {
		l.Code = lossyQuery
	}
	h.shown.List = l
	return schedule.Success
}

// addNode is cuGraphAdd…Node. What is added to the graph of a capture while it runs need not be joined (documented).
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
		return node{class: classOf(&h.p.Intent.Ops[in.Op.Index()]), op: in.Op.Index()}, schedule.Success
	}
	kind := graph.Kind(a.Number)
	n = node{class: join, op: schedule.None, more: &more{kind: kind, name: a.Node.Index(), event: schedule.None}}
	switch kind {
	case graph.WaitEventNode, graph.EventRecordNode:
		switch {
		case in.Event == schedule.Null:
			return n, schedule.InvalidValue
		case !h.events[in.Event.Index()].alive:
			return n, schedule.InvalidHandle
		}
		n.more.event = in.Event.Index()
	case graph.ChildNode:
		child, code := h.graphOf(a.Graph)
		if code != schedule.Success {
			return n, code
		}
		if child.size() > mostCloned {
			return n, schedule.OutOfMemory
		}
		n.more.child = child.clone()
	case graph.MemsetNode, graph.MemcpyNode:
		n.class, n.more.dur = kernel, short
	}
	return n, schedule.Success
}

// mostCloned is up to how many nodes a graph becomes a child: children of children grow fast.
const mostCloned = 1 << 16

// size counts the nodes, those of children too.
func (t *template) size() int {
	n := len(t.nodes)
	for i := range t.nodes {
		if m := t.nodes[i].more; m != nil && m.child != nil {
			n += m.child.size()
		}
	}
	return n
}

// clone is a graph that later changes of this one do not reach. Its nodes have no handles, but names.
func (t *template) clone() *template {
	t.held = true
	return &template{nodes: slices.Clip(t.nodes), held: true, added: t.added, tips: t.tips}
}

// own lets nodes be changed that an exec or a clone may look at.
func (t *template) own() {
	if t.held {
		t.nodes, t.held = slices.Clone(t.nodes), false
	}
}
