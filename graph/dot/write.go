package dot

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/gpu-overlap/overlap/graph"
)

// Write writes a graph as DOT that any Graphviz draws and that Read reads back. It is canonical: nodes in the
// order of their creation, then edges by node, no handles and no ids of a process, so that equal graphs give equal
// bytes.
//
// A node is called by its name. Nodes that share one are told apart by a number, "name#0", and carry the attribute
// name. A graph that nodes hold is a cluster of its own with a number above 0: its nodes say graph=1, those that hold
// it holds="1".
func Write(w io.Writer, g *graph.Graph) error {
	if err := g.Validate(); err != nil {
		return err
	}
	b := bufio.NewWriter(w)
	list, index := sharing(g)
	ids := graph.UniqueNames(list)
	b.WriteString("digraph schedule {\n")
	for k, g := range list {
		indent := "  "
		if k > 0 {
			fmt.Fprintf(b, "  subgraph cluster_%d {\n", k)
			indent = "    "
		}
		for i, n := range g.Nodes {
			fmt.Fprintf(b, "%s%s [kind=%s", indent, quote(ids[i]), n.Kind)
			if ids[i] != n.Name {
				fmt.Fprintf(b, ", name=%s", quote(n.Name))
			}
			if k > 0 {
				fmt.Fprintf(b, ", graph=%d", k)
			}
			if len(n.Children) > 0 {
				fmt.Fprintf(b, ", holds=%s", strconv.Quote(strings.Join(childNumbers(n, index, ""), " ")))
			}
			b.WriteString("];\n")
		}
		for _, e := range g.Edges {
			if !g.Has(e.From) || !g.Has(e.To) {
				return fmt.Errorf("edge %d -> %d: want nodes below %d", e.From, e.To, len(g.Nodes))
			}
			fmt.Fprintf(b, "%s%s -> %s%s;\n", indent, quote(ids[e.From]), quote(ids[e.To]), edgeData(e))
		}
		if k > 0 {
			b.WriteString("  }\n")
		}
		ids = ids[len(g.Nodes):]
	}
	b.WriteString("}\n")
	return b.Flush()
}

func childNumbers(n graph.Node, index map[*graph.Graph]int, prefix string) (list []string) {
	for _, child := range n.Children {
		list = append(list, prefix+strconv.Itoa(index[child]))
	}
	return list
}

func edgeData(e graph.Edge) string {
	if e.Type == graph.FullCompletion && e.FromPort == 0 {
		return ""
	}
	word := strconv.Itoa(int(e.Type))
	switch e.Type {
	case graph.FullCompletion:
		word = "full"
	case graph.Programmatic:
		word = "programmatic"
	}
	return fmt.Sprintf(" [type=%s, port=%d]", word, e.FromPort)
}

// quote writes an id as it stands where DOT allows that.
func quote(id string) string {
	plain := id != "" && !digit(id[0])
	for i := 0; i < len(id) && plain; i++ {
		plain = id[i] < 0x80 && (letter(id[i]) || digit(id[i]))
	}
	switch strings.ToLower(id) {
	case "node", "edge", "graph", "digraph", "subgraph", "strict":
		plain = false
	}
	if plain {
		return id
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(id) + `"`
}

// sharing numbers a graph and all that hang below it, parents first, each once: what the writers need.
func sharing(g *graph.Graph) (list []*graph.Graph, index map[*graph.Graph]int) {
	index = map[*graph.Graph]int{g: 0}
	list = []*graph.Graph{g}
	for i := 0; i < len(list); i++ {
		for n := range list[i].Nodes {
			for _, child := range list[i].Nodes[n].Children {
				if _, ok := index[child]; !ok {
					index[child] = len(list)
					list = append(list, child)
				}
			}
		}
	}
	return list, index
}
