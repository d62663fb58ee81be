package sim

import (
	"time"

	"github.com/gpu-overlap/overlap/gpu/sim/hardware"
	"github.com/gpu-overlap/overlap/gpu/sim/tables"
	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/schedule"
)

// upload is a work of its stream that takes no time: it comes after earlier launches of the exec (GR15), and later ones
// come after it. On a capturing stream it is refused and costs the capture.
func (h *host) upload(in schedule.Instr) schedule.Code {
	x, code := h.execFor(in, tables.LegacyUpload, tables.UploadOther)
	if code != schedule.Success {
		return code
	}
	if len(x.nodes) == 0 { // as its launch (GR5)
		return schedule.Success
	}
	s := h.beforeWork(in.Stream.Index())
	if after := h.works.union(shared(s.tips), x.last); len(after) > 0 {
		x.last = h.works.single(h.add(h.work(in.Stream.Index(), hardware.Join), after))
		s.tips = x.last
	}
	h.afterWork(in.Stream.Index())
	return schedule.Success
}

// execFor is the exec that a call takes to a stream. What captures forbid comes before whether there is one (GR38): a
// capturing stream takes none, and its capture is lost, if it was not before.
func (h *host) execFor(in schedule.Instr, legacy tables.LegacyCall, other tables.UnsafeCall) (*exec, schedule.Code) {
	x, code := h.execOf(in.Graph)
	if code == schedule.InvalidHandle {
		return nil, code // no call is made
	}
	if c := h.streams[in.Stream.Index()].capture; c != nil {
		c.lost = true
		return nil, schedule.CaptureUnsupported
	}
	if code := h.refuse(in, legacy, other); code != schedule.Success {
		return nil, code
	}
	return x, code
}

// replay launches a graph as one work of the stream (GR9): its roots start after all earlier work of the stream and
// after earlier launches of the exec (GR10), later work of the stream after all its sinks. Into a capturing stream it
// is refused, and costs the capture (N8). An empty graph is no work (GR5): no barrier on the legacy stream, and none
// between streams on which its exec is launched.
func (h *host) replay(in schedule.Instr) schedule.Code {
	x, code := h.execFor(in, tables.LegacyReplay, tables.ReplayElsewhere)
	if code != schedule.Success {
		return code
	}
	if x.leaks && x.launched {
		return schedule.InvalidValue // it would allocate what is still allocated
	}
	x.launched = true
	if len(x.nodes) == 0 {
		return schedule.Success
	}
	s := h.beforeWork(in.Stream.Index())
	end := h.works.single(h.unroll(x, in.Stream.Index(), s.tips))
	s.tips, x.last = end, end
	h.now += h.m.GraphRoot * time.Duration(max(x.roots-1, 0))
	h.afterWork(in.Stream.Index())
	if h.m.LaunchBlocking {
		h.waitFor(s.tips)
	}
	return schedule.Success
}

// unroll gives the device all nodes of a graph, between a fork and a join, and returns the join.
func (h *host) unroll(x *exec, stream int32, tips []int32) int32 {
	h.launches++
	c, w := h.chip, h.work(stream, hardware.Fork)
	w.Launch, w.Ready = h.launches, h.now+h.m.ReplayToStart

	start := c.Add(w)
	c.After(start, tips)
	c.After(start, x.last)
	c.Issue(start)
	root := h.works.single(start)

	first := start + 1 // the work of node 0
	w.Ready = 0
	for i := range x.nodes {
		n := &x.nodes[i]
		w.Class, w.Op, w.Dur = n.class, n.op, h.nodeAlone(n)
		if x.urgent {
			w.Priority = n.priority
		}
		c.Add(w)
	}
	w.Op, w.Dur = hardware.None, 0
	rest := h.afterPageable(x, w, first, root)
	for i := range x.nodes {
		id, n := first+int32(i), &x.nodes[i]
		switch {
		case holds(n, h.p.Intent):
			c.After(id, root)
		case len(n.deps) == 0:
			c.After(id, rest)
		}
		for _, d := range n.deps {
			c.After(id, h.works.single(first+d))
		}
		if n.extra != nil {
			h.waitNode(n.extra, id)
		}
		c.Issue(id)
	}
	h.recordNodes(x, first)

	w.Class = hardware.Join
	end := c.Add(w)
	c.After(end, root) // of an empty graph, too
	for _, d := range x.sinks {
		c.After(end, h.works.single(first+d))
	}
	c.Issue(end)
	for _, d := range x.waited {
		h.waitFor(h.works.single(first + d))
	}
	return end
}

// afterPageable is what the roots that do not hold the host wait for: a fork after those that do; root when none does.
func (h *host) afterPageable(x *exec, w hardware.Work, first int32, root []int32) []int32 {
	if len(x.pageable) == 0 {
		return root
	}
	w.Class = hardware.Fork
	id := h.chip.Add(w)
	for _, d := range x.pageable {
		h.chip.After(id, h.works.single(first+d))
	}
	h.chip.Issue(id)
	return h.works.single(id)
}

// nodeAlone is how long a node runs alone.
func (h *host) nodeAlone(n *node) time.Duration {
	if n.op == schedule.None {
		return n.extra.dur
	}
	return h.alone(&h.p.Intent.Ops[n.op])
}

// waitNode lets the work of a wait node wait for what its event holds at the launch (C29).
func (h *host) waitNode(m *extra, id int32) {
	if m.kind == graph.WaitEventNode && h.events[m.event].alive {
		h.chip.After(id, h.events[m.event].tips)
	}
}

// recordNodes lets the events of a graph's record nodes hold their works, and its host functions show what they got.
func (h *host) recordNodes(x *exec, first int32) {
	if !x.records {
		return
	}
	for i := range x.nodes {
		m := x.nodes[i].extra
		if m != nil && m.asked != nil {
			m.asked.Values = hostQuery
		}
		if m == nil || m.kind != graph.EventRecordNode || !h.events[m.event].alive {
			continue
		}
		h.recorded(m.event, h.works.single(first+int32(i)))
	}
}
