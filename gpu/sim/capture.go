package sim

import (
	"slices"

	"github.com/gpu-overlap/overlap/gpu/sim/tables"
	"github.com/gpu-overlap/overlap/schedule"
)

// capture is a stream capture: under way, killed (every call on its streams gives 901 until the origin ends it), or
// ended.
type capture struct {
	mode     schedule.CaptureMode
	thread   int32
	origin   int32
	members  []int32 // streams that belong or belonged to it
	blocking bool    // one of them is a blocking stream
	killed   bool
	ended    bool

	*template         // what was captured so far
	first     int32   // the first node of the capture
	excused   []int32 // nodes that need not be joined
}

// node appends a node and gives the dependencies that the stream's next node has.
func (c *capture) node(class class, op int32, deps []int32) []int32 {
	c.nodes = append(c.nodes, node{class: class, op: op, deps: deps})
	return c.sets.single(int32(len(c.nodes) - 1))
}

// appendOp is node for an op with a priority, or behind an edge that does not wait for the end.
func (c *capture) appendOp(s *stream, class class, op int32) schedule.Code {
	n := node{class: class, op: op}
	if class == kernel {
		n.priority = s.priority
	}
	return c.append(s, n)
}

func (h *host) beginCapture(in schedule.Instr) schedule.Code {
	if code := h.refuseBegin(in); code != schedule.Success {
		return code
	}
	h.begin(in, &template{}, nil)
	return schedule.Success
}

// refuseBegin says what stands against a capture.
func (h *host) refuseBegin(in schedule.Instr) schedule.Code {
	switch {
	case in.Mode < schedule.Global || in.Mode > schedule.Relaxed:
		return schedule.InvalidValue
	case in.Stream.Index() == h.legacy:
		if code := h.refuseLegacy(in.Stream.Index(), tables.LegacyBegin); code != schedule.Success {
			return code
		}
		return schedule.CaptureUnsupported
	case h.streams[in.Stream.Index()].capture != nil:
		return schedule.IllegalState
	}
	return schedule.Success
}

// begin starts a capture that goes into a graph, behind nodes of it.
func (h *host) begin(in schedule.Instr, t *template, deps []int32) {
	c := &capture{mode: in.Mode, thread: in.Thread, origin: in.Stream.Index(), template: t, first: int32(len(t.nodes))}
	t.nodes = slices.Grow(t.nodes, h.nodes)
	c.sets.reserve(h.nodes)
	h.captures = append(h.captures, c)
	h.enlist(in.Stream.Index(), c, deps)
}

// enlist makes a stream a member of a capture.
func (h *host) enlist(id int32, c *capture, deps []int32) {
	s := &h.streams[id]
	s.capture, s.deps = c, deps
	c.members = append(c.members, id)
	c.blocking = c.blocking || s.kind == schedule.Blocking
}

// endCapture takes the graph from the origin. Once the right stream and thread end it, all its streams are free again,
// whatever the code. Ended on a fork, the capture is lost, but only its origin ends it (measured: 903, then 901).
func (h *host) endCapture(in schedule.Instr) schedule.Code {
	s := &h.streams[in.Stream.Index()]
	c := s.capture
	if code := h.refuseLegacy(in.Stream.Index(), tables.LegacyEnd); code != schedule.Success {
		return code
	}
	switch {
	case c == nil:
		return schedule.IllegalState
	case c.origin != in.Stream.Index():
		c.killed = true
		return schedule.CaptureUnmatched
	}
	tips, data := s.deps, s.data
	h.release(c)
	switch {
	case c.killed:
		c.template.gone = true
		return schedule.CaptureInvalidated
	case !c.joined(tips, data):
		c.template.gone = true
		return schedule.CaptureUnjoined
	case c.thread != in.Thread && c.mode != schedule.Relaxed: // which is looked at last (measured)
		c.template.gone = true
		return schedule.CaptureWrongThread
	case in.Graph == schedule.Null: // the driver has nowhere to put it, and says nothing
		return schedule.Success
	}
	c.tips = tips
	h.captured[in.Graph.Index()], h.lost[in.Graph.Index()].graph = c.template, false
	return schedule.Success
}

// release ends a capture: its streams capture no more.
func (h *host) release(c *capture) {
	c.ended = true
	for _, m := range c.members {
		if s := &h.streams[m]; s.capture == c {
			s.capture, s.deps, s.data = nil, nil, nil
		}
	}
	h.captures = slices.DeleteFunc(h.captures, func(o *capture) bool { return o == c })
}

// joined says whether every leaf, a node on which none depends, is among the origin's dependencies. Nodes that were there
// before the capture, or were dropped, need not be.
func (c *capture) joined(tips []int32, data []edgeData) bool {
	covered := make([]bool, len(c.nodes))
	for i := range c.nodes {
		n := &c.nodes[i]
		covered[i] = covered[i] || n.gone()
		for k, d := range n.deps {
			covered[d] = covered[d] || n.more == nil || n.data(k).joins()
		}
	}
	for k, d := range tips {
		covered[d] = covered[d] || data == nil || data[k].joins()
	}
	for _, d := range c.excused {
		covered[d] = true
	}
	return !slices.Contains(covered[c.first:], false)
}

// legacyWaitsCaptured is such a wait of the legacy stream. That a blocking stream captures comes before what the event is, and
// costs all captures of blocking streams (measured).
func (h *host) legacyWaitsCaptured(c *capture) schedule.Code {
	code := h.usesLegacy(tables.LegacyWait)
	switch {
	case !c.ended && !c.killed: // else the event is nothing to wait for
		cell := h.tables.Legacy.Cell(tables.LegacyWaitCaptured, h.beside(c))
		c.killed = cell.Lost
		return cell.Code
	case code == schedule.Success:
		return schedule.InvalidValue
	}
	return code
}

// waitCaptured is a wait for an event that was recorded in a capture: a fork, or a join.
func (h *host) waitCaptured(id, ev int32) schedule.Code {
	s, e := &h.streams[id], &h.events[ev]
	c := e.capture
	if id == h.legacy {
		return h.legacyWaitsCaptured(c)
	}
	switch {
	case c.ended: // measured: a capture that asks for it is lost
		if s.capture != nil {
			s.capture.killed = true
		}
		return schedule.InvalidValue
	case c.killed: // a capture that asks for it is lost, too
		if s.capture != nil {
			s.capture.killed = true
		}
		return schedule.InvalidValue
	case s.capture == nil:
		h.enlist(id, c, shared(e.deps))
		s.data = h.edgesOf(ev)
	case s.capture != c:
		s.capture.killed, c.killed = true, true
		return schedule.CaptureMerge
	default:
		own := len(s.deps)
		s.deps = c.sets.union(s.deps, e.deps)
		s.data = joinedData(s.deps, own, s.data, e.deps, h.edgesOf(ev))
	}
	return schedule.Success
}
