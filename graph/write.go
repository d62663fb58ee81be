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
func WriteDOT(w io.Writer, g *Graph) error {
	b := bufio.NewWriter(w)
	ids := nodeIDs(g)
	b.WriteString("digraph schedule {\n")
	for i, n := range g.Nodes {
		fmt.Fprintf(b, "  %s [kind=%s", quote(ids[i]), n.Kind)
		if ids[i] != n.Name {
			fmt.Fprintf(b, ", name=%s", quote(n.Name))
		}
		b.WriteString("];\n")
	}
	for _, e := range g.Edges {
		if !g.has(e.From) || !g.has(e.To) {
			return fmt.Errorf("edge %d -> %d: want nodes below %d", e.From, e.To, len(g.Nodes))
		}
		fmt.Fprintf(b, "  %s -> %s%s;\n", quote(ids[e.From]), quote(ids[e.To]), edgeData(e))
	}
	b.WriteString("}\n")
	return b.Flush()
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

// nodeIDs gives each node an id of its own: its name, where no other node has it, else name#k.
func nodeIDs(g *Graph) []string {
	count := make(map[string]int, len(g.Nodes))
	for _, n := range g.Nodes {
		count[n.Name]++
	}
	ids := make([]string, len(g.Nodes))
	next := map[string]int{}
	for i, n := range g.Nodes {
		ids[i] = n.Name
		for count[n.Name] > 1 && count[ids[i]] > 0 { // also pass a node that is really called name#k
			ids[i] = n.Name + "#" + strconv.Itoa(next[n.Name])
			next[n.Name]++
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
