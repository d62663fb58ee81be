package graph

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode"
)

// WriteDump writes a graph as the driver dumps it (cuGraphDebugDotPrint), without flags or verbose. The graph is graph_1,
// those that its nodes hold are clusters behind it. ParseDOT reads it back, but for the names of nodes that are no kernels:
// a dump has no place for them. Launch dimensions are left out and handles are 0, since a Graph has none.
//
// The form of kernels is measured (driver 580), that of the other kinds is not; edge data other than full completion is
// written as WriteDOT does.
func WriteDump(w io.Writer, g *Graph, verbose bool) error {
	b := bufio.NewWriter(w)
	list, index := sharing(g)
	b.WriteString("digraph dot {\n")
	for k, g := range list {
		id := k + 1
		fmt.Fprintf(b, "subgraph cluster_%d {\nlabel=\"graph_%d\" graph[style=\"dashed\"];\n", id, id)
		topo := g.topoIDs()
		for i, n := range g.Nodes {
			if err := checkName(i, n); err != nil {
				return err
			}
			children := make([]string, len(n.Children))
			for c, child := range n.Children {
				children[c] = fmt.Sprintf("graph_%d", index[child]+1)
			}
			fmt.Fprintf(b, "\"graph_%d_node_%d\"", id, i)
			if verbose {
				writeRecord(b, i, topo[i], n, children)
			} else {
				writeShort(b, i, n, children)
			}
		}
		place := make([]int32, len(g.Nodes)) // of the next edge among those of its head
		for _, e := range g.Edges {
			if !g.has(e.From) || !g.has(e.To) {
				return fmt.Errorf("edge %d -> %d: want nodes below %d", e.From, e.To, len(g.Nodes))
			}
			fmt.Fprintf(b, "\"graph_%d_node_%d\" -> \"graph_%d_node_%d\"", id, e.From, id, e.To)
			if verbose {
				fmt.Fprintf(b, " [headlabel=%d]", place[e.To])
				place[e.To]++
			}
			b.WriteString(edgeData(e) + ";\n")
		}
		b.WriteString("}\n")
	}
	b.WriteString("}\n")
	return b.Flush()
}

// checkName refuses what a label cannot hold: its lines and rows are trimmed.
func checkName(i int, n Node) error {
	if n.Kind != KernelNode && n.Kind != UnknownNode {
		return nil
	}
	if n.Name == "" || strings.TrimSpace(n.Name) != n.Name || strings.ContainsFunc(n.Name, unicode.IsControl) {
		return fmt.Errorf("node %d: want a name without line breaks and without spaces at its ends, found %q", i, shorten(n.Name))
	}
	return nil
}

// looks are shape and words of each kind in a dump; an event node and the like are rectangles.
var looks = [numKinds]struct{ shape, word string }{
	{"octagon", "KERNEL"}, {"trapezium", "MEMCPY"}, {"invtrapezium", "MEMSET"}, {"rectangle", "HOST"}, {"rectangle", "CHILD_GRAPH"},
	{"rectangle", "EMPTY"}, {"rectangle", "EVENT_WAIT"}, {"rectangle", "EVENT_RECORD"}, {"rectangle", "EXT_SEMAS_SIGNAL"},
	{"rectangle", "EXT_SEMAS_WAIT"}, {"rectangle", "MEM_ALLOC"}, {"rectangle", "MEM_FREE"}, {"rectangle", "BATCH_MEM_OP"},
	{"rectangle", "CONDITIONAL"},
}

// look gives shape and words; those of a kind that no driver has yet are its number.
func look(n Node) (shape, word string) {
	switch {
	case n.Kind < numKinds:
		return looks[n.Kind].shape, looks[n.Kind].word
	case n.Kind == UnknownNode:
		return "rectangle", n.Name
	}
	return "rectangle", "TYPE_" + n.Kind.String()
}

func writeShort(b *bufio.Writer, i int, n Node, children []string) {
	shape, text := look(n)
	style := "solid"
	switch {
	case n.Kind == KernelNode:
		style, text = "bold", n.Name
	case n.Kind == ChildNode && len(children) > 0:
		text, children = children[0], children[1:]
	}
	fmt.Fprintf(b, "[style=\"%s\" shape=\"%s\" label=\"%d\n%s\n", style, shape, i, escape(text, `\"`))
	for _, child := range children {
		b.WriteString(child + "\n")
	}
	b.WriteString("\"];\n\n")
}

func writeRecord(b *bufio.Writer, i int, topo int32, n Node, children []string) {
	_, word := look(n)
	style := "solid"
	if n.Kind == KernelNode {
		style = "bold"
	}
	fmt.Fprintf(b, "[style=\"%s\" shape=\"record\" label=\"{%s\n", style, escape(word, `\"{}|<>`))
	fmt.Fprintf(b, "| {ID | %d (topoId: %d)", i, topo)
	if n.Kind == KernelNode {
		fmt.Fprintf(b, " | %s}\n| {{node handle | func handle} | {0x%016X | 0x%016X}}\n", escape(n.Name, `\"{}|<>`), 0, 0)
		b.WriteString("| {accessPolicyWindow | {base_ptr | num_bytes | hitRatio | hitProp | missProp} | " +
			"{0x0000000000000000 | 0 | 0.000000 | N | N}}\n| {cooperative | 0}\n| {priority | 0}\n}\"];\n\n")
		return
	}
	b.WriteString("}\n")
	for _, child := range children {
		fmt.Fprintf(b, "| {graph | %s}\n", child)
	}
	b.WriteString("}\"];\n\n")
}

// escape puts a backslash before each of these characters.
func escape(s, these string) string {
	if !strings.ContainsAny(s, these) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if strings.IndexByte(these, s[i]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// topoIDs numbers the nodes as the driver does: breadth first from the sinks, a node once its last dependent has a number.
// Nodes of a cycle, and what comes before it, keep 0.
func (g *Graph) topoIDs() []int32 {
	in := g.in()
	waits := make([]int32, len(g.Nodes))
	for _, e := range g.Edges {
		if g.has(e.From) && g.has(e.To) {
			waits[e.From]++
		}
	}
	queue := make([]int32, 0, len(g.Nodes))
	for i, n := range waits {
		if n == 0 {
			queue = append(queue, int32(i))
		}
	}
	ids := make([]int32, len(g.Nodes))
	for k := 0; k < len(queue); k++ {
		ids[queue[k]] = int32(k)
		for _, e := range in.of(queue[k]) {
			if waits[e.node]--; waits[e.node] == 0 {
				queue = append(queue, e.node)
			}
		}
	}
	return ids
}
