package sim

import (
	"github.com/gpu-overlap/overlap/gpu/sim/hardware"
	"github.com/gpu-overlap/overlap/gpu/sim/tables"
	"github.com/gpu-overlap/overlap/schedule"
)

// launchWith is cuLaunchKernelEx with an attribute. Our kernels never trigger, so that what waits for a trigger waits
// for the end; what waits for the start of all blocks waits for that of the kernel.
func (h *host) launchWith(in schedule.Instr, a schedule.Args) schedule.Code {
	s, op := &h.streams[in.Stream.Index()], &h.p.Intent.Ops[in.Op.Index()]
	records := a.Number != schedule.AfterTrigger
	switch {
	case !records:
	case in.Event == schedule.Null || !h.events[in.Event.Index()].alive:
		return schedule.InvalidHandle // of NULL, too (L19)
	case !h.events[in.Event.Index()].untimed:
		return schedule.NotSupported
	}
	if c := s.capture; c != nil {
		if c.lost {
			return schedule.CaptureInvalidated
		}
		if !records {
			s.data = c.afterTrigger(s)
		}
		code := c.appendOp(s, hardware.ClassOf(op), in.Op.Index())
		if records && code == schedule.Success {
			h.recordedIn(c, in.Event.Index(), s.deps, []edgeData{eventEdge(a.Number)})
		}
		return code
	}
	if code := h.refuse(in, tables.LegacyLaunch, tables.LaunchOther); code != schedule.Success {
		return code
	}
	h.beforeWork(in.Stream.Index())
	w := h.work(in.Stream.Index(), hardware.Fork)
	w.Ready = h.now + h.m.LaunchToStart
	start := h.add(w, s.tips)
	w = h.work(in.Stream.Index(), hardware.Kernel)
	w.Op, w.Dur, w.Connection = in.Op.Index(), h.alone(op), h.chip.Connection(w.Stream)
	end := h.add(w, h.works.single(start))
	s.tips = h.works.single(end)
	h.afterWork(in.Stream.Index())
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
