package sim

import (
	"time"

	"github.com/gpu-overlap/overlap/gpu"
	"github.com/gpu-overlap/overlap/gpu/sim/hardware"
	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/schedule"
)

// template is a graph, however it was made: captured, or built by calls. Execs are instantiated from it.
type template struct {
	nodes   []node // in the order of their creation
	sets    sets
	aliased bool // an exec looks at the nodes: they are copied before one is changed
	gone    bool // destroyed
	added   int64
	tips    []int32 // what the origin of the last capture depended on at its end
}

// node is one node of a graph; deps is the ordered list of nodes that it depends on.
type node struct {
	class    hardware.Class
	priority int8 // of a kernel: that of the stream on which it was captured
	op       int32
	deps     []int32
	extra    *extra // nil for a captured op
}

// extra is what other nodes have than captured ops.
type extra struct {
	kind  graph.Kind
	name  int32 // as in Program.NodeName
	event int32 // of an event node
	child *template
	dur   time.Duration // of what is not an op
	api   schedule.API  // that made it
	asked *gpu.Step     // where a host function shows what it got
	data  []edgeData    // by dependency; none when all edges are of full completion
	gone  bool          // destroyed: it only keeps its number
	// rooted says when it lost its last dependency; 0: it came with none, or never had one
	rooted int64
}

// nodeKinds are the kinds of nodes of captured ops, by class.
var nodeKinds = [...]graph.Kind{
	hardware.Kernel: graph.KernelNode, hardware.HostFunc: graph.HostNode, hardware.ToDevice: graph.MemcpyNode,
	hardware.ToHost: graph.MemcpyNode,
}

func (n *node) kind() graph.Kind {
	if n.extra != nil {
		return n.extra.kind
	}
	return nodeKinds[n.class]
}

func (n *node) name() int32 {
	if n.extra != nil {
		return n.extra.name
	}
	return n.op
}

func (n *node) gone() bool { return n.extra != nil && n.extra.gone }

// extended makes room for what most nodes do not have.
func (n *node) extended() *extra {
	if n.extra == nil {
		n.extra = &extra{kind: n.kind(), name: n.op, event: schedule.None}
	}
	return n.extra
}

// data is that of the edge from a node's k-th dependency.
func (n *node) data(k int) edgeData {
	if n.extra == nil || n.extra.data == nil {
		return edgeData{}
	}
	return n.extra.data[k]
}

// otherNode is one that is no captured op, and has no event.
func otherNode(class hardware.Class, kind graph.Kind, name int32) node {
	return node{class: class, op: schedule.None, extra: &extra{kind: kind, name: name, event: schedule.None}}
}

func eventNode(kind graph.Kind, ev int32) node {
	n := otherNode(hardware.Join, kind, schedule.None)
	n.extra.event = ev
	return n
}

// edgeData says what an edge waits for, and when it was added.
type edgeData struct {
	kind, port uint8
	added      int64 // counts edges that were added to nodes that were there; 0: it came with its node
}

// Ports of an edge: what of its node it waits for.
const (
	programmaticEdge = 1
	triggerPort      = 1 // all blocks have triggered, or ended; none of ours triggers
	startPort        = 2 // all blocks have started
)

// full says whether an edge waits for the end of its node.
func (d edgeData) full() bool { return d.kind == 0 && d.port == 0 }

// joins says whether it counts at the end of a capture: all edges do but those of launch completion events.
func (d edgeData) joins() bool { return d.kind == programmaticEdge || d.port == 0 }

// atStart says whether an edge waits for the start of a node.
func (d edgeData) atStart() bool { return d.port == startPort }
