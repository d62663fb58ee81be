package schedule

// API is a driver call that a probe makes on resources of its own, so that it needs no operand but a stream: what
// matters is what it does to captures, to the host and to the order of works.
type API uint8

const (
	NoAPI API = iota

	// On a stream.
	MemcpyHtoD         // cuMemcpyHtoDAsync, pinned
	MemcpyHtoDPageable // the same, pageable
	MemcpyDtoH         // cuMemcpyDtoHAsync, pinned
	MemcpyDtoHPageable // the same, pageable
	MemcpyDtoD         // cuMemcpyDtoDAsync
	MemsetD8           // cuMemsetD8Async
	MemsetD32          // cuMemsetD32Async
	Memset2D           // cuMemsetD2D8Async
	MemsetNothing      // cuMemsetD8Async of 0 bytes
	MemAllocAsync      // cuMemAllocAsync
	MemFreeAsync       // cuMemFreeAsync of what the last MemAllocAsync gave
	WriteValue         // cuStreamWriteValue32
	AddCallback        // cuStreamAddCallback
	AttachMem          // cuStreamAttachMemAsync
	LaunchHostNull     // cuLaunchHostFunc of NULL
	LaunchHostQuery    // cuLaunchHostFunc of a function that calls cuStreamQuery; what it got is seen after a sync
	LaunchEmpty        // cuLaunchKernel of a kernel that does nothing

	// Without a stream.
	MemAlloc         // cuMemAlloc
	MemAllocNothing  // cuMemAlloc of 0 bytes
	MemFree          // cuMemFree
	MemAllocHost     // cuMemHostAlloc
	MemFreeHost      // cuMemFreeHost
	MemcpySync       // cuMemcpyHtoD
	ModuleLoad       // cuModuleLoadData
	ModuleUnload     // cuModuleUnload
	FuncSetAttribute // cuFuncSetAttribute
	CtxSetLimit      // cuCtxSetLimit
	MakeStream       // cuStreamCreate, non-blocking
	KillStream       // cuStreamDestroy of a stream made before
	MakeEvent        // cuEventCreate
	KillEvent        // cuEventDestroy of an event made before
	MakeGraph        // cuGraphCreate
	MakeExec         // cuGraphInstantiate of a graph made before
	LaunchElsewhere  // cuLaunchKernel on a non-blocking stream made before
	ReplayElsewhere  // cuGraphLaunch there, of a graph made before
	ElapsedElsewhere // cuEventElapsedTime of two events recorded there before
	NumAPIs
)

var apiNames = [NumAPIs]string{
	"", "memcpy-htod", "memcpy-htod-pageable", "memcpy-dtoh", "memcpy-dtoh-pageable", "memcpy-dtod", "memset-d8",
	"memset-d32",
	"memset-2d", "memset-nothing", "mem-alloc-async", "mem-free-async", "write-value", "add-callback", "attach-mem",
	"launch-host-null",
	"launch-host-query", "launch-empty",
	"mem-alloc", "mem-alloc-nothing", "mem-free", "mem-alloc-host", "mem-free-host", "memcpy-sync", "module-load",
	"module-unload",
	"func-set-attribute", "ctx-set-limit", "make-stream", "kill-stream", "make-event", "kill-event", "make-graph",
	"make-exec",
	"launch-elsewhere", "replay-elsewhere", "elapsed-elsewhere",
}

// String is the word of the language.
func (a API) String() string {
	if a < NumAPIs {
		return apiNames[a]
	}
	return "?"
}

// OnStream says whether the call takes a stream.
func (a API) OnStream() bool { return a > NoAPI && a < MemAlloc }
