package dot

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/schedule"
)

// ReadNames reads a map from nodes, by creation index, to ops: one "0 A0" a line, # starts a comment.
func ReadNames(r io.Reader) (map[int32]string, error) {
	names := map[int32]string{}
	lines := bufio.NewScanner(r)
	for at := 1; lines.Scan(); at++ {
		text, _, _ := strings.Cut(lines.Text(), "#")
		fields := strings.Fields(text)
		if len(fields) == 0 {
			continue
		}
		node, ok := number(fields[0])
		if !ok || len(fields) != 2 {
			return nil, fmt.Errorf("names line %d: want a node's number and an op's name, as \"0 A0\", found %q",
				at, shorten(lines.Text()))
		}
		if first, twice := names[int32(node)]; twice {
			return nil, fmt.Errorf("names line %d: node %d is named a second time, was %s", at, node, first)
		}
		names[int32(node)] = fields[1]
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("names: %w", err)
	}
	return names, nil
}

// Bind ties the nodes of an imported graph to ops, by a map from creation index to op name. It gives a new graph whose
// nodes have the ops' ids and names. Every node must be named, every name must be an op's, and no op may have two
// nodes.
func Bind(g *graph.Graph, names map[int32]string, in *schedule.Intent) (*graph.Graph, error) {
	if err := g.Validate(); err != nil {
		return nil, err
	}
	for _, i := range slices.Sorted(maps.Keys(names)) {
		if !g.Has(i) {
			return nil, fmt.Errorf("names: %d %s: the graph has no node %d, want 0 to %d",
				i, names[i], i, len(g.Nodes)-1)
		}
	}
	named := &graph.Graph{Nodes: slices.Clone(g.Nodes), Edges: slices.Clone(g.Edges)}
	for i := range named.Nodes {
		name, ok := names[int32(i)]
		if !ok {
			return nil, fmt.Errorf("names: node %d (%s) has no name, want a line \"%d OP\"", i, g.Nodes[i].Name, i)
		}
		named.Nodes[i].Name = name
	}
	return Resolve(named, in)
}

// Resolve ties each node to the op of its name: what a graph read from the form of Write needs.
func Resolve(g *graph.Graph, in *schedule.Intent) (*graph.Graph, error) {
	if err := g.Validate(); err != nil {
		return nil, err
	}
	if in == nil {
		return nil, fmt.Errorf("no schedule to tie a graph to; want one")
	}
	ops := make(map[string]int32, len(in.Ops))
	for i := range in.Ops {
		ops[in.Ops[i].Name] = int32(i)
	}
	tied := &graph.Graph{Nodes: slices.Clone(g.Nodes), Edges: slices.Clone(g.Edges)}
	node := make(map[string]int, len(g.Nodes))
	for i := range tied.Nodes {
		n := &tied.Nodes[i]
		op, ok := ops[n.Name]
		if !ok {
			return nil, fmt.Errorf("node %d: the schedule has no op %s", i, shorten(n.Name))
		}
		if first, twice := node[n.Name]; twice {
			return nil, fmt.Errorf("node %d: op %s is node %d already", i, n.Name, first)
		}
		n.Op, node[n.Name] = schedule.At(op), i
	}
	return tied, nil
}
