package graph

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
)

// WriteDump writes a graph as the driver dumps it (cuGraphDebugDotPrint, measured with driver 580), without flags or verbose.
// The graph is graph_1, those that its nodes hold are clusters behind it. ParseDOT reads it back, but for what a dump has no
// place for: the names of nodes that are no kernels, and the data of edges, of which the driver shows nothing.
//
// What a Graph does not hold, about says: nil, or Details of some of the graphs. What is not known is left out; handles and
// addresses are 0.
func WriteDump(w io.Writer, g *Graph, verbose bool, about map[*Graph]Details) error {
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
	IDs    []int32   // by node: its number in the dump, where those of destroyed nodes are left out; otherwise its index
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
	index   map[*Graph]int
	verbose bool
}

func (d *dumper) cluster(g *Graph, about Details) error {
	fmt.Fprintf(d, "subgraph cluster_%d {\nlabel=\"graph_%d\" graph[style=\"dashed\"];\n", d.id, d.id)
	if about.Deps == nil {
		about.Deps = g.dependencies()
	}
	topo := g.topoIDs(about.Deps, about.Leaves)
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
		if !g.has(e.From) || !g.has(e.To) {
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

// checkName refuses what a label cannot hold: its lines and rows are trimmed, and what a kernel's name is followed by is cut.
func checkName(i int, n Node) error {
	if n.Kind != KernelNode && n.Kind != UnknownNode {
		return nil
	}
	if n.Name == "" || strings.TrimSpace(n.Name) != n.Name || strings.ContainsFunc(n.Name, unicode.IsControl) {
		return fmt.Errorf("node %d: want a name without line breaks and without spaces at its ends, found %q", i, shorten(n.Name))
	}
	if text := escape(n.Name, labelled); cutLaunch(text) != text {
		return fmt.Errorf("node %d: want a name that does not end as the dimensions of a launch do, found %q", i, shorten(n.Name))
	}
	return nil
}

// dependencies lists those of each node, in the order of the edges.
func (g *Graph) dependencies() [][]int32 {
	in, deps := g.in(), make([][]int32, len(g.Nodes))
	for i := range deps {
		for _, a := range in.of(int32(i)) {
			deps[i] = append(deps[i], a.node)
		}
	}
	return deps
}

// places is where each edge stands in the list of its head.
func places(deps [][]int32) map[[2]int32]int {
	place := map[[2]int32]int{}
	for to, list := range deps {
		for k, from := range list {
			place[[2]int32{from, int32(to)}] = k
		}
	}
	return place
}

// topoIDs numbers the nodes as the driver does: breadth first from the leaves against the edges, each node when it is first
// met (measured). Nodes of a cycle that no leaf is behind keep 0.
func (g *Graph) topoIDs(deps [][]int32, leaves []int32) []int32 {
	if leaves == nil {
		leaves = g.leaves()
	}
	ids, met := make([]int32, len(deps)), make([]bool, len(deps))
	queue := make([]int32, 0, len(deps))
	meet := func(list []int32) {
		for _, i := range list {
			if !met[i] {
				met[i], ids[i] = true, int32(len(queue))
				queue = append(queue, i)
			}
		}
	}
	meet(leaves)
	for k := 0; k < len(queue); k++ {
		meet(deps[queue[k]])
	}
	return ids
}

// leaves are the nodes on which none depends, by number.
func (g *Graph) leaves() (list []int32) {
	out := g.out()
	for i := range int32(len(g.Nodes)) {
		if len(out.of(i)) == 0 {
			list = append(list, i)
		}
	}
	return slices.Clip(list)
}
