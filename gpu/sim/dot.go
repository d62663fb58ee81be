package sim

import (
	"bytes"
	"fmt"

	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/schedule"
)

// maxDump bounds the nodes of a graph that is dumped: a verbose dump takes half a kilobyte a node.
const maxDump = 4096

// dumps writes the graph as the driver's cuGraphDebugDotPrint does, without flags and verbose; nil when it is too big.
// As in the driver's, a kernel is labelled with its function, not its op. The labels of other nodes are not measured.
func dumps(t *template, p *schedule.Program) (dot, all []byte) {
	if t.size() > maxDump {
		return nil, nil
	}
	return dump(t, p, false), dump(t, p, true)
}

// dumper writes graphs, each as a cluster; those of children come behind the one that holds them.
type dumper struct {
	b       bytes.Buffer
	p       *schedule.Program
	verbose bool
	graphs  []*template // by number, from 1
}

func dump(t *template, p *schedule.Program, verbose bool) []byte {
	d := &dumper{p: p, verbose: verbose, graphs: []*template{t}}
	d.b.WriteString("digraph dot {\n")
	for i := 0; i < len(d.graphs); i++ {
		d.cluster(d.graphs[i], i+1)
	}
	d.b.WriteString("}\n")
	return d.b.Bytes()
}

func (d *dumper) cluster(t *template, id int) {
	fmt.Fprintf(&d.b, "subgraph cluster_%d {\nlabel=\"graph_%d\" graph[style=\"dashed\"];\n", id, id)
	l := t.list(d.p)
	topo := topoIDs(l.Deps)
	number := 0
	for i := range t.nodes {
		n := &t.nodes[i]
		if n.gone() {
			continue
		}
		name := fmt.Sprintf("graph_%d_node_%d", id, number)
		if d.verbose {
			d.record(name, number, topo[number], n)
		} else {
			d.node(name, number, n)
		}
		number++
	}
	for _, e := range l.Graph.Edges {
		fmt.Fprintf(&d.b, "\"graph_%d_node_%d\" -> \"graph_%d_node_%d\"", id, e.From, id, e.To)
		if d.verbose {
			fmt.Fprintf(&d.b, " [headlabel=%d]", position(l.Deps[e.To], e.From))
		}
		d.b.WriteString(";\n")
	}
	d.b.WriteString("}\n")
}

// node writes a node with a short label.
func (d *dumper) node(name string, number int, n *node) {
	style := `style="solid" shape="rectangle"`
	if n.kind() == graph.KernelNode {
		style = `style="bold" shape="octagon"`
	}
	fmt.Fprintf(&d.b, "\"%s\"[%s label=\"%d\n%s\n\"];\n\n", name, style, number, d.short(n))
}

// words are the labels of nodes that are no kernels.
var words = map[graph.Kind]string{
	graph.MemcpyNode: "MEMCPY", graph.MemsetNode: "MEMSET", graph.HostNode: "HOST", graph.EmptyNode: "EMPTY",
	graph.WaitEventNode: "EVENT_WAIT", graph.EventRecordNode: "EVENT_RECORD", graph.MemAllocNode: "MEM_ALLOC",
	graph.MemFreeNode: "MEM_FREE", graph.BatchMemOpNode: "BATCH_MEM_OP",
}

// emptyKernel is the function of a kernel that does nothing.
const emptyKernel = "empty"

func (d *dumper) short(n *node) string {
	switch n.kind() {
	case graph.KernelNode:
		return d.symbol(n)
	case graph.ChildNode:
		return fmt.Sprintf("graph_%d", d.child(n))
	case graph.MemcpyNode:
		return "MEMCPY\n(" + direction(n) + ")"
	}
	return words[n.kind()]
}

// child numbers the graph of a child node.
func (d *dumper) child(n *node) int {
	d.graphs = append(d.graphs, n.more.child)
	return len(d.graphs)
}

// symbol is the function of a kernel.
func (d *dumper) symbol(n *node) string {
	if n.op == schedule.None {
		return emptyKernel
	}
	op := &d.p.Intent.Ops[n.op]
	return op.Kind.String() + "_" + op.Kernel.String()
}

func direction(n *node) string {
	switch n.class {
	case toDevice:
		return "HtoD"
	case toHost:
		return "DtoH"
	}
	return "DtoD"
}

// record writes a node with the rows of driver 580. Handles are made up: from the id, so that a dump is the same each time.
func (d *dumper) record(name string, id int, topo int32, n *node) {
	const handle, function = 0x100000, 0x200000
	style := "bold"
	if n.more != nil && n.kind() != graph.KernelNode {
		style = "solid"
	}
	fmt.Fprintf(&d.b, "\"%s\"[style=\"%s\" shape=\"record\" label=\"{", name, style)
	switch n.kind() {
	case graph.KernelNode:
	case graph.MemcpyNode:
		long := map[string]string{"HtoD": "HOST to DEVICE", "DtoH": "DEVICE to HOST", "DtoD": "DEVICE to DEVICE"}[direction(n)]
		fmt.Fprintf(&d.b, "\nMEMCPY\n| {{ID | node handle} | {%d (topoId: %d) | 0x%016X}}\n| {kind | %s (%s)}\n}\"];\n\n",
			id, topo, handle+id*0x100, direction(n), long)
		return
	case graph.ChildNode:
		fmt.Fprintf(&d.b, "graph_%d\n| {ID | %d (topoId: %d)}\n}\"];\n\n", d.child(n), id, topo)
		return
	default:
		fmt.Fprintf(&d.b, "%s\n| {ID | %d (topoId: %d)}\n}\"];\n\n", words[n.kind()], id, topo)
		return
	}
	d.b.WriteString("KERNEL\n")
	code := 0
	if n.op != schedule.None {
		op := &d.p.Intent.Ops[n.op]
		code = int(op.Kind)*0x200 + int(op.Kernel)*0x100
	}
	fmt.Fprintf(&d.b, "| {ID | %d (topoId: %d) | %s\\<\\<\\<1,1,0\\>\\>\\>}\n", id, topo, d.symbol(n))
	fmt.Fprintf(&d.b, "| {{node handle | func handle} | {0x%016X | 0x%016X}}\n", handle+id*0x100, function+code)
	d.b.WriteString("| {accessPolicyWindow | {base_ptr | num_bytes | hitRatio | hitProp | missProp} | " +
		"{0x0000000000000000 | 0 | 0.000000 | N | N}}\n")
	fmt.Fprintf(&d.b, "| {cooperative | 0}\n| {priority | %d}\n}\"];\n\n", n.priority)
}

// topoIDs numbers the nodes as the driver does: breadth first from the sinks, a node once its last dependent has a
// number. Nodes on a cycle get none.
func topoIDs(deps [][]int32) []int32 {
	dependents := make([]int32, len(deps))
	for i := range deps {
		for _, d := range deps[i] {
			dependents[d]++
		}
	}
	queue := make([]int32, 0, len(deps))
	for i, n := range dependents {
		if n == 0 {
			queue = append(queue, int32(i))
		}
	}
	ids := make([]int32, len(deps))
	for k := 0; k < len(queue); k++ {
		ids[queue[k]] = int32(k)
		for _, d := range deps[queue[k]] {
			if dependents[d]--; dependents[d] == 0 {
				queue = append(queue, d)
			}
		}
	}
	return ids
}

func position(ids []int32, id int32) int {
	for i, x := range ids {
		if x == id {
			return i
		}
	}
	return -1
}
