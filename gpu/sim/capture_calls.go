package sim

import (
	"slices"

	"github.com/gpu-overlap/overlap/gpu/sim/tables"
	"github.com/gpu-overlap/overlap/schedule"
)

func (h *host) beginCapture(in schedule.Instr) schedule.Code {
	if code := h.refuseBegin(in); code != schedule.Success {
		return code
	}
	h.begin(in, &template{}, nil)
	return schedule.Success
}

// beginInto is cuStreamBeginCaptureToGraph. No two captures go into one graph at once (B25).
func (h *host) beginInto(in schedule.Instr, a schedule.Args) schedule.Code {
	if code := h.refuseBegin(in); code != schedule.Success {
		return code
	}
	t, code := h.graphOf(in.Graph)
	if code != schedule.Success {
		return code
	}
	deps, code := h.nodesOf(t, a.Nodes)
	switch {
	case code != schedule.Success:
		return code
	case h.capturing(t):
		return schedule.IllegalState
	}
	h.begin(in, t, t.sets.distinct(deps))
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
// whatever the code. Ended on a fork, the capture is lost, but only its origin ends it (B12: 903, then 901).
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
		c.lost = true
		return schedule.CaptureUnmatched
	}
	tips, data := s.deps, s.data
	h.release(c)
	switch {
	case c.lost:
		c.template.gone = true
		return schedule.CaptureInvalidated
	case !c.joined(tips, data):
		c.template.gone = true
		return schedule.CaptureUnjoined
	case c.thread != in.Thread && c.mode != schedule.Relaxed: // which is looked at last (B13)
		c.template.gone = true
		return schedule.CaptureWrongThread
	case in.Graph == schedule.Null: // the driver has nowhere to put it, and says nothing
		return schedule.Success
	}
	c.tips = tips
	h.captured[in.Graph.Index()], h.destroyed[in.Graph.Index()].graph = c.template, false
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
