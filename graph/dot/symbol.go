package dot

import (
	"slices"
	"strings"

	"github.com/gpu-overlap/overlap/graph"
)

// ShortName is what a C++ programmer calls a kernel of a mangled name, without parameters: computation_kernel of
// _Z18computation_kernelyPy, at::native::copy of _ZN2at6native4copyEv. Of templates, operators and all that is not
// plain, the name as it is.
func ShortName(symbol string) string {
	rest, ok := strings.CutPrefix(symbol, "_Z")
	if !ok {
		return symbol
	}
	rest, nested := strings.CutPrefix(rest, "N")
	var parts []string
	for rest != "" && digit(rest[0]) {
		end := 0
		for end < len(rest) && digit(rest[end]) {
			end++
		}
		n, ok := number(rest[:end])
		if !ok || n == 0 || n > len(rest)-end {
			return symbol
		}
		parts = append(parts, rest[end:end+n])
		rest = rest[end+n:]
		if !nested {
			break
		}
	}
	if len(parts) == 0 || strings.HasPrefix(rest, "I") || nested && !strings.HasPrefix(rest, "E") {
		return symbol
	}
	return strings.Join(parts, "::")
}

// ShortNames is the same graph with the short names of its kernels, and so the graphs that its nodes hold. A graph that is not
// valid it gives back as it is.
func ShortNames(g *graph.Graph) *graph.Graph {
	if g.Validate() != nil {
		return g
	}
	return shortNames(g, map[*graph.Graph]*graph.Graph{})
}

func shortNames(g *graph.Graph, made map[*graph.Graph]*graph.Graph) *graph.Graph {
	if short := made[g]; short != nil {
		return short
	}
	short := &graph.Graph{Nodes: slices.Clone(g.Nodes), Edges: g.Edges}
	made[g] = short
	for i := range short.Nodes {
		n := &short.Nodes[i]
		if n.Kind == graph.KernelNode {
			n.Name = ShortName(n.Name)
		}
		n.Children = slices.Clone(n.Children)
		for c := range n.Children {
			n.Children[c] = shortNames(n.Children[c], made)
		}
	}
	return short
}
