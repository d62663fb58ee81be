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
// As in the driver's, a kernel is labelled with its function, not its op.
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
	style := `style="solid" shape="rectangle" `
	switch n.kind() {
	case graph.KernelNode:
		style = `style="bold" shape="octagon" `
	case graph.MemcpyNode:
		style = `style="solid" shape="trapezium"`
	case graph.MemsetNode:
		style = `style="solid" shape="invtrapezium"`
	}
	fmt.Fprintf(&d.b, "\"%s\"[%slabel=\"%d\n%s\n\"];\n\n", name, style, number, d.short(n))
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
	word := words[n.kind()]
	switch n.kind() {
	case graph.KernelNode:
		return d.symbol(n)
	case graph.ChildNode:
		return fmt.Sprintf("graph_%d", d.child(n))
	case graph.MemcpyNode:
		return fmt.Sprintf("%s\n(%s,%d)", word, direction(n), d.bytes(n))
	case graph.MemsetNode:
		f := fillOf(n.more.api)
		return fmt.Sprintf("%s\n(%d,%d)", word, f.value, f.element*f.width*f.height)
	}
	return word
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

// What the calls and nodes of probes copy and fill, in bytes.
const (
	someBytes     = 1 << 20
	pageableBytes = 4 << 20
	addedBytes    = 1 << 10
)

// bytes is what a node copies.
func (d *dumper) bytes(n *node) int64 {
	switch {
	case n.op != schedule.None:
		return d.p.Intent.Ops[n.op].Bytes
	case n.more.api == schedule.NoAPI:
		return addedBytes
	case deeds[n.more.api].pageable:
		return pageableBytes
	}
	return someBytes
}

// fill is what a node fills.
type fill struct{ value, element, width, height, pitch int }

func fillOf(api schedule.API) fill {
	switch api {
	case schedule.MemsetD8:
		return fill{1, 1, someBytes, 1, 0}
	case schedule.MemsetD32:
		return fill{1, 4, someBytes / 4, 1, 0}
	case schedule.Memset2D:
		return fill{1, 1, 512, 512, 1024}
	}
	return fill{0, 1, addedBytes, 1, 0}
}

// Handles are made up: from the id, so that a dump is the same each time.
const handle, function, address = 0x100000, 0x200000, 0x300000

// record writes a node with the rows of driver 580.
func (d *dumper) record(name string, id int, topo int32, n *node) {
	h := fmt.Sprintf("0x%016X", handle+id*0x100)
	at := fmt.Sprintf("0x%016X", address+id*0x100)
	row := func(style, format string, args ...any) {
		fmt.Fprintf(&d.b, "\"%s\"[%s label=\""+format+"\"];\n\n", append([]any{name, style}, args...)...)
	}
	const record, plain = `style="solid" shape="record"`, `style="solid" shape="rectangle"`
	switch n.kind() {
	case graph.KernelNode:
		d.kernel(name, id, topo, n)
	case graph.MemcpyNode:
		row(record, "{\nMEMCPY\n| {{ID | node handle} | {%d (topoId: %d) | %s}}\n%s| {Extent | {WidthInBytes | Height | Depth} | {%d | 1 | 1}}\n}",
			id, topo, h, d.places(n), d.bytes(n))
	case graph.MemsetNode:
		f := fillOf(n.more.api)
		row(`style="solid" `+record, "{MEMSET\n| {{ID | node handle | dptr | pitch | value | elementSize | width | height} | "+
			"{%d (topoId: %d) | %s | %s | %d | %d | %d | %d | %d}}}", id, topo, h, at, f.pitch, f.value, f.element, f.width, f.height)
	case graph.MemAllocNode:
		row(record, "{\nMEM_ALLOC\n| {{ID | node handle} | {%d (topoId: %d) | %s}}\n"+
			"| {{{poolProps | {allocType | handleTypes | {location | {type | id}}} | {PINNED | NONE | DEVICE | 0}}}}\n"+
			"| {{bytesize | dptr} | {%d | %s}}\n}", id, topo, h, someBytes, at)
	case graph.MemFreeNode:
		row(record, "{\nMEM_FREE\n| {{ID | node handle} | {%d (topoId: %d) | %s}}\n| {{dptr} | {%s}}\n}", id, topo, h, at)
	case graph.BatchMemOpNode:
		row(record, "{\nBATCH_MEM_OP\n| {{ID | node handle | count | flags } | {%d (topoId: %d) | %s | 1 | 0x0 }}\n"+
			"| {{{paramArray[0] | {op | addr | val | flags }}}\n| {WRITE_VALUE_32 | %s | 0x1 | DEFAULT}}\n}", id, topo, h, at)
	case graph.ChildNode:
		row(plain, "%d (topoId: %d)\ngraph_%d\nnode handle: %s\n", id, topo, d.child(n), h)
	case graph.HostNode:
		row(plain, "%d (topoId: %d)\nHOST\nnode handle: %s\nfn: 0x%016X\nuserData: %s\n", id, topo, h, function, at)
	case graph.WaitEventNode, graph.EventRecordNode:
		row(plain, "%d (topoId: %d)\n%s\nnode handle: %s\nevent: %s\n", id, topo, words[n.kind()], h, at)
	default:
		row(plain, "%d (topoId: %d)\n%s\nnode handle: %s\n", id, topo, words[n.kind()], h)
	}
}

// places is the row of a copy's source and destination.
func (d *dumper) places(n *node) string {
	const columns = " MemoryType | Array | Host | Device | XInBytes | Y | Z | Pitch | Height | LOD"
	host, device := "HOST (HOST PINNED)", "DEVICE (DEVICE)"
	if n.op != schedule.None && d.p.Intent.Ops[n.op].Pageable || n.op == schedule.None && deeds[n.more.api].pageable {
		host = "HOST (HOST PAGEABLE)"
	}
	from, to := device, device
	switch n.class {
	case toDevice:
		from = host
	case toHost:
		to = host
	}
	place := func(memory string) string { return memory + " | 0x0 | 0x0 | 0x0 | 0 | 0 | 0 | 0 | 0 | 0" }
	return "| {{src | dst} | {" + columns + " |" + columns + "} | {" + place(from) + " | " + place(to) + "}}\n"
}

func (d *dumper) kernel(name string, id int, topo int32, n *node) {
	code := 0
	if n.op != schedule.None {
		op := &d.p.Intent.Ops[n.op]
		code = int(op.Kind)*0x200 + int(op.Kernel)*0x100
	}
	fmt.Fprintf(&d.b, "\"%s\"[style=\"bold\" shape=\"record\" label=\"{KERNEL\n", name)
	fmt.Fprintf(&d.b, "| {ID | %d (topoId: %d) | %s\\<\\<\\<1,1,0\\>\\>\\>}\n", id, topo, d.symbol(n))
	fmt.Fprintf(&d.b, "| {{node handle | func handle} | {0x%016X | 0x%016X}}\n", handle+id*0x100, function+code)
	d.b.WriteString("| {accessPolicyWindow | {base_ptr | num_bytes | hitRatio | hitProp | missProp} | " +
		"{0x0000000000000000 | 0 | 0.000000 | N | N}}\n")
	fmt.Fprintf(&d.b, "| {cooperative | 0}\n| {priority | %d}\n}\"];\n\n", n.priority)
}

// topoIDs numbers the nodes as the driver does: breadth first from the sinks, a node when it is first reached. Nodes that
// lead only into a cycle get none. Among three sinks or more the driver's order is another one, which is not modelled.
func topoIDs(deps [][]int32) []int32 {
	reached := make([]bool, len(deps))
	for i := range deps {
		for _, d := range deps[i] {
			reached[d] = true
		}
	}
	queue := make([]int32, 0, len(deps))
	for i, inner := range reached {
		if !inner {
			queue = append(queue, int32(i))
		}
	}
	clear(reached)
	ids := make([]int32, len(deps))
	for k := 0; k < len(queue); k++ {
		ids[queue[k]] = int32(k)
		for _, d := range deps[queue[k]] {
			if !reached[d] {
				reached[d] = true
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
