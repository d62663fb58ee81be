package sim

import (
	"github.com/gpu-overlap/overlap/gpu/sim/hardware"
	"github.com/gpu-overlap/overlap/gpu/sim/tables"
	"github.com/gpu-overlap/overlap/schedule"
)

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
	switch hardware.ClassOf(op) {
	case hardware.HostFunc:
		return tables.LegacyHost
	case hardware.ToDevice, hardware.ToHost:
		return tables.LegacyMemcpy
	}
	return tables.LegacyLaunch
}

// Rows of the calls of probes on resources of their own: on a stream that does not capture, and without a stream. A
// call that no probe made while a stream captures has none, and passes.
var (
	invokedOther = [schedule.NumAPIs]tables.UnsafeCall{
		schedule.LaunchEmpty: tables.LaunchOther, schedule.MemsetD8: tables.MemsetOther,
		schedule.MemAllocAsync: tables.MemAllocAsyncOther,
	}
	invokedAlone = [schedule.NumAPIs]tables.UnsafeCall{
		schedule.MemAlloc: tables.MemAlloc, schedule.MemFree: tables.MemFree,
		schedule.MemAllocHost: tables.MemAllocHost,
		schedule.MemFreeHost:  tables.MemFreeHost, schedule.MemcpySync: tables.MemcpySync,
		schedule.ModuleLoad:   tables.ModuleLoad,
		schedule.ModuleUnload: tables.ModuleUnload, schedule.FuncSetAttribute: tables.FuncSetAttribute,
		schedule.CtxSetLimit: tables.CtxSetLimit, schedule.MakeStream: tables.MakeStream,
		schedule.KillStream: tables.KillStream,
		schedule.MakeEvent:  tables.MakeEvent, schedule.KillEvent: tables.KillEvent,
		schedule.MakeGraph: tables.MakeGraph,
		schedule.MakeExec:  tables.MakeExec, schedule.LaunchElsewhere: tables.LaunchElsewhere,
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
