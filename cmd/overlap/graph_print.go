package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/gpu-overlap/overlap/graph"
)

// described is one graph of a file, and what was found about it.
type described struct {
	graph     *graph.Graph
	holder    [2]int // the number of the graph and of the node on which it hangs first
	width     graph.Width
	chain     []int32         // the longest, by nodes
	durations []time.Duration // nil when none were given
	makespan  time.Duration
	path      []int32
	numbers   map[*graph.Graph]int
}

// describeAll describes a graph and those that hang in it; the graph is the first.
func describeAll(g *graph.Graph, rules *durationRules) ([]*described, error) {
	numbers := map[*graph.Graph]int{g: 0}
	list := []*described{{graph: g, numbers: numbers}}
	for k := 0; k < len(list); k++ {
		for i, n := range list[k].graph.Nodes {
			for _, child := range n.Children {
				if _, ok := numbers[child]; !ok {
					numbers[child] = len(list)
					list = append(list, &described{graph: child, holder: [2]int{k, i}, numbers: numbers})
				}
			}
		}
	}
	makespans := map[*graph.Graph]time.Duration{}
	if err := describeOne(list, 0, rules, makespans); err != nil {
		return nil, err
	}
	if rules != nil {
		return list, rules.unused()
	}
	return list, nil
}

// describeOne describes the graphs that hang on the nodes of a graph before the graph: it takes as long as they do.
func describeOne(list []*described, k int, rules *durationRules, makespans map[*graph.Graph]time.Duration) (err error) {
	d := list[k]
	for _, n := range d.graph.Nodes {
		for _, child := range n.Children {
			if _, done := makespans[child]; !done {
				if err := describeOne(list, d.numbers[child], rules, makespans); err != nil {
					return err
				}
			}
		}
	}
	if err := d.find(rules, makespans); err != nil {
		if k > 0 {
			return fmt.Errorf("graph %d, held by node %d of graph %d: %w", k, d.holder[1], d.holder[0], err)
		}
		return err
	}
	makespans[d.graph] = d.makespan
	return nil
}

func (d *described) find(rules *durationRules, makespans map[*graph.Graph]time.Duration) (err error) {
	if d.width, err = graph.WidthOf(d.graph); err != nil {
		return err
	}
	ones := make([]time.Duration, len(d.graph.Nodes))
	for i := range ones {
		ones[i] = 1
	}
	if _, d.chain, err = graph.CriticalPath(d.graph, ones); err != nil || rules == nil {
		return err
	}
	if d.durations, err = rules.durations(d.graph, makespans); err != nil {
		return err
	}
	d.makespan, d.path, err = graph.CriticalPath(d.graph, d.durations)
	return err
}

func (d *described) name(v int32) string { return d.graph.Nodes[v].Name }

func writeGraphText(w io.Writer, file string, list []*described) error {
	b := bufio.NewWriter(w)
	for k, d := range list {
		if k == 0 {
			fmt.Fprintf(b, "%s: ", file)
		} else {
			fmt.Fprintf(b, "\ngraph %d, held by node %d of graph %d: ", k, d.holder[1], d.holder[0])
		}
		fmt.Fprintf(b, "%s, %s\n", count(len(d.graph.Nodes), "node"), count(len(d.graph.Edges), "edge"))
		d.writeText(b)
	}
	return b.Flush()
}

func (d *described) writeText(b *bufio.Writer) {
	for i, n := range d.graph.Nodes {
		fmt.Fprintf(b, "node %d: %s %s", i, n.Kind, n.Name)
		for _, child := range n.Children {
			fmt.Fprintf(b, ", holds graph %d", d.numbers[child])
		}
		b.WriteByte('\n')
	}
	programmatic := 0
	for _, e := range d.graph.Edges {
		fmt.Fprintf(b, "edge %d -> %d", e.From, e.To)
		if e != (graph.Edge{From: e.From, To: e.To}) {
			programmatic++
			fmt.Fprintf(b, " (type %d, port %d)", e.Type, e.FromPort)
		}
		b.WriteByte('\n')
	}
	if d.width.Exact() {
		fmt.Fprintf(b, "width: %d, nodes %s\n", d.width.AtLeast, some(d.width.Nodes))
	} else {
		fmt.Fprintf(b, "width: at least %d and at most %d (the graph is too large to tell in a few seconds), nodes %s\n",
			d.width.AtLeast, d.width.AtMost, some(d.width.Nodes))
	}
	fmt.Fprintf(b, "longest chain: %s, %s\n", count(len(d.chain), "node"), some(d.chain))
	if d.durations == nil {
		return
	}
	fmt.Fprintf(b, "makespan: %v with unlimited resources", d.makespan)
	if programmatic > 0 {
		fmt.Fprintf(b, ", %s counted as full completion", count(programmatic, "special edge"))
	}
	b.WriteString("\ncritical path:\n")
	at := time.Duration(0)
	for _, v := range d.path {
		fmt.Fprintf(b, "  node %d: %s %s, %v from %v\n", v, d.graph.Nodes[v].Kind, d.name(v), d.durations[v], at)
		at += d.durations[v]
	}
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// some lists nodes, the first few of many.
func some(nodes []int32) string {
	const most = 16
	var b strings.Builder
	for i, v := range nodes {
		if i == most {
			fmt.Fprintf(&b, " and %d more", len(nodes)-most)
			break
		}
		if i > 0 {
			b.WriteByte(' ')
		}
		fmt.Fprint(&b, v)
	}
	if len(nodes) == 0 {
		return "none"
	}
	return b.String()
}

// mostLines bounds the differences that are printed as text.
const mostLines = 100

func (f *graphFlags) printDifferences(w io.Writer, a, b string, lines []string, undecided bool) error {
	if f.json {
		if lines == nil {
			lines = []string{}
		}
		return json.NewEncoder(w).Encode(map[string]any{"a": a, "b": b, "equal": len(lines) == 0,
			"undecided": undecided && len(lines) > 0, "differences": lines})
	}
	out := bufio.NewWriter(w)
	if len(lines) == 0 {
		fmt.Fprintf(out, "%s and %s are equal up to the numbering of their nodes\n", a, b)
		return out.Flush()
	}
	fmt.Fprintf(out, "A: %s\nB: %s\n", a, b)
	for i, line := range lines {
		if i == mostLines {
			fmt.Fprintf(out, "and %d more; --json prints them all\n", len(lines)-i)
			break
		}
		fmt.Fprintln(out, line)
	}
	return out.Flush()
}
