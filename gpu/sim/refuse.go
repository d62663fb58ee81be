package sim

import (
	"github.com/gpu-overlap/overlap/gpu/sim/tables"
	"github.com/gpu-overlap/overlap/schedule"
)

// refuse is what a call gives that works on a stream which does not capture, while others do.
func (h *host) refuse(in schedule.Instr, legacy tables.LegacyCall, other tables.UnsafeCall) schedule.Code {
	if len(h.captures) == 0 {
		return schedule.Success
	}
	if code := h.refuseLegacy(in.Stream.Index(), legacy); code != schedule.Success {
		return code
	}
	return h.unsafe(in.Thread, other)
}

// unsafe says what a call gives that could interfere with a capture, and does to each capture what the table says.
// One that was lost before still refuses what it refused, until it is ended (U13).
func (h *host) unsafe(thread int32, call tables.UnsafeCall) schedule.Code {
	code := schedule.Success
	for _, c := range h.captures {
		if one := h.unsafeFor(c, thread, call); code == schedule.Success {
			code = one
		}
	}
	return code
}

// unsafeFor is unsafe for the one capture that the call asks after.
func (h *host) unsafeFor(c *capture, thread int32, call tables.UnsafeCall) schedule.Code {
	cell := h.tables.Unsafe.Cell(call, tables.Meets(h.caller(c, thread), c.mode))
	c.lost = c.lost || cell.Lost
	return cell.Code
}

// caller says as what a thread stands to a capture. The mode of a thread lets it ignore captures of others unless it is
// global, and its own when it is relaxed.
func (h *host) caller(c *capture, thread int32) tables.Caller {
	own, mode := c.thread == thread, h.modes[thread]
	switch {
	case own && mode != schedule.Relaxed:
		return tables.Owner
	case !own && mode == schedule.Global:
		return tables.Other
	}
	return tables.Exchanged
}

// refuseLegacy says what a call on the legacy stream gives while streams capture, and does to each capture what the
// table says.
func (h *host) refuseLegacy(id int32, call tables.LegacyCall) schedule.Code {
	if id != h.legacy || len(h.captures) == 0 {
		return schedule.Success
	}
	return h.usesLegacy(call)
}

func (h *host) usesLegacy(call tables.LegacyCall) schedule.Code {
	code := schedule.Success
	for _, c := range h.captures {
		cell := h.tables.Legacy.Cell(call, h.beside(c))
		if code == schedule.Success || cell.Code == schedule.CaptureImplicit { // which comes before all else (LG11)
			code = cell.Code
		}
		c.lost = c.lost || cell.Lost
	}
	return code
}

// beside says beside what kind of capture the legacy stream is used.
func (h *host) beside(c *capture) tables.LegacyColumn {
	switch {
	case !c.blocking:
		return tables.NonBlockingCapture
	case c.origin >= h.perThread:
		return tables.PerThreadOrigin
	case h.streams[c.origin].kind == schedule.Blocking:
		return tables.BlockingOrigin
	}
	return tables.BlockingFork
}

// blockingCapture says whether a blocking stream captures, so that the legacy stream must not be used.
func (h *host) blockingCapture() bool {
	for _, c := range h.captures {
		if c.blocking {
			return true
		}
	}
	return false
}
