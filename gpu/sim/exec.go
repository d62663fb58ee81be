package sim

import (
	"slices"
	"time"

	"github.com/gpu-overlap/overlap/gpu/sim/tables"
	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/schedule"
)

// exec is an instantiated graph. Two launches of one exec never overlap, whatever their streams.
type exec struct {
	nodes    []node
	sinks    []int32   // nodes on which none depends
	last     []int32   // the join of the latest launch
	source   *template // as it was
	off      []int32   // nodes of the source that are not enabled
	launched bool
	urgent   bool // its kernels mind their own priorities
	records  bool // it has nodes that leave something to be seen
	leaks    bool // each launch allocates what none frees
	edges    int  // that a launch makes, at most: those of the graph, and those of its fork and its join
	// pageable are the roots that copy from or to pageable memory: a launch first makes these copies, and only then lets
	// the rest begin and returns (measured on one schedule: wall and issue as if one after the other).
	pageable []int32
	roots    int     // nodes that wait for none
	waited   []int32 // all such copies, for the end of which a launch waits (measured: behind a kernel, too)
}

func newExec(t *template, in *schedule.Intent, off []int32) *exec {
	x := &exec{source: t.clone(), off: off, leaks: t.leaks()}
	x.nodes = x.source.nodes
	if len(off) > 0 || !t.plain() {
		x.nodes = flat(t, off)
	}
	for i := range x.nodes {
		if !pageable(&x.nodes[i], in) {
			continue
		}
		x.waited = append(x.waited, int32(i))
		if holds(&x.nodes[i], in) {
			x.pageable = append(x.pageable, int32(i))
		}
	}
	x.records = slices.ContainsFunc(x.nodes, func(n node) bool {
		return n.more != nil && (n.more.kind == graph.EventRecordNode || n.more.asked != nil)
	})
	x.sinks = (&template{nodes: x.nodes}).sinks()
	x.edges = 3 + len(x.sinks) + len(x.pageable) // of the fork from its stream and the launch before, and of the join
	for i := range x.nodes {
		if len(x.nodes[i].deps) == 0 {
			x.roots++
		}
		x.edges += max(1, len(x.nodes[i].deps))
	}
	return x
}

// leaks says whether a launch allocates more than it frees.
func (t *template) leaks() bool {
	n := 0
	for i := range t.nodes {
		switch t.nodes[i].kind() {
		case graph.MemAllocNode:
			n++
		case graph.MemFreeNode:
			n--
		}
	}
	return n > 0
}

// pageable says whether a node copies from or to pageable memory.
func pageable(n *node, in *schedule.Intent) bool {
	if n.op == schedule.None {
		return deeds[n.more.api].pageable
	}
	return in.Ops[n.op].Kind.Copies() && in.Ops[n.op].Pageable
}

// holds says whether a node is a root that copies from or to pageable memory, before which nothing else begins.
func holds(n *node, in *schedule.Intent) bool { return len(n.deps) == 0 && pageable(n, in) }

// instantiate makes an exec of what was captured. It counts among the unsafe calls while a capture is under way.
func (h *host) instantiate(in schedule.Instr) schedule.Code {
	code, _ := h.makeExec(in, in.Graph)
	return code
}

// upload is a work of its stream that takes no time: it comes after earlier launches of the exec (documented), and later ones
// come after it. On a capturing stream it is refused and costs the capture.
func (h *host) upload(in schedule.Instr) schedule.Code {
	x, code := h.execFor(in, tables.LegacyUpload, tables.UploadOther)
	if code != schedule.Success {
		return code
	}
	if len(x.nodes) == 0 { // as its launch (measured)
		return schedule.Success
	}
	s := h.arrive(in.Stream.Index())
	if after := h.works.union(shared(s.tips), x.last); len(after) > 0 {
		x.last = h.works.single(h.add(work{class: join, op: schedule.None, stream: in.Stream.Index(), launch: schedule.None}, after))
		s.tips = x.last
	}
	h.leave(in.Stream.Index())
	return schedule.Success
}

// execFor is the exec that a call takes to a stream. What captures forbid comes before whether there is one (measured): a
// capturing stream takes none, and its capture is lost, if it was not before.
func (h *host) execFor(in schedule.Instr, legacy tables.LegacyCall, other tables.UnsafeCall) (*exec, schedule.Code) {
	x, code := h.execOf(in.Graph)
	if code == schedule.InvalidHandle {
		return nil, code // no call is made
	}
	if c := h.streams[in.Stream.Index()].capture; c != nil {
		c.killed = true
		return nil, schedule.CaptureUnsupported
	}
	if code := h.refuse(in, legacy, other); code != schedule.Success {
		return nil, code
	}
	return x, code
}

// replay launches a graph as one work of the stream: its roots start after all earlier work of the stream and after
// earlier launches of the exec, later work of the stream after all its sinks. Into a capturing stream it is
// refused, and costs the capture. An empty graph is no work: no barrier on the
// legacy stream, and none between streams on which its exec is launched (measured, both).
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
	s := h.arrive(in.Stream.Index())
	end := h.works.single(h.unroll(x, in.Stream.Index(), s.tips))
	s.tips, x.last = end, end
	h.now += h.m.GraphRoot * time.Duration(max(x.roots-1, 0))
	h.leave(in.Stream.Index())
	if h.m.LaunchBlocking {
		h.waitFor(s.tips)
	}
	return schedule.Success
}

// nodeTook is how long a node runs alone.
func (h *host) nodeTook(n *node) time.Duration {
	if n.op == schedule.None {
		return n.more.dur
	}
	return h.took(&h.p.Intent.Ops[n.op])
}

// waitNode lets the work of a wait node wait for what its event holds at the launch (C29).
func (h *host) waitNode(m *more, id int32) {
	if m.kind == graph.WaitEventNode && h.events[m.event].alive {
		h.engine.after(id, h.events[m.event].tips)
	}
}

// recordNodes lets the events of a graph's record nodes hold their works, and its host functions show what they got.
func (h *host) recordNodes(x *exec, first int32) {
	if !x.records {
		return
	}
	for i := range x.nodes {
		m := x.nodes[i].more
		if m != nil && m.asked != nil {
			m.asked.Values = hostQuery
		}
		if m == nil || m.kind != graph.EventRecordNode || !h.events[m.event].alive {
			continue
		}
		h.recorded(m.event, h.works.single(first+int32(i)))
	}
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
		w.class, w.op, w.dur = n.class, n.op, h.nodeTook(n)
		if x.urgent && e.sms != nil {
			w.stream = e.sms.levelStream(int32(n.priority))
		}
		e.add(w)
	}
	w.op, w.dur, w.stream = schedule.None, 0, stream
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
		if n.more != nil {
			h.waitNode(n.more, id)
		}
		e.issue(id)
	}
	h.recordNodes(x, first)

	w.class = join
	end := e.add(w)
	e.after(end, root) // of an empty graph, too
	for _, d := range x.sinks {
		e.after(end, h.works.single(first+d))
	}
	e.issue(end)
	for _, d := range x.waited {
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
