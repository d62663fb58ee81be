package graph

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// WriteDOT writes a graph as DOT that any Graphviz draws and that ParseDOT reads back. It is canonical: nodes in the
// order of their creation, then edges by node, no handles and no ids of a process, so that equal graphs give equal
// bytes.
//
// A node is called by its name. Nodes that share one are told apart by a number, "name#0", and carry the attribute name.
// A graph that nodes hold is a cluster of its own with a number above 0: its nodes say graph=1, those that hold it holds="1".
func WriteDOT(w io.Writer, g *Graph) error {
	b := bufio.NewWriter(w)
	list, index := sharing(g)
	ids := nodeIDs(list)
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
			if !g.has(e.From) || !g.has(e.To) {
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

func childNumbers(n Node, index map[*Graph]int, prefix string) (list []string) {
	for _, child := range n.Children {
		list = append(list, prefix+strconv.Itoa(index[child]))
	}
	return list
}

func (g *Graph) has(node int32) bool { return node >= 0 && int(node) < len(g.Nodes) }

func edgeData(e Edge) string {
	if e.Type == fullCompletion && e.FromPort == 0 {
		return ""
	}
	word := strconv.Itoa(int(e.Type))
	switch e.Type {
	case fullCompletion:
		word = "full"
	case programmatic:
		word = "programmatic"
	}
	return fmt.Sprintf(" [type=%s, port=%d]", word, e.FromPort)
}

// nodeIDs gives each node of the graphs, one after the other, an id of its own: its name, where no other node has it, else
// name#k.
func nodeIDs(graphs []*Graph) []string {
	nodes := 0
	for _, g := range graphs {
		nodes += len(g.Nodes)
	}
	count := make(map[string]int, nodes)
	for _, g := range graphs {
		for i := range g.Nodes {
			count[g.Nodes[i].Name]++
		}
	}
	ids := make([]string, 0, nodes)
	next := map[string]int{}
	for _, g := range graphs {
		for i := range g.Nodes {
			name := g.Nodes[i].Name
			id := name
			for count[name] > 1 && count[id] > 0 { // also pass a node that is really called name#k
				id = name + "#" + strconv.Itoa(next[name])
				next[name]++
			}
			ids = append(ids, id)
		}
	}
	return ids
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
