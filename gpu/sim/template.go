package sim

import (
	"slices"
	"time"

	"github.com/gpu-overlap/overlap/gpu"
	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/schedule"
)

// template is a graph, however it was made: captured, or built by calls. Execs are instantiated from it.
type template struct {
	nodes []node // in the order of their creation
	sets  sets
	held  bool // an exec looks at the nodes: they are copied before one is changed
	gone  bool // destroyed
	added int64
	tips  []int32 // what the origin of the last capture depended on at its end
}

// node is one node of a graph; deps is the ordered list of nodes that it depends on.
type node struct {
	class    class
	priority int8 // of a kernel: that of the stream on which it was captured
	op       int32
	deps     []int32
	more     *more // nil for a captured op
}

// more is what other nodes have than captured ops.
type more struct {
	kind  graph.Kind
	name  int32 // as in Program.NodeName
	event int32 // of an event node
	child *template
	dur   time.Duration // of what is not an op
	api   schedule.API  // that made it
	asked *gpu.Step     // where a host function shows what it got
	data  []edgeData    // by dependency; none when all edges are of full completion
	gone  bool          // destroyed: it only keeps its number
}

// edgeData says what an edge waits for, and when it was added.
type edgeData struct {
	kind, port uint8
	added      int64 // counts edges that were added to nodes that were there; 0: it came with its node
	own        bool  // it leads from a node of the same stream
}

// full says whether an edge waits for the end of its node.
func (d edgeData) full() bool { return d.kind == 0 && d.port == 0 }

// joins says whether it joins what stands before it, when a capture ends.
func (d edgeData) joins() bool { return d.full() || d.own }

// nodeKinds are the kinds of nodes of captured ops, by class.
var nodeKinds = [...]graph.Kind{
	kernel: graph.KernelNode, hostFunc: graph.HostNode, toDevice: graph.MemcpyNode, toHost: graph.MemcpyNode,
}

func (n *node) kind() graph.Kind {
	if n.more != nil {
		return n.more.kind
	}
	return nodeKinds[n.class]
}

func (n *node) name() int32 {
	if n.more != nil {
		return n.more.name
	}
	return n.op
}

func (n *node) gone() bool { return n.more != nil && n.more.gone }

// data is that of the edge from a node's k-th dependency.
func (n *node) data(k int) edgeData {
	if n.more == nil || n.more.data == nil {
		return edgeData{}
	}
	return n.more.data[k]
}

// numbers are those of the nodes once the destroyed ones are left out; None of these.
func (t *template) numbers() (ids []int32, count int) {
	ids = make([]int32, len(t.nodes))
	for i := range t.nodes {
		if ids[i] = schedule.None; !t.nodes[i].gone() {
			ids[i] = int32(count)
			count++
		}
	}
	return ids, count
}

// link is an edge with its place in the order in which edges came: with the node at which it ends, or when it was added.
type link struct {
	graph.Edge
	node, added int64
}

// links are the edges in the driver's order: by the node that they leave, then as they came.
func (t *template) links(ids []int32) []link {
	at := make([]int, len(t.nodes)+1) // where the edges that leave a node begin
	inOrder := true
	for i := range t.nodes {
		for _, d := range t.nodes[i].deps {
			at[d+1]++
		}
	}
	for i := range t.nodes {
		at[i+1] += at[i]
	}
	out := make([]link, at[len(t.nodes)])
	for i := range t.nodes {
		n := &t.nodes[i]
		for k, d := range n.deps {
			e := n.data(k)
			l := link{graph.Edge{From: ids[d], To: ids[i], Type: e.kind, FromPort: e.port}, int64(i), 0}
			if e.added > 0 {
				l.node, l.added, inOrder = e.added>>32, e.added, false
			}
			out[at[d]] = l
			at[d]++
		}
	}
	if !inOrder {
		slices.SortStableFunc(out, func(a, b link) int {
			switch {
			case a.From != b.From:
				return int(a.From - b.From)
			case a.node != b.node:
				return int(a.node - b.node)
			}
			return int(a.added - b.added)
		})
	}
	return out
}

// graph is what a driver says of nodes and edges. A node is named by its op, or by what the program calls it.
func (t *template) graph(p *schedule.Program) *graph.Graph {
	ids, count := t.numbers()
	g := &graph.Graph{Nodes: make([]graph.Node, 0, count)}
	for i := range t.nodes {
		n := &t.nodes[i]
		if n.gone() {
			continue
		}
		node := graph.Node{Kind: n.kind(), Op: n.op}
		if name := n.name(); name != schedule.None {
			node.Name = p.NodeName(name)
		}
		g.Nodes = append(g.Nodes, node)
	}
	links := t.links(ids)
	g.Edges = make([]graph.Edge, len(links))
	for i, l := range links {
		g.Edges[i] = l.Edge
	}
	return g
}

// list is all that a driver says of a graph.
func (t *template) list(p *schedule.Program) *gpu.Listing {
	ids, count := t.numbers()
	l := &gpu.Listing{Graph: *t.graph(p), Deps: make([][]int32, 0, count), Dependents: make([][]int32, count)}
	for i := range t.nodes {
		n := &t.nodes[i]
		if n.gone() {
			continue
		}
		l.Nodes = append(l.Nodes, n.name())
		l.Priorities = append(l.Priorities, int64(n.priority))
		if len(n.deps) == 0 {
			l.Roots = append(l.Roots, ids[i])
		}
		var deps []int32
		for _, d := range n.deps {
			deps = append(deps, ids[d])
		}
		l.Deps = append(l.Deps, deps)
	}
	for _, e := range l.Graph.Edges {
		l.Dependents[e.From] = append(l.Dependents[e.From], e.To)
	}
	return l
}
