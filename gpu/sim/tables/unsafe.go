package tables

import "github.com/gpu-overlap/overlap/schedule"

// UnsafeCall is a call of table unsafe. The zero value is a call without a row: no probe made it, and it passes.
type UnsafeCall uint8

// The stream that captures is "s0" in the file, and "s9" one that does not. The event e was recorded outside of
// captures.
const (
	Unlisted UnsafeCall = iota

	QueryCapturing
	SyncCapturing
	LaunchCapturing
	InfoCapturing
	AskCapturing // cuStreamIsCapturing, on a stream that captures
	PriorityCapturing

	QueryOther
	SyncOther
	LaunchOther
	MemsetOther
	MemAllocAsyncOther
	RecordOther
	WaitOther
	UploadOther
	InfoOther
	AskOther // cuStreamIsCapturing, on a stream that does not
	PriorityOther
	LaunchLegacy

	QueryEvent
	SyncEvent
	SyncContext
	DestroyExec
	DestroyGraph

	// Calls of probes on resources of their own: see schedule.API.
	ElapsedElsewhere
	MemAlloc
	MemFree
	MemAllocHost
	MemFreeHost
	MemcpySync
	ModuleLoad
	ModuleUnload
	FuncSetAttribute
	CtxSetLimit
	MakeExec
	ReplayElsewhere
	MakeGraph
	MakeStream
	KillStream
	MakeEvent
	KillEvent
	LaunchElsewhere
	NumUnsafeCalls
)

var unsafeNames = [NumUnsafeCalls]string{
	QueryCapturing: "s0: query", SyncCapturing: "s0: sync", LaunchCapturing: "s0: call launch-empty",
	InfoCapturing: "s0: info",
	AskCapturing:  "s0: capturing", PriorityCapturing: "s0: priority",
	QueryOther: "s9: query", SyncOther: "s9: sync", LaunchOther: "s9: call launch-empty",
	MemsetOther:        "s9: call memset-d8",
	MemAllocAsyncOther: "s9: call mem-alloc-async", RecordOther: "s9: record f", WaitOther: "s9: wait e",
	UploadOther: "upload x s9",
	InfoOther:   "s9: info", AskOther: "s9: capturing", PriorityOther: "s9: priority",
	LaunchLegacy: "legacy: call launch-empty",
	QueryEvent:   "query event e", SyncEvent: "sync event e", SyncContext: "sync context",
	DestroyExec: "destroy exec x", DestroyGraph: "destroy graph x",
	ElapsedElsewhere: "call elapsed-elsewhere", MemAlloc: "call mem-alloc", MemFree: "call mem-free",
	MemAllocHost: "call mem-alloc-host",
	MemFreeHost:  "call mem-free-host", MemcpySync: "call memcpy-sync", ModuleLoad: "call module-load",
	ModuleUnload:     "call module-unload",
	FuncSetAttribute: "call func-set-attribute", CtxSetLimit: "call ctx-set-limit", MakeExec: "call make-exec",
	ReplayElsewhere: "call replay-elsewhere", MakeGraph: "call make-graph", MakeStream: "call make-stream",
	KillStream: "call kill-stream",
	MakeEvent:  "call make-event", KillEvent: "call kill-event", LaunchElsewhere: "call launch-elsewhere",
}

// String is the call as the file spells it; "" for Unlisted.
func (c UnsafeCall) String() string { return nameOf(unsafeNames[:], int(c)) }

// Caller is what the thread that makes a call is to a capture.
type Caller uint8

const (
	Owner     Caller = iota // it began the capture
	Other                   // another thread
	Exchanged               // one whose own mode lets it ignore the capture
	numCallers
)

var callerNames = [numCallers]string{"owner", "other", "exchanged"}

// String is the word of the file, and of probe P18.
func (c Caller) String() string { return nameOf(callerNames[:], int(c)) }

const numModes = int(schedule.Relaxed) + 1

// UnsafeColumn is a caller and the mode of the capture that it meets.
type UnsafeColumn uint8

// NumUnsafeColumns is how many columns table unsafe has, all callers by all modes.
const NumUnsafeColumns = UnsafeColumn(int(numCallers) * numModes)

// Meets is the column of a caller and a capture of a mode, which is one of the driver's three.
func Meets(c Caller, mode schedule.CaptureMode) UnsafeColumn {
	return UnsafeColumn(int(c)*numModes + int(mode))
}

// Caller is what the thread is that makes the call.
func (c UnsafeColumn) Caller() Caller { return Caller(int(c) / numModes) }

// Mode is that of the capture.
func (c UnsafeColumn) Mode() schedule.CaptureMode { return schedule.CaptureMode(int(c) % numModes) }

// String is the column as the file spells it.
func (c UnsafeColumn) String() string { return c.Caller().String() + " " + c.Mode().String() }
