package schedule

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
	CreateStream              // cuStreamCreateWithPriority: as Program.Streams says. With Args: flags in Number
	DestroyStream             // cuStreamDestroy
	CreateEvent               // cuEventCreate (timing disabled). With Args: flags in Number
	DestroyEvent              // cuEventDestroy
	Copy                      // cuMemcpyHtoDAsync or cuMemcpyDtoHAsync: Op (of kind H2D or D2H) on Stream
	Gate                      // cuLaunchKernel: a kernel on Stream that ends at OpenGate, or after a second
	OpenGate                  // a store by the host; no driver call

	// Calls of probes. What they take beside the fields of an Instr is in Args.
	ExchangeMode // cuThreadExchangeStreamCaptureMode: Mode; saw: the mode before
	// cuStreamGetCaptureInfo: Stream; saw: status, capture, dependencies. Number 1: edge data NULL; 2: status NULL
	CaptureInfo
	IsCapturing    // cuStreamIsCapturing: Stream; saw: status. Number 1: status NULL
	Depend         // cuStreamUpdateCaptureDependencies: Stream, Number, Nodes
	BeginCaptureTo // cuStreamBeginCaptureToGraph: Stream, Mode, Graph, Nodes
	RecordExternal // cuEventRecordWithFlags: Event, Stream, flags in Number
	WaitExternal   // cuStreamWaitEvent: Stream, Event, flags in Number
	Elapsed        // cuEventElapsedTime: Event, Args.Event; saw: the sign. Number 1: result NULL
	StreamPriority // cuStreamGetPriority: Stream; saw: it
	StreamFlags    // cuStreamGetFlags: Stream; saw: them
	Invoke         // API, on Stream when it takes one; Node is what it makes in a capture
	LaunchWith     // cuLaunchKernelEx: Op on Stream, with the attribute that Number says
	CreateGraph    // cuGraphCreate: Graph
	AddNode        // cuGraphAdd…Node: kind in Number, to Graph, after Nodes; Op, Event or Args.Graph
	AddEdges       // cuGraphAddDependencies: Graph, Nodes in pairs
	RemoveEdges    // cuGraphRemoveDependencies: the same
	DestroyNode    // cuGraphDestroyNode: Node
	DestroyGraph   // cuGraphDestroy: Graph
	DestroyExec    // cuGraphExecDestroy: exec of Graph
	EnableNode     // cuGraphNodeSetEnabled: exec of Graph, Node, Number 0 or 1
	// cuGraphInstantiateWithParams: Graph, or Args.Graph into the exec of Graph; flags in Number; saw: result, node of
	// the error
	InstantiateWith
	UpdateExec // cuGraphExecUpdate: exec of Graph from Args.Graph; saw: result, nodes of the error
	// cuGraphGetNodes, GetEdges, GetRootNodes, GetDependencies, GetDependentNodes: Graph. Number 1: edge data NULL
	ListGraph
	PrintGraph // cuGraphDebugDotPrint: Graph, flags 0 and verbose; saw: both
	Burst      // Number launches of an empty kernel on Stream; saw: the first that held the host for over 1 ms
	Pause      // no driver call: the host waits for Dur
	NumVerbs
)

// Role says who makes a call.
type Role uint8

const (
	noRole    Role = iota
	OfIssue        // a schedule says it, and so does a program
	OfProgram      // a program says it; of a schedule it is derived
	OfFrame        // nobody says it: it is added around what is said
	OfProbe        // only a probe makes it
)

// Takes says which fields of an Instr a call takes, whatever its Args are.
type Takes uint8

const (
	TakesStream Takes = 1 << iota
	TakesEvent
	TakesOp
	TakesGraph
	MayBeNull // the event or the graph may be Null
)

// verbInfo is what there is to know of a verb.
type verbInfo struct {
	call   string // of the driver
	role   Role
	takes  Takes
	blocks bool // the host waits in it for work on the device
	asks   bool // it looks at work instead of enqueuing it
}

const (
	anyEvent = TakesEvent | MayBeNull
	anyGraph = TakesGraph | MayBeNull
)

// verbs has an entry for each verb; a test holds that none lacks its role.
var verbs = [NumVerbs]verbInfo{
	Launch:        {call: "cuLaunchKernel", role: OfIssue, takes: TakesStream | TakesOp},
	HostFunc:      {call: "cuLaunchHostFunc", role: OfIssue, takes: TakesStream | TakesOp},
	Copy:          {call: "cuMemcpyAsync", role: OfIssue, takes: TakesStream | TakesOp},
	Record:        {call: "cuEventRecord", role: OfIssue, takes: TakesStream | anyEvent},
	Wait:          {call: "cuStreamWaitEvent", role: OfIssue, takes: TakesStream | anyEvent},
	SyncStream:    {call: "cuStreamSynchronize", role: OfIssue, takes: TakesStream, blocks: true, asks: true},
	QueryStream:   {call: "cuStreamQuery", role: OfIssue, takes: TakesStream, asks: true},
	SyncEvent:     {call: "cuEventSynchronize", role: OfIssue, takes: anyEvent, blocks: true, asks: true},
	QueryEvent:    {call: "cuEventQuery", role: OfIssue, takes: anyEvent, asks: true},
	SyncContext:   {call: "cuCtxSynchronize", role: OfIssue, blocks: true, asks: true},
	BeginCapture:  {call: "cuStreamBeginCapture", role: OfProgram, takes: TakesStream},
	EndCapture:    {call: "cuStreamEndCapture", role: OfProgram, takes: TakesStream | anyGraph},
	Instantiate:   {call: "cuGraphInstantiateWithFlags", role: OfProgram, takes: anyGraph},
	Upload:        {call: "cuGraphUpload", role: OfProgram, takes: TakesStream | anyGraph},
	Replay:        {call: "cuGraphLaunch", role: OfProgram, takes: TakesStream | anyGraph},
	DestroyStream: {call: "cuStreamDestroy", role: OfProgram, takes: TakesStream},
	DestroyEvent:  {call: "cuEventDestroy", role: OfProgram, takes: anyEvent},
	CreateStream:  {call: "cuStreamCreateWithPriority", role: OfFrame, takes: TakesStream},
	CreateEvent:   {call: "cuEventCreate", role: OfFrame, takes: TakesEvent},
	Gate:          {call: "cuLaunchKernel", role: OfFrame, takes: TakesStream},
	OpenGate:      {call: "a store", role: OfFrame},

	ExchangeMode:    {call: "cuThreadExchangeStreamCaptureMode", role: OfProbe},
	CaptureInfo:     {call: "cuStreamGetCaptureInfo", role: OfProbe, takes: TakesStream},
	IsCapturing:     {call: "cuStreamIsCapturing", role: OfProbe, takes: TakesStream},
	Depend:          {call: "cuStreamUpdateCaptureDependencies", role: OfProbe, takes: TakesStream},
	BeginCaptureTo:  {call: "cuStreamBeginCaptureToGraph", role: OfProbe, takes: TakesStream | anyGraph},
	RecordExternal:  {call: "cuEventRecordWithFlags", role: OfProbe, takes: TakesStream | anyEvent},
	WaitExternal:    {call: "cuStreamWaitEvent", role: OfProbe, takes: TakesStream | anyEvent},
	Elapsed:         {call: "cuEventElapsedTime", role: OfProbe, takes: anyEvent},
	StreamPriority:  {call: "cuStreamGetPriority", role: OfProbe, takes: TakesStream},
	StreamFlags:     {call: "cuStreamGetFlags", role: OfProbe, takes: TakesStream},
	Invoke:          {call: "a call", role: OfProbe},
	LaunchWith:      {call: "cuLaunchKernelEx", role: OfProbe, takes: TakesStream | TakesOp},
	CreateGraph:     {call: "cuGraphCreate", role: OfProbe, takes: TakesGraph},
	AddNode:         {call: "cuGraphAddNode", role: OfProbe, takes: anyGraph},
	AddEdges:        {call: "cuGraphAddDependencies", role: OfProbe, takes: anyGraph},
	RemoveEdges:     {call: "cuGraphRemoveDependencies", role: OfProbe, takes: anyGraph},
	DestroyNode:     {call: "cuGraphDestroyNode", role: OfProbe},
	DestroyGraph:    {call: "cuGraphDestroy", role: OfProbe, takes: anyGraph},
	DestroyExec:     {call: "cuGraphExecDestroy", role: OfProbe, takes: anyGraph},
	EnableNode:      {call: "cuGraphNodeSetEnabled", role: OfProbe, takes: anyGraph},
	InstantiateWith: {call: "cuGraphInstantiateWithParams", role: OfProbe, takes: anyGraph},
	UpdateExec:      {call: "cuGraphExecUpdate", role: OfProbe, takes: anyGraph},
	ListGraph:       {call: "cuGraphGetNodes", role: OfProbe, takes: anyGraph},
	PrintGraph:      {call: "cuGraphDebugDotPrint", role: OfProbe, takes: anyGraph},
	Burst:           {call: "cuLaunchKernel", role: OfProbe, takes: TakesStream},
	Pause:           {call: "a pause", role: OfProbe},
}

// Call is the name of the driver call.
func (v Verb) Call() string { return v.info().call }

// Role says who makes the call.
func (v Verb) Role() Role { return v.info().role }

// Takes says which fields the call takes.
func (v Verb) Takes() Takes { return v.info().takes }

// Blocks says whether the host waits in this call for work on the device.
func (v Verb) Blocks() bool { return v.info().blocks }

// Asks says whether the call looks at work instead of enqueuing it.
func (v Verb) Asks() bool { return v.info().asks }

// info is the entry of the verb; that of no call for what is no verb.
func (v Verb) info() *verbInfo {
	if v >= NumVerbs {
		return &verbInfo{call: "no call"}
	}
	return &verbs[v]
}
