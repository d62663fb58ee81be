package dot

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/gpu-overlap/overlap/graph"
)

// WriteDump writes a graph as the driver dumps it (cuGraphDebugDotPrint, measured with driver 580), without flags or
// verbose. The graph is graph_1, those that its nodes hold are clusters behind it. Read reads it back, but for what a
// dump has no place for: the names of nodes that are no kernels, and the data of edges, of which the driver shows
// nothing.
//
// What a Graph does not hold, about says: nil, or Details of some of the graphs. What is not known is left out; handles
// and addresses are 0.
func WriteDump(w io.Writer, g *graph.Graph, verbose bool, about map[*graph.Graph]Details) error {
	if err := g.Validate(); err != nil {
		return err
	}
	b := bufio.NewWriter(w)
	list, index := sharing(g)
	b.WriteString("digraph dot {\n")
	for k, g := range list {
		d := dumper{Writer: b, id: k + 1, index: index, verbose: verbose}
		if err := d.cluster(g, about[g]); err != nil {
			return err
		}
	}
	b.WriteString("}\n")
	return b.Flush()
}

// Details is what the driver's dump rests on, or says, that a Graph does not hold. All may be left out.
type Details struct {
	Deps   [][]int32 // by node: what it depends on, in the driver's order; otherwise by number
	Leaves []int32   // the nodes on which none depends, in the driver's order; otherwise by number
	Nodes  []Facts   // by node
	IDs    []int32   // by node: its number in the dump, which leaves out those of destroyed nodes; otherwise its index
}

// id is the number of a node in the dump.
func (d Details) id(node int32) int32 {
	if int(node) < len(d.IDs) {
		return d.IDs[node]
	}
	return node
}

type dumper struct {
	*bufio.Writer
	id      int // of the graph
	index   map[*graph.Graph]int
	verbose bool
}

func (d *dumper) cluster(g *graph.Graph, about Details) error {
	fmt.Fprintf(d, "subgraph cluster_%d {\nlabel=\"graph_%d\" graph[style=\"dashed\"];\n", d.id, d.id)
	if about.Deps == nil {
		about.Deps = dependencies(g)
	}
	topo := topoIDs(g, about.Deps, about.Leaves)
	for i, n := range g.Nodes {
		if err := checkName(i, n); err != nil {
			return err
		}
		l := label{Node: n, id: int(about.id(int32(i))), topo: topo[i]}
		if i < len(about.Nodes) {
			l.Facts = about.Nodes[i]
		}
		for _, child := range n.Children {
			l.children = append(l.children, fmt.Sprintf("graph_%d", d.index[child]+1))
		}
		look := l.short
		if d.verbose {
			look = l.long
		}
		style, text := look()
		fmt.Fprintf(d, "\"graph_%d_node_%d\"[%slabel=\"%s\"];\n\n", d.id, l.id, style, text)
	}
	place := map[[2]int32]int{}
	if d.verbose {
		place = places(about.Deps)
	}
	for _, e := range g.Edges {
		if !g.Has(e.From) || !g.Has(e.To) {
			return fmt.Errorf("edge %d -> %d: want nodes below %d", e.From, e.To, len(g.Nodes))
		}
		fmt.Fprintf(d, "\"graph_%d_node_%d\" -> \"graph_%d_node_%d\"", d.id, about.id(e.From), d.id, about.id(e.To))
		if d.verbose {
			fmt.Fprintf(d, " [headlabel=%d]", place[[2]int32{e.From, e.To}])
		}
		d.WriteString(";\n")
	}
	d.WriteString("}\n")
	return nil
}

// checkName refuses what a label cannot hold: its lines and rows are trimmed, and what a kernel's name is followed by
// is cut.
func checkName(i int, n graph.Node) error {
	if n.Kind != graph.KernelNode && n.Kind != graph.UnknownNode {
		return nil
	}
	if n.Name == "" || strings.TrimSpace(n.Name) != n.Name || strings.ContainsFunc(n.Name, unicode.IsControl) {
		return fmt.Errorf("node %d: want a name without line breaks and without spaces at its ends, found %q",
			i, shorten(n.Name))
	}
	if text := escape(n.Name, labelled); cutLaunch(text) != text {
		return fmt.Errorf("node %d: want a name that does not end as the dimensions of a launch do, found %q",
			i, shorten(n.Name))
	}
	return nil
}
