package sim

import (
	"github.com/gpu-overlap/overlap/gpu/sim/tables"
	"github.com/gpu-overlap/overlap/schedule"
)

// launchWith is cuLaunchKernelEx with an attribute. Our kernels never trigger, so that what waits for a trigger waits for
// the end; what waits for the start of all blocks waits for that of the kernel.
func (h *host) launchWith(in schedule.Instr, a schedule.Args) schedule.Code {
	s, op := &h.streams[in.Stream.Index()], &h.p.Intent.Ops[in.Op.Index()]
	records := a.Number != schedule.AfterTrigger
	switch {
	case !records:
	case in.Event == schedule.Null || !h.events[in.Event.Index()].alive:
		return schedule.InvalidHandle // of NULL not measured
	case !h.events[in.Event.Index()].untimed:
		return schedule.NotSupported
	}
	if c := s.capture; c != nil {
		if c.killed {
			return schedule.CaptureInvalidated
		}
		if !records {
			s.data = c.afterTrigger(s)
		}
		code := c.appendOp(s, classOf(op), in.Op.Index())
		if records && code == schedule.Success {
			h.recordedIn(c, in.Event.Index(), s.deps, []edgeData{eventEdge(a.Number)})
		}
		return code
	}
	if code := h.refuse(in, tables.LegacyLaunch, tables.LaunchOther); code != schedule.Success {
		return code
	}
	h.arrive(in.Stream.Index())
	ready := h.now + h.m.LaunchToStart
	start := h.add(work{class: fork, op: schedule.None, stream: in.Stream.Index(), launch: schedule.None, ready: ready}, s.tips)
	end := h.add(work{class: kernel, op: in.Op.Index(), stream: in.Stream.Index(), launch: schedule.None, dur: h.took(op), connection: s.connection},
		h.works.single(start))
	s.tips = h.works.single(end)
	h.leave(in.Stream.Index())
	if records {
		at := end
		if eventEdge(a.Number).atStart() {
			at = start
		}
		h.recorded(in.Event.Index(), h.works.single(at))
	}
	return schedule.Success
}

// eventEdge is the edge from a kernel that records an event to what waits for that.
func eventEdge(variant int32) edgeData {
	switch variant {
	case schedule.TriggerAtEnd:
		return edgeData{kind: programmaticEdge, port: triggerPort}
	case schedule.CompletesLaunch:
		return edgeData{port: startPort}
	}
	return edgeData{kind: programmaticEdge, port: startPort}
}

// afterTrigger makes the edges from kernels programmatic.
func (c *capture) afterTrigger(s *stream) []edgeData {
	if len(s.deps) == 0 {
		return nil
	}
	data := make([]edgeData, len(s.deps))
	copy(data, s.data)
	for k, d := range s.deps {
		if n := &c.nodes[d]; n.class == kernel && n.kind() == 0 {
			data[k] = edgeData{kind: programmaticEdge, port: triggerPort}
		}
	}
	return data
}
