package sim

import "github.com/gpu-overlap/overlap/schedule"

// exec is an instantiated graph. Two launches of one exec never overlap, whatever their streams.
type exec struct {
	nodes []node
	sinks []int32 // nodes on which none depends
	last  []int32 // the join of the latest launch
	edges int     // that a launch makes, at most: those of the graph, and those of its fork and its join
	// pageable are the roots that copy from or to pageable memory: a launch first makes these copies, and only then lets
	// the rest begin and returns (measured on one schedule: wall and issue as if one after the other).
	pageable []int32
}

func newExec(c *capture, in *schedule.Intent) *exec {
	x := &exec{nodes: c.nodes}
	for i := range c.nodes {
		if holds(&c.nodes[i], in) {
			x.pageable = append(x.pageable, int32(i))
		}
	}
	covered := make([]bool, len(c.nodes))
	x.edges = 3 // of the fork from its stream and the launch before, and of the join
	for i := range c.nodes {
		x.edges += max(1, len(c.nodes[i].deps))
		for _, d := range c.nodes[i].deps {
			covered[d] = true
		}
	}
	for i, c := range covered {
		if !c {
			x.sinks = append(x.sinks, int32(i))
		}
	}
	x.edges += len(x.sinks) + len(x.pageable)
	return x
}

// holds says whether a node is a root that holds the host: a copy from or to pageable memory.
func holds(n *node, in *schedule.Intent) bool {
	return len(n.deps) == 0 && in.Ops[n.op].Kind.Copies() && in.Ops[n.op].Pageable
}

// instantiate makes an exec of what was captured. It counts among the unsafe calls while a capture is under way.
func (h *host) instantiate(in schedule.Instr) schedule.Code {
	c := h.captured[in.Graph]
	if c == nil {
		return schedule.InvalidValue
	}
	if h.refuseUnsafe(in.Thread) {
		return schedule.CaptureUnsupported
	}
	h.execs[in.Graph] = newExec(c, h.p.Intent)
	return schedule.Success
}

// upload orders nothing that a launch would not order too, so it only takes host time. On a capturing stream it is
// refused and kills the capture; not measured.
func (h *host) upload(in schedule.Instr) schedule.Code {
	c := h.streams[in.Stream].capture
	switch {
	case h.execs[in.Graph] == nil:
		return schedule.InvalidValue
	case c != nil && c.killed:
		return schedule.CaptureInvalidated
	case c != nil:
		c.killed = true
		return schedule.CaptureUnsupported
	case h.refuseLegacy(in.Stream):
		return schedule.CaptureImplicit
	}
	return schedule.Success
}

// replay launches a graph as one work of the stream: its roots start after all earlier work of the stream and after
// earlier launches of the exec, later work of the stream after all its sinks. Into a capturing stream it is not
// supported here: what the driver makes of it is not documented.
func (h *host) replay(in schedule.Instr) schedule.Code {
	x, c := h.execs[in.Graph], h.streams[in.Stream].capture
	switch {
	case x == nil:
		return schedule.InvalidValue
	case c != nil && c.killed:
		return schedule.CaptureInvalidated
	case c != nil:
		return schedule.NotSupported
	case h.refuseLegacy(in.Stream):
		return schedule.CaptureImplicit
	}
	s := h.arrive(in.Stream)
	end := h.works.single(h.unroll(x, in.Stream, s.tips))
	s.tips, x.last = end, end
	h.leave(in.Stream)
	if h.m.LaunchBlocking {
		h.waitFor(s.tips)
	}
	return schedule.Success
}

// unroll gives the device all nodes of a graph, between a fork and a join, and returns the join.
func (h *host) unroll(x *exec, stream int32, tips []int32) int32 {
	h.launches++
	e, w := &h.engine, work{stream: stream, launch: h.launches, op: schedule.None}

	w.class, w.ready = fork, h.now+h.m.ReplayToStart
	start := e.add(w)
	e.after(start, tips)
	e.after(start, x.last)
	e.issue(start)
	root := h.works.single(start)

	first := start + 1 // the work of node 0
	w.ready = 0
	for i := range x.nodes {
		n := &x.nodes[i]
		w.class, w.op, w.dur = n.class, n.op, h.took(&h.p.Intent.Ops[n.op])
		e.add(w)
	}
	w.op, w.dur = schedule.None, 0
	rest := h.afterPageable(x, w, first, root)
	for i := range x.nodes {
		id, n := first+int32(i), &x.nodes[i]
		switch {
		case holds(n, h.p.Intent):
			e.after(id, root)
		case len(n.deps) == 0:
			e.after(id, rest)
		}
		for _, d := range n.deps {
			e.after(id, h.works.single(first+d))
		}
		e.issue(id)
	}

	w.class = join
	end := e.add(w)
	e.after(end, root) // of an empty graph, too
	for _, d := range x.sinks {
		e.after(end, h.works.single(first+d))
	}
	e.issue(end)
	for _, d := range x.pageable {
		h.waitFor(h.works.single(first + d))
	}
	return end
}

// afterPageable is what the roots that do not hold the host wait for: a fork after those that do; root when none does.
func (h *host) afterPageable(x *exec, w work, first int32, root []int32) []int32 {
	if len(x.pageable) == 0 {
		return root
	}
	w.class = fork
	id := h.engine.add(w)
	for _, d := range x.pageable {
		h.engine.after(id, h.works.single(first+d))
	}
	h.engine.issue(id)
	return h.works.single(id)
}
