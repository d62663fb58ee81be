package sim

import (
	"github.com/gpu-overlap/overlap/gpu/sim/hardware"
	"github.com/gpu-overlap/overlap/gpu/sim/tables"
	"github.com/gpu-overlap/overlap/schedule"
)

// launch is cuLaunchKernel, cuLaunchHostFunc and cuMemcpyAsync. A copy from or to pageable memory returns at its end
// (L14; documented for D2H; for H2D it may return once the data is staged), unless it is a small one to the device.
func (h *host) launch(in schedule.Instr) schedule.Code {
	s, op := &h.streams[in.Stream.Index()], &h.p.Intent.Ops[in.Op.Index()]
	if c := s.capture; c != nil {
		if c.lost {
			return schedule.CaptureInvalidated
		}
		if s.data != nil || s.priority != 0 {
			return c.appendOp(s, hardware.ClassOf(op), in.Op.Index())
		}
		s.deps = c.node(hardware.ClassOf(op), in.Op.Index(), s.deps)
		return schedule.Success
	}
	if code := h.refuse(in, legacyLaunch(op), tables.LaunchOther); code != schedule.Success {
		return code
	}
	h.beforeWork(in.Stream.Index())
	w := h.work(in.Stream.Index(), hardware.ClassOf(op))
	w.Op, w.Ready, w.Dur, w.Waited = in.Op.Index(), h.now+h.m.LaunchToStart, h.alone(op), s.waited
	s.waited = false
	if h.stamps && op.Kind.Copies() {
		h.stamp(in.Stream.Index())
	}
	if w.Class != hardware.HostFunc {
		w.Connection = h.chip.Connect(w.Stream, h.now)
	}
	s.tips = h.works.single(h.add(w, s.tips))
	h.afterWork(in.Stream.Index())
	if h.m.LaunchBlocking || in.Verb == schedule.Copy && op.HoldsHost() {
		h.waitFor(s.tips)
	}
	return schedule.Success
}

// stamp is the kernel by which a trace on a GPU sees when a copy begins: it comes before the copy in its stream,
// needs room on the SMs, and does not wait for the copy engine.
func (h *host) stamp(stream int32) {
	s := &h.streams[stream]
	w := h.work(stream, hardware.Kernel)
	w.Ready, w.Connection = h.now+h.m.LaunchToStart, h.chip.Connect(stream, h.now)
	s.tips = h.works.single(h.add(w, s.tips))
}

// gate launches a kernel that holds its stream until the host's store of OpenGate. Into a capture it is not supported
// here: nothing needs it.
func (h *host) gate(in schedule.Instr) schedule.Code {
	if c := h.streams[in.Stream.Index()].capture; c != nil {
		if c.lost {
			return schedule.CaptureInvalidated
		}
		return schedule.NotSupported
	}
	if code := h.refuseLegacy(in.Stream.Index(), tables.LegacyLaunch); code != schedule.Success {
		return code
	}
	s := h.beforeWork(in.Stream.Index())
	w := h.work(in.Stream.Index(), hardware.Gate)
	w.Ready, w.Dur, w.Connection = h.now+h.m.LaunchToStart, hardware.GateLimit, h.chip.Connect(w.Stream, h.now)
	s.tips = h.works.single(h.add(w, s.tips))
	h.afterWork(in.Stream.Index())
	if h.m.LaunchBlocking {
		h.waitFor(s.tips)
	}
	return schedule.Success
}
