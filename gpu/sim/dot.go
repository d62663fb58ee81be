package sim

import (
	"bytes"
	"fmt"

	"github.com/gpu-overlap/overlap/schedule"
)

// maxDump bounds the nodes of a graph that is dumped: a verbose dump takes half a kilobyte a node.
const maxDump = 4096

// dumps writes the graph as the driver's cuGraphDebugDotPrint does, without flags and verbose; nil when it is too big.
// As in the driver's, a node is labelled with its kernel, not its op. The labels of host nodes and copies are not
// measured.
func dumps(c *capture, in *schedule.Intent) (dot, all []byte) {
	if len(c.nodes) > maxDump {
		return nil, nil
	}
	return dump(c, in, false), dump(c, in, true)
}

func dump(c *capture, in *schedule.Intent, verbose bool) []byte {
	var b bytes.Buffer
	b.WriteString("digraph dot {\nsubgraph cluster_1 {\nlabel=\"graph_1\" graph[style=\"dashed\"];\n")
	topo := topoIDs(c)
	for i, n := range c.nodes {
		op := &in.Ops[n.op]
		if verbose {
			writeVerbose(&b, i, topo[i], op)
			continue
		}
		style, shape := shape(op)
		fmt.Fprintf(&b, "\"graph_1_node_%d\"[style=\"%s\" shape=\"%s\" label=\"%d\n%s\n\"];\n\n", i, style, shape, i, symbol(op))
	}
	for _, e := range c.graph(in).Edges {
		fmt.Fprintf(&b, "\"graph_1_node_%d\" -> \"graph_1_node_%d\"", e.From, e.To)
		if verbose {
			fmt.Fprintf(&b, " [headlabel=%d]", position(c.nodes[e.To].deps, e.From))
		}
		b.WriteString(";\n")
	}
	b.WriteString("}\n}\n")
	return b.Bytes()
}

// shape is that of a short label; only a kernel is an octagon.
func shape(op *schedule.Op) (style, shape string) {
	switch classOf(op) {
	case hostFunc:
		return "solid", "rectangle"
	case toDevice, toHost:
		return "solid", "trapezium"
	}
	return "bold", "octagon"
}

func symbol(op *schedule.Op) string {
	switch classOf(op) {
	case hostFunc:
		return "HOST"
	case toDevice:
		return "MEMCPY\n(HtoD)"
	case toHost:
		return "MEMCPY\n(DtoH)"
	}
	return op.Kind.String() + "_" + op.Kernel.String()
}

// writeVerbose writes a node with the rows of driver 580. Handles are made up: from the id, so that a dump is the same
// each time.
func writeVerbose(b *bytes.Buffer, id int, topo int32, op *schedule.Op) {
	const node, function = 0x100000, 0x200000
	fmt.Fprintf(b, "\"graph_1_node_%d\"[style=\"bold\" shape=\"record\" label=\"{", id)
	switch classOf(op) {
	case hostFunc:
		fmt.Fprintf(b, "HOST\n| {ID | %d (topoId: %d)}\n}\"];\n\n", id, topo)
		return
	case toDevice, toHost:
		kind := "HtoD (HOST to DEVICE)"
		if op.Kind == schedule.D2H {
			kind = "DtoH (DEVICE to HOST)"
		}
		fmt.Fprintf(b, "\nMEMCPY\n| {{ID | node handle} | {%d (topoId: %d) | 0x%016X}}\n| {kind | %s}\n}\"];\n\n",
			id, topo, node+id*0x100, kind)
		return
	}
	b.WriteString("KERNEL\n")
	fmt.Fprintf(b, "| {ID | %d (topoId: %d) | %s\\<\\<\\<1,1,0\\>\\>\\>}\n", id, topo, symbol(op))
	fmt.Fprintf(b, "| {{node handle | func handle} | {0x%016X | 0x%016X}}\n", node+id*0x100, function+int(op.Kind)*0x200+int(op.Kernel)*0x100)
	b.WriteString("| {accessPolicyWindow | {base_ptr | num_bytes | hitRatio | hitProp | missProp} | " +
		"{0x0000000000000000 | 0 | 0.000000 | N | N}}\n")
	b.WriteString("| {cooperative | 0}\n| {priority | 0}\n}\"];\n\n")
}

// topoIDs numbers the nodes as the driver does: breadth first from the sinks, a node once its last dependent has a
// number.
func topoIDs(c *capture) []int32 {
	dependents := make([]int32, len(c.nodes))
	for i := range c.nodes {
		for _, d := range c.nodes[i].deps {
			dependents[d]++
		}
	}
	queue := make([]int32, 0, len(c.nodes))
	for i, n := range dependents {
		if n == 0 {
			queue = append(queue, int32(i))
		}
	}
	ids := make([]int32, len(c.nodes))
	for k := 0; k < len(queue); k++ {
		ids[queue[k]] = int32(k)
		for _, d := range c.nodes[queue[k]].deps {
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
