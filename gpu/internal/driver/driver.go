//go:build gpu && cgo

package driver

// #cgo CFLAGS: -O2 -std=gnu11 -I/usr/local/cuda/include
// #cgo LDFLAGS: -L${SRCDIR}/stub -ldl
// #include <stdlib.h>
// #include "overlap.h"
// #include "slot.h"
import "C"

import (
	"errors"
	"fmt"
	"unsafe"

	_ "github.com/gpu-overlap/overlap/gpu/internal/headers"
	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/kernels"
	"github.com/gpu-overlap/overlap/schedule"
)

// What C and Go must agree on; a difference does not compile.
var (
	_ = [1]int{}[C.OV_VERBS-schedule.NumVerbs]
	_ = [1]int{}[C.OV_END_CAPTURE-schedule.EndCapture]
	_ = [1]int{}[C.OV_SYNC_CONTEXT-schedule.SyncContext]
	_ = [1]int{}[C.OV_DESTROY_EVENT-schedule.DestroyEvent]
	_ = [1]int{}[C.OV_COPY-schedule.Copy]
	_ = [1]int{}[C.OV_EXCHANGE_MODE-schedule.ExchangeMode]
	_ = [1]int{}[C.OV_LAUNCH_WITH-schedule.LaunchWith]
	_ = [1]int{}[C.OV_PAUSE-schedule.Pause]
	_ = [1]int{}[C.SLOT_SIZE-kernels.SlotSize]
	_ = [1]int{}[C.SLOT_POISON-kernels.Poison]
)

// Load finds the driver. The error is ErrNoLibrary or ErrOldDriver with what is missing.
func Load() error {
	name := C.CString(library())
	defer C.free(unsafe.Pointer(name))
	var what *C.char
	switch C.ov_load(name, &what) {
	case C.OV_NO_LIBRARY:
		return fmt.Errorf("%w: %s", ErrNoLibrary, C.GoString(what))
	case C.OV_NO_SYMBOL:
		return fmt.Errorf("%w: %s lacks %s", ErrOldDriver, library(), C.GoString(what))
	}
	return nil
}

// Init is the true cuInit.
func Init() schedule.Code { return schedule.Code(C.ov_init()) }

// Func is a loaded kernel.
type Func unsafe.Pointer

// Address is a place in the GPU's memory.
type Address uintptr

// Program holds the handles and the prebuilt calls of one program.
type Program struct {
	c   *C.ov_program
	ops int
	n   int // calls of the body
}

// NewProgram makes the tables of a program. Its streams and events do not exist until its calls create them, except the
// legacy stream. slots has a slot for each op and one more; name is that of its ranges.
func NewProgram(p *schedule.Program, slots Address, name string) (*Program, error) {
	body := make([]C.ov_call, len(p.Body)+1) // one more, so that there is a first
	for i, in := range p.Body {
		body[i] = callOf(in)
	}
	c := C.ov_new(C.int32_t(len(p.Streams)), C.int32_t(len(p.Events)), C.int32_t(len(p.Graphs)),
		C.int32_t(len(p.Intent.Ops)), &body[0], C.int32_t(len(p.Body)))
	if c == nil {
		return nil, errors.New("out of memory")
	}
	c.slots = C.CUdeviceptr(slots)
	for i := 0; i < len(name) && i < len(c._range)-1; i++ {
		c._range[i] = C.char(name[i])
	}
	streams := unsafe.Slice(c.streams, len(p.Streams))
	for i, s := range p.Streams {
		streams[i].priority = C.int32_t(s.Priority)
		switch s.Kind {
		case schedule.NonBlocking:
			streams[i].flags = C.CU_STREAM_NON_BLOCKING
		case schedule.Legacy:
			streams[i].handle = nil
		case schedule.PerThread:
			streams[i].handle = C.ov_per_thread()
		}
	}
	return &Program{c, len(p.Intent.Ops), len(p.Body)}, nil
}

// newProbe is a program of one op, whose slot is given.
func newProbe(slot Address) (*Program, error) {
	var none C.ov_call
	c := C.ov_new(0, 0, 0, 1, &none, 0)
	if c == nil {
		return nil, errors.New("out of memory")
	}
	c.slots = C.CUdeviceptr(slot)
	return &Program{c, 1, 0}, nil
}

func callOf(in schedule.Instr) C.ov_call {
	return C.ov_call{verb: C.int32_t(in.Verb), mode: C.int32_t(in.Mode), stream: idOf(in.Stream),
		event: idOf(in.Event), graph: idOf(in.Graph), op: idOf(in.Op)}
}

// idOf is how C names an element: its index, −1 for none, OV_NULL for Null.
func idOf(r schedule.Ref) C.int32_t {
	if r == schedule.Null {
		return C.OV_NULL
	}
	return C.int32_t(r.Index())
}

// refOf reads what idOf gives.
func refOf(id C.int32_t) schedule.Ref {
	if id == C.OV_NULL {
		return schedule.Null
	}
	return schedule.At(int32(id))
}

// Launch is how an op's kernel is launched: for NS nanoseconds or, when it reads memory, that many words of a buffer.
type Launch struct {
	Kernel  Func // nil: the op is a host function, or a copy
	NS      int64
	Grid    Grid
	Buffer  Address // of a kernel that reads memory; the device's
	Readers int     // threads of each block that read
}

// Grid is how much of the device a kernel holds.
type Grid struct{ Blocks, Threads, Shared int }

// One is a single thread.
var One = Grid{Blocks: 1, Threads: 1}

// SetOp says what an op's launch runs: a kernel, which stamps its slot, or the host.
func (p *Program) SetOp(op int, l Launch) {
	o := &unsafe.Slice(p.c.ops, p.ops)[op]
	o.kernel, o.ns = C.CUfunction(l.Kernel), C.uint64_t(l.NS)
	o.blocks, o.threads, o.shared = C.uint32_t(l.Grid.Blocks), C.uint32_t(l.Grid.Threads), C.uint32_t(l.Grid.Shared)
	o.buffer, o.mask, o.readers = C.CUdeviceptr(l.Buffer), bufferWords-1, C.uint32_t(l.Readers)
	o.slot = p.c.slots + C.CUdeviceptr(op*kernels.SlotSize)
}

// SetCopy makes an op a copy, and allocates its memory at both ends.
func (p *Program) SetCopy(op int, bytes int64, toHost, pageable bool) error {
	p.SetOp(op, Launch{Grid: One})
	return check("allocating a copy's memory", schedule.Code(C.ov_copy(p.c, C.int32_t(op), C.uint64_t(bytes),
		flag(toHost), flag(pageable))))
}

func flag(b bool) C.int {
	if b {
		return 1
	}
	return 0
}

// Arrived says whether a copy's latest repetition copied.
func (p *Program) Arrived(op int) bool { return C.ov_arrived(p.c, C.int32_t(op)) != 0 }

// SetGate makes what a gate needs.
func (p *Program) SetGate(gate Func) error {
	p.c.gate = C.CUfunction(gate)
	return check("cuMemHostAlloc", schedule.Code(C.ov_word(p.c)))
}

// SetStamps names the kernels that stamp for what cannot.
func (p *Program) SetStamps(begin, end Func) {
	p.c.begin, p.c.end = C.CUfunction(begin), C.CUfunction(end)
}

// SetDelay makes the host take that many nanoseconds longer for each call of the body.
func (p *Program) SetDelay(ns int64) { p.c.delay = C.uint64_t(ns) }

// Once runs an op's kernel alone and gives its slot.
func (p *Program) Once(op int) ([]byte, error) {
	slot := make([]byte, kernels.SlotSize)
	rc := C.ov_once(&unsafe.Slice(p.c.ops, p.ops)[op], unsafe.Pointer(&slot[0]))
	return slot, check("a launch alone", schedule.Code(rc))
}

// zero fills device memory with zeros.
func zero(at Address, bytes int) error {
	return check("cuMemsetD8", schedule.Code(C.ov_zero(C.CUdeviceptr(at), C.uint64_t(bytes))))
}

// limits gives the most shared memory that a block may ask for, and the most threads that an SM runs.
func limits(device int) (shared, threads int, err error) {
	var s, t C.int32_t
	rc := C.ov_limits(C.int32_t(device), &s, &t)
	return int(s), int(t), check("cuDeviceGetAttribute", schedule.Code(rc))
}

func allowShared(f Func, bytes int) error {
	return check("cuFuncSetAttribute", schedule.Code(C.ov_allow_shared(C.CUfunction(f), C.int32_t(bytes))))
}

// Do makes one call, untimed.
func (p *Program) Do(in schedule.Instr) schedule.Code {
	c := callOf(in)
	return schedule.Code(C.ov_do(p.c, &c))
}

// Close destroys what the program made and still holds.
func (p *Program) Close() { C.ov_free(p.c) }

func warm(f Func, slot Address, stream unsafe.Pointer) schedule.Code {
	return schedule.Code(C.ov_warm(C.CUfunction(f), C.CUdeviceptr(slot), C.CUstream(stream)))
}

func (p *Program) stream(i int32) C.CUstream {
	return unsafe.Slice(p.c.streams, p.c.nstreams)[i].handle
}

// Node is a node of a graph, as the driver names it.
type Node unsafe.Pointer

// Tips gives the nodes that the next call on a stream would depend on; capturing is false when it does not capture.
func (p *Program) Tips(stream int32) (tips []Node, capturing bool, err error) {
	var status C.CUstreamCaptureStatus
	var deps *C.CUgraphNode
	var edges *C.CUgraphEdgeData
	var n C.size_t
	rc := C.cuStreamGetCaptureInfo_v3(p.stream(stream), &status, nil, nil, &deps, &edges, &n)
	if err := check("cuStreamGetCaptureInfo", schedule.Code(rc)); err != nil {
		return nil, false, err
	}
	if status != C.CU_STREAM_CAPTURE_STATUS_ACTIVE {
		return nil, false, nil
	}
	return nodes(unsafe.Slice(deps, n)), true, nil
}

// Dependencies gives the nodes that a node directly depends on.
func Dependencies(node Node) ([]Node, error) {
	var n C.size_t
	rc := C.cuGraphNodeGetDependencies_v2(C.CUgraphNode(node), nil, nil, &n)
	if rc != C.CUDA_SUCCESS || n == 0 {
		return nil, check("cuGraphNodeGetDependencies", schedule.Code(rc))
	}
	deps, data := make([]C.CUgraphNode, n), make([]C.CUgraphEdgeData, n)
	rc = C.cuGraphNodeGetDependencies_v2(C.CUgraphNode(node), &deps[0], &data[0], &n)
	return nodes(deps[:n]), check("cuGraphNodeGetDependencies", schedule.Code(rc))
}

// Graph reads a captured graph: its nodes in the driver's order, with the handle of each, and its edges, in no order.
func (p *Program) Graph(i int32) (handles []Node, g *graph.Graph, err error) {
	c := unsafe.Slice(p.c.graphs, p.c.ngraphs)[i]
	var n C.size_t
	if err := check("cuGraphGetNodes", schedule.Code(C.cuGraphGetNodes(c, nil, &n))); err != nil {
		return nil, nil, err
	}
	list := make([]C.CUgraphNode, n+1)
	if n > 0 {
		if err := check("cuGraphGetNodes", schedule.Code(C.cuGraphGetNodes(c, &list[0], &n))); err != nil {
			return nil, nil, err
		}
	}
	g = &graph.Graph{Nodes: make([]graph.Node, n)}
	index := make(map[C.CUgraphNode]int32, n)
	for i, node := range list[:n] {
		var kind C.CUgraphNodeType
		if err := check("cuGraphNodeGetType", schedule.Code(C.cuGraphNodeGetType(node, &kind))); err != nil {
			return nil, nil, err
		}
		g.Nodes[i] = graph.Node{Kind: graph.Kind(kind)}
		index[node] = int32(i)
	}
	g.Edges, err = edges(c, index)
	return nodes(list[:n]), g, err
}

func edges(c C.CUgraph, index map[C.CUgraphNode]int32) ([]graph.Edge, error) {
	var n C.size_t
	rc := C.cuGraphGetEdges_v2(c, nil, nil, nil, &n)
	if rc != C.CUDA_SUCCESS || n == 0 {
		return nil, check("cuGraphGetEdges", schedule.Code(rc))
	}
	from, to, data := make([]C.CUgraphNode, n), make([]C.CUgraphNode, n), make([]C.CUgraphEdgeData, n)
	rc = C.cuGraphGetEdges_v2(c, &from[0], &to[0], &data[0], &n)
	out := make([]graph.Edge, n)
	for i := range out {
		out[i] = graph.Edge{From: index[from[i]], To: index[to[i]], Type: uint8(data[i]._type),
			FromPort: uint8(data[i].from_port)}
	}
	return out, check("cuGraphGetEdges", schedule.Code(rc))
}

// WriteDOT has the driver write a graph to a file.
func (p *Program) WriteDOT(i int32, path string, verbose bool) error {
	name := C.CString(path)
	defer C.free(unsafe.Pointer(name))
	var flags C.uint
	if verbose {
		flags = C.CU_GRAPH_DEBUG_DOT_FLAGS_VERBOSE
	}
	c := unsafe.Slice(p.c.graphs, p.c.ngraphs)[i]
	return check("cuGraphDebugDotPrint", schedule.Code(C.cuGraphDebugDotPrint(c, name, flags)))
}

func nodes(list []C.CUgraphNode) []Node {
	out := make([]Node, len(list))
	for i, n := range list {
		out[i] = Node(n)
	}
	return out
}

// HostStamp is when a host function ran, in ns on the host's monotonic clock; Start is 0 when it did not.
type HostStamp struct{ Start, End int64 }

// Rep is what one repetition left. Its slices are made once, by NewRep, and filled by each repetition.
type Rep struct {
	Codes  []schedule.Code
	Issued []int64 // ns from Start: when each call was issued, and last when the last call returned
	Slots  []byte
	Hosts  []HostStamp
	Start  int64 // on the host's monotonic clock
	Wall   int64
	// The time of the device, less that of the host, lies between Low and High.
	Low, High int64
}

// NewRep makes room for a repetition of the program.
func (p *Program) NewRep() *Rep {
	return &Rep{Codes: make([]schedule.Code, p.n+1), Issued: make([]int64, p.n+1),
		Slots: make([]byte, (p.ops+1)*kernels.SlotSize), Hosts: make([]HostStamp, p.ops+1)}
}

// Run runs the body once. The error is one of the device itself, not of the body's calls.
func (p *Program) Run(r *Rep) error {
	var times C.ov_times
	rc := C.ov_rep(p.c, (*C.int32_t)(&r.Codes[0]), (*C.int64_t)(&r.Issued[0]), unsafe.Pointer(&r.Slots[0]),
		(*C.ov_host_stamp)(unsafe.Pointer(&r.Hosts[0])), &times)
	r.Start, r.Wall = int64(times.start), int64(times.wall)
	if s, ok := kernels.ReadBegin(r.Slots[p.ops*kernels.SlotSize:]); ok {
		r.Low, r.High = int64(s)-int64(times.low), int64(s)-int64(times.high)
	}
	return check("cuCtxSynchronize", schedule.Code(rc))
}

// collect waits for the device and reads what it left.
func (p *Program) collect(r *Rep) error {
	var times C.ov_times
	rc := C.ov_collect(p.c, unsafe.Pointer(&r.Slots[0]), (*C.ov_host_stamp)(unsafe.Pointer(&r.Hosts[0])), &times)
	return check("cuCtxSynchronize", schedule.Code(rc))
}
