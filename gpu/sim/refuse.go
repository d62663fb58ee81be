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

// unsafe says what a call gives that could interfere with a capture, and does to each capture what the table says. One that
// was lost before still refuses what it refused, until it is ended (measured).
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
	c.killed = c.killed || cell.Lost
	return cell.Code
}

// refuseLegacy says what a call on the legacy stream gives while streams capture, and does to each capture what the table
// says.
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
		if code == schedule.Success || cell.Code == schedule.CaptureImplicit { // which comes before all that is wrong otherwise
			code = cell.Code
		}
		c.killed = c.killed || cell.Lost
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

// looked are the rows of a call that asks after a stream: one that captures, one that does not, the legacy stream.
type looked struct {
	capturing, other tables.UnsafeCall
	legacy           tables.LegacyCall
}

var (
	queries = looked{tables.QueryCapturing, tables.QueryOther, tables.LegacyQuery}
	syncs   = looked{tables.SyncCapturing, tables.SyncOther, tables.LegacySync}
	infos   = looked{tables.InfoCapturing, tables.InfoOther, tables.LegacyInfo}
	asks    = looked{tables.AskCapturing, tables.AskOther, tables.LegacyAsk}
)

// legacyLaunch is the row of a launch on the legacy stream.
func legacyLaunch(op *schedule.Op) tables.LegacyCall {
	switch classOf(op) {
	case hostFunc:
		return tables.LegacyHost
	case toDevice, toHost:
		return tables.LegacyMemcpy
	}
	return tables.LegacyLaunch
}

// Rows of the calls of probes on resources of their own: on a stream that does not capture, and without a stream. A call
// that no probe made while a stream captures has none, and passes.
var (
	invokedOther = [schedule.NumAPIs]tables.UnsafeCall{
		schedule.LaunchEmpty: tables.LaunchOther, schedule.MemsetD8: tables.MemsetOther, schedule.MemAllocAsync: tables.MemAllocAsyncOther,
	}
	invokedAlone = [schedule.NumAPIs]tables.UnsafeCall{
		schedule.MemAlloc: tables.MemAlloc, schedule.MemFree: tables.MemFree, schedule.MemAllocHost: tables.MemAllocHost,
		schedule.MemFreeHost: tables.MemFreeHost, schedule.MemcpySync: tables.MemcpySync, schedule.ModuleLoad: tables.ModuleLoad,
		schedule.ModuleUnload: tables.ModuleUnload, schedule.FuncSetAttribute: tables.FuncSetAttribute,
		schedule.CtxSetLimit: tables.CtxSetLimit, schedule.MakeStream: tables.MakeStream, schedule.KillStream: tables.KillStream,
		schedule.MakeEvent: tables.MakeEvent, schedule.KillEvent: tables.KillEvent, schedule.MakeGraph: tables.MakeGraph,
		schedule.MakeExec: tables.MakeExec, schedule.LaunchElsewhere: tables.LaunchElsewhere,
		schedule.ReplayElsewhere: tables.ReplayElsewhere, schedule.ElapsedElsewhere: tables.ElapsedElsewhere,
	}
)

// invokedCapturing is the row of such a call on a stream that captures.
func invokedCapturing(api schedule.API) tables.UnsafeCall {
	if api == schedule.LaunchEmpty {
		return tables.LaunchCapturing
	}
	return tables.Unlisted
}
