package sim

import (
	"bytes"
	"slices"

	"github.com/gpu-overlap/overlap/gpu"
	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/graph/dot"
	"github.com/gpu-overlap/overlap/schedule"
)

// maxDump bounds the nodes of a graph that is dumped: a verbose dump takes half a kilobyte a node.
const maxDump = 4096

// dumps writes the graph as the driver's cuGraphDebugDotPrint does, without flags and verbose; nil when it is too big.
// As in the driver's, a kernel is labelled with its function, not its op.
func dumps(t *template, p *schedule.Program) (short, verbose []byte) {
	if t.size() > maxDump {
		return nil, nil
	}
	about := map[*graph.Graph]dot.Details{}
	g := t.described(p, about)
	dump := func(verbose bool) []byte {
		var b bytes.Buffer
		if dot.WriteDump(&b, g, verbose, about) != nil { // which takes every graph that a device makes
			return nil
		}
		return b.Bytes()
	}
	return dump(false), dump(true)
}

// described is the graph with the names that a dump shows, and those of child nodes, with what a dump says of them.
func (t *template) described(p *schedule.Program, about map[*graph.Graph]dot.Details) *graph.Graph {
	l := t.list(p)
	g := &l.Graph
	d := dot.Details{Deps: l.Deps, Leaves: t.leaves(l)}
	number := 0
	for i := range t.nodes {
		n := &t.nodes[i]
		if n.gone() {
			continue
		}
		shown := &g.Nodes[number]
		number++
		if shown.Kind == graph.KernelNode {
			shown.Name = symbol(p, n)
		}
		if n.extra != nil && n.extra.child != nil {
			shown.Children = []*graph.Graph{n.extra.child.described(p, about)}
		}
		d.Nodes, d.IDs = append(d.Nodes, facts(p, n)), append(d.IDs, int32(i))
	}
	about[g] = d
	return g
}

// leaves are the nodes on which none depends. First come those that were added since the last capture ended, then
// those that its origin depended on, each list backwards (DOT2; of nodes that were added by hand, taken over from the
// roots).
func (t *template) leaves(l *gpu.Listing) (list []int32) {
	ids, _ := t.numbers()
	leaf := func(id int32) bool { return id != schedule.None && len(l.Dependents[id]) == 0 }
	for i := range ids {
		if leaf(ids[i]) && !slices.Contains(t.tips, int32(i)) {
			list = append(list, ids[i])
		}
	}
	slices.Reverse(list)
	for _, tip := range slices.Backward(t.tips) {
		if leaf(ids[tip]) {
			list = append(list, ids[tip])
		}
	}
	return list
}

// emptyKernel is the function of a kernel that does nothing.
const emptyKernel = "empty"

// symbol is the function of a kernel.
func symbol(p *schedule.Program, n *node) string {
	if n.op == schedule.None {
		return emptyKernel
	}
	op := &p.Intent.Ops[n.op]
	return op.Kind.String() + "_" + op.Kernel.String()
}

// The resources of the calls that bring resources of their own: how many bytes they move, fill or allocate.
const (
	invokedBytes  = 1 << 20
	pageableBytes = 4 << 20
	addedBytes    = 1 << 10 // by a node that was added to a graph
)

// copies and fills are what the nodes of these calls do. No call stands for a node that was added to a graph.
var (
	copies = map[schedule.API]dot.Copy{
		schedule.NoAPI:              {Bytes: addedBytes},
		schedule.MemcpyHtoD:         {From: dot.PinnedMemory, Bytes: invokedBytes},
		schedule.MemcpyHtoDPageable: {From: dot.PageableMemory, Bytes: pageableBytes},
		schedule.MemcpyDtoH:         {To: dot.PinnedMemory, Bytes: invokedBytes},
		schedule.MemcpyDtoHPageable: {To: dot.PageableMemory, Bytes: pageableBytes},
		schedule.MemcpyDtoD:         {Bytes: invokedBytes},
	}
	fills = map[schedule.API]dot.Fill{
		schedule.NoAPI:     {Size: 1, Width: addedBytes, Height: 1},
		schedule.MemsetD8:  {Value: 1, Size: 1, Width: invokedBytes, Height: 1},
		schedule.MemsetD32: {Value: 1, Size: 4, Width: invokedBytes / 4, Height: 1},
		schedule.Memset2D:  {Pitch: 1024, Value: 1, Size: 1, Width: 512, Height: 512},
	}
)

// facts is what a verbose dump says of a node beside its name.
func facts(p *schedule.Program, n *node) (f dot.Facts) {
	api := schedule.NoAPI
	if n.extra != nil {
		api = n.extra.api
	}
	switch n.kind() {
	case graph.KernelNode:
		f.Launch, f.Priority = "1,1,0", int(n.priority)
	case graph.MemcpyNode:
		c := copies[api]
		if n.op != schedule.None {
			c = copyOf(&p.Intent.Ops[n.op])
		}
		f.Copy = &c
	case graph.MemsetNode:
		fill := fills[api]
		f.Fill = &fill
	case graph.MemAllocNode:
		f.Bytes = invokedBytes
	case graph.BatchMemOpNode:
		f.Write = true
	}
	return f
}

// copyOf is what an op copies.
func copyOf(op *schedule.Op) dot.Copy {
	c := dot.Copy{Bytes: op.Bytes}
	host := dot.PinnedMemory
	if op.Pageable {
		host = dot.PageableMemory
	}
	if op.Kind == schedule.H2D {
		c.From = host
	} else {
		c.To = host
	}
	return c
}
