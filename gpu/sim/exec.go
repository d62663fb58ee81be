package sim

import (
	"slices"

	"github.com/gpu-overlap/overlap/schedule"
)

// exec is an instantiated graph. Two launches of one exec never overlap, whatever their streams.
type exec struct {
	nodes []node
	sinks []int32 // nodes on which none depends
	last  []int32 // the join of the latest launch
	// pageable are the roots that copy from or to pageable memory: a launch first makes these copies, and only then lets
	// the rest begin and returns (measured on one schedule: wall and issue as if one after the other).
	pageable []int32
}

func newExec(c *capture, in *schedule.Intent) *exec {
	x := &exec{nodes: c.nodes}
	for i, n := range c.nodes {
		if (n.class == copyIn || n.class == copyOut) && len(n.deps) == 0 && in.Ops[n.op].Pageable {
			x.pageable = append(x.pageable, int32(i))
		}
	}
	covered := make([]bool, len(c.nodes))
	for i := range c.nodes {
		for _, d := range c.nodes[i].deps {
			covered[d] = true
		}
	}
	for i, c := range covered {
		if !c {
			x.sinks = append(x.sinks, int32(i))
		}
	}
	return x
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
		h.look(s.tips, true)
	}
	return schedule.Success
}

// unroll gives the device all nodes of a graph, between a fork and a join, and returns the join.
func (h *host) unroll(x *exec, stream int32, tips []int32) int32 {
	h.launches++
	e, w := &h.engine, work{stream: stream, launch: h.launches, op: schedule.None, queue: schedule.None}

	w.class, w.ready = fork, h.now+h.m.ReplayToStart
	start := e.add(w)
	e.after(start, tips)
	e.after(start, x.last)
	e.issue(start)
	root := h.works.single(start)

	first := start + 1 // the work of node 0
	w.ready = 0
	for _, n := range x.nodes {
		w.class, w.op, w.priority, w.dur = n.class, n.op, n.priority, h.took(n.op)
		e.add(w)
	}
	for i, n := range x.nodes {
		id := first + int32(i)
		if len(n.deps) == 0 {
			e.after(id, root)
			if !slices.Contains(x.pageable, int32(i)) {
				for _, p := range x.pageable {
					e.after(id, h.works.single(first+p))
				}
			}
		}
		for _, d := range n.deps {
			e.after(id, h.works.single(first+d))
		}
		e.issue(id)
	}

	w.class, w.op, w.dur = join, schedule.None, 0
	end := e.add(w)
	e.after(end, root) // of an empty graph, too
	for _, d := range x.sinks {
		e.after(end, h.works.single(first+d))
	}
	e.issue(end)
	for _, p := range x.pageable {
		h.look(h.works.single(first+p), true)
	}
	return end
}
