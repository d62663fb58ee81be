package sim

import (
	"github.com/gpu-overlap/overlap/gpu/sim/tables"
	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/schedule"
)

// wait adds what an event holds now to what the stream's next work waits for. That is nothing when it was never
// recorded.
func (h *host) wait(in schedule.Instr) schedule.Code {
	stream, ev := in.Stream.Index(), in.Event.Index()
	s, e := &h.streams[stream], &h.events[ev]
	if s.capture != nil && s.capture.lost {
		return schedule.CaptureInvalidated
	}
	if s.capture == nil && e.capture == nil {
		if code := h.refuse(in, tables.LegacyWait, tables.WaitOther); code != schedule.Success {
			return code
		}
	}
	switch {
	case !e.recorded:
		return schedule.Success
	case e.capture != nil:
		return h.waitCaptured(stream, ev)
	case s.capture != nil:
		s.capture.lost = true
		return schedule.CaptureIsolation
	}
	h.beforeWork(stream)
	s.waited = s.waited || len(e.tips) > 0
	s.tips = h.works.union(s.tips, e.tips)
	h.fold(stream)
	h.afterWork(stream)
	return schedule.Success
}

// waitExternal is cuStreamWaitEvent with flags.
func (h *host) waitExternal(in schedule.Instr, a schedule.Args) schedule.Code {
	s := &h.streams[in.Stream.Index()]
	switch {
	case a.Number&^external != 0:
		return schedule.InvalidValue
	case a.Number == 0:
		return h.wait(in)
	case s.capture == nil:
		return h.outside(in, tables.LegacyWait, tables.WaitOther)
	}
	return s.capture.event(s, graph.WaitEventNode, in.Event.Index())
}

// waitCaptured is a wait for an event that was recorded in a capture: a fork, or a join.
func (h *host) waitCaptured(id, ev int32) schedule.Code {
	s, e := &h.streams[id], &h.events[ev]
	c := e.capture
	if id == h.legacy {
		return h.legacyWaitsCaptured(c)
	}
	switch {
	case c.ended || c.lost: // a capture that asks for it is lost, too (C3f, C3g)
		if s.capture != nil {
			s.capture.lost = true
		}
		return schedule.InvalidValue
	case s.capture == nil:
		h.enlist(id, c, shared(e.deps))
		s.data = h.edgesOf(ev)
	case s.capture != c:
		s.capture.lost, c.lost = true, true
		return schedule.CaptureMerge
	default:
		own := len(s.deps)
		s.deps = c.sets.union(s.deps, e.deps)
		s.data = joinedData(s.deps, own, s.data, e.deps, h.edgesOf(ev))
	}
	return schedule.Success
}

// legacyWaitsCaptured is such a wait of the legacy stream. That a blocking stream captures comes before what the
// event is, and costs all captures of blocking streams (C3i, LG5).
func (h *host) legacyWaitsCaptured(c *capture) schedule.Code {
	code := h.usesLegacy(tables.LegacyWait)
	switch {
	case !c.ended && !c.lost: // else the event is nothing to wait for
		cell := h.tables.Legacy.Cell(tables.LegacyWaitCaptured, h.beside(c))
		c.lost = cell.Lost
		return cell.Code
	case code == schedule.Success:
		return schedule.InvalidValue
	}
	return code
}
