//go:build gpu && cgo

package driver

// #include <stdlib.h>
// #include "trace.h"
import "C"

import (
	"unsafe"

	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/schedule"
)

// Listing is all that the driver says of a graph: as gpu.Listing.
type Listing struct {
	Graph      graph.Graph
	Nodes      []schedule.Ref
	Roots      []int32
	Deps       [][]int32
	Dependents [][]int32
	Code       schedule.Code
	Priorities []int64
}

// lister reads a graph; the first call that fails counts.
type lister struct {
	t     *Trace
	graph C.CUgraph
	list  []C.CUgraphNode
	index map[C.CUgraphNode]int32
	out   *Listing
	err   error
}

func (t *Trace) handle(g schedule.Ref) C.CUgraph {
	if g.Index() < 0 {
		return nil
	}
	return unsafe.Slice(t.program.c.graphs, t.program.c.ngraphs)[g.Index()]
}

// List reads a graph of the program. The code is that of cuGraphGetNodes: without success there is no listing. plain asks
// for the edges without their data: Listing.Code is what that gave.
func (t *Trace) List(g schedule.Ref, plain bool) (*Listing, schedule.Code, error) {
	l := &lister{t: t, graph: t.handle(g), index: map[C.CUgraphNode]int32{}, out: &Listing{}}
	var n C.size_t
	if rc := C.cuGraphGetNodes(l.graph, nil, &n); rc != C.CUDA_SUCCESS {
		return nil, schedule.Code(rc), nil
	}
	l.list = l.get("cuGraphGetNodes", func(at *C.CUgraphNode,
		n *C.size_t) C.CUresult {
		return C.cuGraphGetNodes(l.graph, at, n)
	})
	for i, node := range l.list {
		l.index[node] = int32(i)
	}
	for _, node := range l.list {
		l.node(node)
	}
	roots := l.get("cuGraphGetRootNodes", func(at *C.CUgraphNode,
		n *C.size_t) C.CUresult {
		return C.cuGraphGetRootNodes(l.graph, at, n)
	})
	l.out.Roots = l.indices(roots)
	l.edges(plain)
	return l.out, schedule.Success, l.err
}

// get calls for a number first, then for as many nodes.
func (l *lister) get(call string, f func(*C.CUgraphNode, *C.size_t) C.CUresult) []C.CUgraphNode {
	var n C.size_t
	rc := f(nil, &n)
	list := make([]C.CUgraphNode, n)
	if rc == C.CUDA_SUCCESS && n > 0 {
		rc = f(&list[0], &n)
	}
	l.note(call, rc)
	return list[:min(int(n), len(list))]
}

func (l *lister) note(call string, rc C.CUresult) {
	if l.err == nil {
		l.err = check(call, schedule.Code(rc))
	}
}

func (l *lister) indices(list []C.CUgraphNode) []int32 {
	out := make([]int32, len(list))
	for i, node := range list {
		at, ok := l.index[node]
		if !ok {
			at = schedule.None
		}
		out[i] = at
	}
	return out
}

func (l *lister) node(node C.CUgraphNode) {
	var kind C.CUgraphNodeType
	l.note("cuGraphNodeGetType", C.cuGraphNodeGetType(node, &kind))
	id := int32(C.ov_trace_id(l.t.c, node))
	n := graph.Node{Kind: graph.Kind(kind)}
	if ops := l.t.of.Intent.Ops; id >= 0 && int(id) < len(ops) {
		n.Op, n.Name = schedule.At(id), ops[id].Name
	}
	l.out.Graph.Nodes = append(l.out.Graph.Nodes, n)
	l.out.Nodes = append(l.out.Nodes, schedule.At(id))
	deps := l.get("cuGraphNodeGetDependencies", func(at *C.CUgraphNode, n *C.size_t) C.CUresult {
		return C.cuGraphNodeGetDependencies_v2(node, at, data(at, *n), n)
	})
	dependents := l.get("cuGraphNodeGetDependentNodes", func(at *C.CUgraphNode, n *C.size_t) C.CUresult {
		return C.cuGraphNodeGetDependentNodes_v2(node, at, data(at, *n), n)
	})
	l.out.Deps = append(l.out.Deps, l.indices(deps))
	l.out.Dependents = append(l.out.Dependents, l.indices(dependents))
	priority := int64(0)
	if kind == C.CU_GRAPH_NODE_TYPE_KERNEL {
		priority = int64(C.ov_trace_priority(node))
	}
	l.out.Priorities = append(l.out.Priorities, priority)
}

// data is room for what edges carry; a call that asks for a number alone gets none.
func data(at *C.CUgraphNode, n C.size_t) *C.CUgraphEdgeData {
	if at == nil || n == 0 {
		return nil
	}
	return &make([]C.CUgraphEdgeData, n)[0]
}

func (l *lister) edges(plain bool) {
	var n C.size_t
	l.note("cuGraphGetEdges", C.cuGraphGetEdges_v2(l.graph, nil, nil, nil, &n))
	from, to, data := make([]C.CUgraphNode, n+1), make([]C.CUgraphNode, n+1), make([]C.CUgraphEdgeData, n+1)
	if plain {
		m := n
		l.out.Code = schedule.Code(C.cuGraphGetEdges_v2(l.graph, &from[0], &to[0], nil, &m))
	}
	if n > 0 {
		l.note("cuGraphGetEdges", C.cuGraphGetEdges_v2(l.graph, &from[0], &to[0], &data[0], &n))
	}
	for i := range int(n) {
		l.out.Graph.Edges = append(l.out.Graph.Edges, graph.Edge{From: l.index[from[i]], To: l.index[to[i]],
			Type: uint8(data[i]._type), FromPort: uint8(data[i].from_port)})
	}
}

// WriteDOT has the driver write a graph to a file, and gives its code.
func (t *Trace) WriteDOT(g schedule.Ref, path string, verbose bool) schedule.Code {
	name := C.CString(path)
	defer C.free(unsafe.Pointer(name))
	var flags C.uint
	if verbose {
		flags = C.CU_GRAPH_DEBUG_DOT_FLAGS_VERBOSE
	}
	return schedule.Code(C.cuGraphDebugDotPrint(t.handle(g), name, flags))
}
