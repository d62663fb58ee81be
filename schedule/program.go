package schedule

import (
	"fmt"
	"strconv"
	"time"
)

// Verb is a driver call. Each Instr is exactly one such call.
type Verb uint8

const (
	Launch        Verb = iota // cuLaunchKernel: Op on Stream
	HostFunc                  // cuLaunchHostFunc: Op (of kind Host) on Stream
	Record                    // cuEventRecord: Event on Stream
	Wait                      // cuStreamWaitEvent: Stream waits for Event
	BeginCapture              // cuStreamBeginCapture: Stream, Mode
	EndCapture                // cuStreamEndCapture: Stream, into Graph
	Instantiate               // cuGraphInstantiateWithFlags: Graph into its exec
	Upload                    // cuGraphUpload: exec of Graph, Stream
	Replay                    // cuGraphLaunch: exec of Graph on Stream
	SyncStream                // cuStreamSynchronize
	QueryStream               // cuStreamQuery
	SyncEvent                 // cuEventSynchronize
	QueryEvent                // cuEventQuery
	SyncContext               // cuCtxSynchronize
	CreateStream              // cuStreamCreateWithPriority: flags and priority from Program.Streams
	DestroyStream             // cuStreamDestroy
	CreateEvent               // cuEventCreate (timing disabled)
	DestroyEvent              // cuEventDestroy
	Copy                      // cuMemcpyHtoDAsync or cuMemcpyDtoHAsync: Op (of kind H2D or D2H) on Stream
	Gate                      // cuLaunchKernel of a kernel on Stream that ends when OpenGate is called, or after a second
	OpenGate                  // a store by the host; no driver call

	// Calls of probes. What they take beside the fields of an Instr is in Args.
	ExchangeMode    // cuThreadExchangeStreamCaptureMode: Mode; saw: the mode before
	CaptureInfo     // cuStreamGetCaptureInfo: Stream; saw: status, capture, dependencies. Number 1: edge data NULL; 2: status NULL
	IsCapturing     // cuStreamIsCapturing: Stream; saw: status. Number 1: status NULL
	Depend          // cuStreamUpdateCaptureDependencies: Stream, Number, Nodes
	BeginCaptureTo  // cuStreamBeginCaptureToGraph: Stream, Mode, Graph, Nodes
	RecordExternal  // cuEventRecordWithFlags: Event, Stream, flags in Number
	WaitExternal    // cuStreamWaitEvent: Stream, Event, flags in Number
	Elapsed         // cuEventElapsedTime: Event, Args.Event; saw: the sign. Number 1: result NULL
	StreamPriority  // cuStreamGetPriority: Stream; saw: it
	StreamFlags     // cuStreamGetFlags: Stream; saw: them
	Invoke          // API, on Stream when it takes one; Node is what it makes in a capture
	LaunchWith      // cuLaunchKernelEx: Op on Stream, with the attribute that Number says
	CreateGraph     // cuGraphCreate: Graph
	AddNode         // cuGraphAdd…Node: kind in Number, to Graph, after Nodes; Op, Event or Args.Graph
	AddEdges        // cuGraphAddDependencies: Graph, Nodes in pairs
	RemoveEdges     // cuGraphRemoveDependencies: the same
	DestroyNode     // cuGraphDestroyNode: Node
	DestroyGraph    // cuGraphDestroy: Graph
	DestroyExec     // cuGraphExecDestroy: exec of Graph
	EnableNode      // cuGraphNodeSetEnabled: exec of Graph, Node, Number 0 or 1
	InstantiateWith // cuGraphInstantiateWithParams: Graph, or Args.Graph into the exec of Graph; flags in Number; saw: result, node of the error
	UpdateExec      // cuGraphExecUpdate: exec of Graph from Args.Graph; saw: result, nodes of the error
	ListGraph       // cuGraphGetNodes, GetEdges, GetRootNodes, GetDependencies, GetDependentNodes: Graph. Number 1: edge data NULL
	PrintGraph      // cuGraphDebugDotPrint: Graph, flags 0 and verbose; saw: both
	Burst           // Number launches of an empty kernel on Stream; saw: the first that held the host for over a millisecond
	Pause           // no driver call: the host waits for Dur
	NumVerbs
)

var calls = [NumVerbs]string{
	"cuLaunchKernel", "cuLaunchHostFunc", "cuEventRecord", "cuStreamWaitEvent",
	"cuStreamBeginCapture", "cuStreamEndCapture", "cuGraphInstantiateWithFlags", "cuGraphUpload", "cuGraphLaunch",
	"cuStreamSynchronize", "cuStreamQuery", "cuEventSynchronize", "cuEventQuery", "cuCtxSynchronize",
	"cuStreamCreateWithPriority", "cuStreamDestroy", "cuEventCreate", "cuEventDestroy",
	"cuMemcpyAsync", "cuLaunchKernel", "a store",
	"cuThreadExchangeStreamCaptureMode", "cuStreamGetCaptureInfo", "cuStreamIsCapturing", "cuStreamUpdateCaptureDependencies",
	"cuStreamBeginCaptureToGraph", "cuEventRecordWithFlags", "cuStreamWaitEvent", "cuEventElapsedTime", "cuStreamGetPriority",
	"cuStreamGetFlags", "a call", "cuLaunchKernelEx", "cuGraphCreate", "cuGraphAddNode", "cuGraphAddDependencies",
	"cuGraphRemoveDependencies", "cuGraphDestroyNode", "cuGraphDestroy", "cuGraphExecDestroy", "cuGraphNodeSetEnabled",
	"cuGraphInstantiateWithParams", "cuGraphExecUpdate", "cuGraphGetNodes", "cuGraphDebugDotPrint", "cuLaunchKernel", "a pause",
}

// Call is the name of the driver call.
func (v Verb) Call() string { return calls[v] }

// Blocks says whether the host waits in this call for work on the device.
func (v Verb) Blocks() bool { return v == SyncStream || v == SyncEvent || v == SyncContext }

// Asks says whether the call looks at work instead of enqueuing it.
func (v Verb) Asks() bool { return v.Blocks() || v == QueryStream || v == QueryEvent }

// CaptureMode is the argument of cuStreamBeginCapture. Other numbers than these are what the driver must refuse.
type CaptureMode int8

const (
	Global CaptureMode = iota
	ThreadLocal
	Relaxed
)

var modeNames = [...]string{"global", "thread-local", "relaxed"}

func (m CaptureMode) String() string {
	if m < 0 || int(m) >= len(modeNames) {
		return strconv.Itoa(int(m))
	}
	return modeNames[m]
}

// Instr is one driver call, as plain data. Fields that its verb does not name are left out.
type Instr struct {
	Verb Verb
	Mode CaptureMode
	// Intended says of a call in which the host waits that the intent wants it to: it is not blamed, and a replay is cut
	// there into two graphs.
	Intended bool
	Want     Code  // the code that the call must return
	Stream   Ref   // of Program.Streams
	Event    Ref   // of Program.Events
	Op       Ref   // of Intent.Ops
	Graph    Ref   // of Program.Graphs; a graph and its exec share it
	Thread   int32 // the host thread that makes the call; 0 is the first
	Device   int32 // 0 is the first
	Line     int32 // in the case file; 0 when nothing in the file stands for it
	Arg      int32 // 1 + the index into Program.Args; 0 when the fields above are all
}

// StreamKind is how a stream relates to the legacy default stream.
type StreamKind uint8

const (
	NonBlocking StreamKind = iota // CU_STREAM_NON_BLOCKING: no order with the legacy stream
	Blocking                      // CU_STREAM_DEFAULT: work on the legacy stream is a barrier for it
	Legacy                        // the legacy default stream itself: handle 0, not created, not capturable
	PerThread                     // the default stream of the thread that makes the call: a blocking stream, not created
)

func (k StreamKind) String() string {
	return [...]string{"non-blocking", "blocking", "legacy", "per-thread"}[k]
}

// Created says whether a stream of this kind exists only once it is created.
func (k StreamKind) Created() bool { return k == NonBlocking || k == Blocking }

// Stream is a stream of a program. It lives on one device.
type Stream struct {
	Name     string
	Kind     StreamKind
	Priority int32 // smaller is more urgent; 0 is the default
	Device   int32
}

// Program is what a host does: driver calls in the order in which it makes them. Setup runs once and is not timed, Body
// is timed and repeated. A program is never changed after it was built.
type Program struct {
	Name    string // giant, eager, replay, solo …
	File    string // the case file, for messages
	Intent  *Intent
	Streams []Stream
	Events  []string
	Graphs  []string
	Origin  int32 // the stream that forks, joins, replays and is waited for
	Setup   []Instr
	Body    []Instr
	Args    []Args   // of the calls that have any
	Nodes   []string // of graphs, beside those of the ops
	// HostDelay is how much longer the host takes for each call of the Body: a slow host.
	HostDelay time.Duration
}

// Where names the place of an instruction for messages: file:line, or the file alone.
func (p *Program) Where(in Instr) string {
	if in.Line <= 0 {
		return p.File
	}
	return fmt.Sprintf("%s:%d", p.File, in.Line)
}

// Describe names an instruction for messages, as a case spells it: "comm: wait e".
func (p *Program) Describe(in Instr) string { return p.syntax().instr(in) }
