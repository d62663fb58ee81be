package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/graph/match"
)

const dumps = "../../testdata/graphs/"

// withChild has a child graph of two parallel kernels between two kernels, and an event node.
const withChild = `digraph dot {
subgraph cluster_3 {
label="graph_3" graph[style="dashed"];
"graph_3_node_0"[style="bold" shape="octagon" label="0
first
"];

"graph_3_node_1"[style="solid" shape="rectangle" label="1
graph_9
"];

"graph_3_node_2"[style="solid" shape="rectangle" label="2
EVENT_RECORD
"];

"graph_3_node_0" -> "graph_3_node_1";
"graph_3_node_1" -> "graph_3_node_2" [type=1 port=1];
}
subgraph cluster_9 {
label="graph_9" graph[style="dashed"];
"graph_9_node_0"[style="bold" shape="octagon" label="0
inner_gemm
"];

"graph_9_node_1"[style="solid" shape="trapezium" label="1
MEMCPY
(HtoD)
"];

}
}
`

func TestGraphDescribes(t *testing.T) {
	out, exit, err := run(t, "graph", dumps+"arch_v.dot", "--short-names", "--duration", "comm*=300ms", "--duration",
		"computation_kernel=100ms")
	require.NoError(t, err)
	assert.Zero(t, exit)
	lines := strings.Split(out, "\n")
	assert.Equal(t, dumps+"arch_v.dot: 8 nodes, 10 edges", lines[0])
	assert.Equal(t, "node 2: kernel communication_kernel", lines[3])
	assert.Equal(t, "edge 0 -> 1", lines[9])
	assert.Equal(t, []string{"width: 2, nodes 1 2", "longest chain: 5 nodes, 0 1 3 5 7",
		"makespan: 1.1s with unlimited resources", "critical path:",
		"  node 0: kernel computation_kernel, 100ms from 0s", "  node 2: kernel communication_kernel, 300ms from 100ms",
		"  node 3: kernel communication_kernel, 300ms from 400ms",
		"  node 5: kernel computation_kernel, 100ms from 700ms",
		"  node 7: kernel communication_kernel, 300ms from 800ms", ""}, lines[19:])

	out, _, err = run(t, "graph", dumps+"arch_0.dot")
	require.NoError(t, err)
	assert.Contains(t, out, "node 0: kernel _Z18computation_kernelyPy\n")
	assert.NotContains(t, out, "makespan")
}

func TestGraphWithChild(t *testing.T) {
	file := write(t, "child.dot", withChild)
	out, _, err := run(t, "graph", file, "--duration", "memcpy=5ms", "--default", "2ms")
	require.NoError(t, err)
	assert.Contains(t, out, "node 1: child child, holds graph 1\nnode 2: event_record event_record\n")
	assert.Contains(t, out, "edge 1 -> 2 (type 1, port 1)\nwidth: 2, nodes 1\n")
	assert.Contains(t, out, "makespan: 7ms with unlimited resources, 1 special edge counted as full completion\n")
	assert.Contains(t, out, "\n\ngraph 1, held by node 1 of graph 0: 2 nodes, 0 edges\n")
	assert.Contains(t, out, "makespan: 5ms with unlimited resources\ncritical path:\n  node 1: memcpy memcpy, 5ms from 0s\n")

	out, _, err = run(t, "graph", file, "--json", "--duration", "memcpy=5ms", "--duration", "child=1ms", "--default",
		"2ms")
	require.NoError(t, err)
	var j graphJSON
	require.NoError(t, json.Unmarshal([]byte(out), &j))
	assert.Equal(t, file, j.File)
	assert.EqualValues(t, 3e6, *j.MakespanN, "what is said of a node counts before what hangs on it")
	assert.Equal(t, []int{1}, j.Nodes[1].Holds)
	assert.Equal(t, edgeJSON{1, 2, 1, 1}, j.Edges[1])
	assert.Equal(t, widthJSON{2, 2, []int32{1}}, j.Width)
	require.Len(t, j.Graphs, 1)
	assert.Equal(t, [2]int{0, 1}, *j.Graphs[0].Holder)
	assert.EqualValues(t, 5e6, *j.Graphs[0].MakespanN)

	out, _, err = run(t, "graph", file, "--json")
	require.NoError(t, err)
	assert.NotContains(t, out, "_ns")
}

func TestGraphCompares(t *testing.T) {
	same := "are equal up to the numbering of their nodes\n"
	out, exit, err := run(t, "graph", dumps+"arch_0.dot", dumps+"arch_v.dot")
	require.NoError(t, err)
	assert.Zero(t, exit)
	assert.Contains(t, out, same)
	out, exit, _ = run(t, "graph", dumps+"arch_0.dot", dumps+"arch_torch.dot")
	assert.Equal(t, exitMissed, exit)
	assert.Contains(t, out, "node 0 (kernel _Z18computation_kernelyPy) of A has no counterpart in B\n")
	assert.Contains(t, out, "note: but for the parameters in the names of kernels they are equal; see --short-names\n")
	_, exit, _ = run(t, "graph", dumps+"arch_0.dot", dumps+"arch_torch.dot", "--short-names")
	assert.Zero(t, exit)

	a := write(t, "a.dot", "digraph { A0; B0; B1; A0 -> B0; A0 -> B1 }")
	b := write(t, "b.dot", "digraph { B1; A0; B0; A0 -> B0; B0 -> B1 }")
	out, exit, _ = run(t, "graph", a, b)
	assert.Equal(t, exitMissed, exit)
	assert.Equal(t, "A: "+a+"\nB: "+b+"\nedge A0 -> B1 is in A only\nedge B0 -> B1 is in B only\n", out)
	out, exit, _ = run(t, "graph", a, b, "--json")
	assert.Equal(t, exitMissed, exit)
	assert.Contains(t, out, `"differences":["edge A0 -\u003e B1 is in A only","edge B0 -\u003e B1 is in B only"],"equal":false,"undecided":false}`)
	out, exit, _ = run(t, "graph", a, a, "--json")
	assert.Zero(t, exit)
	assert.Contains(t, out, `"differences":[],"equal":true,"undecided":false}`)

	many := write(t, "many.dot", "digraph { "+manyNodes(150)+" }")
	out, _, _ = run(t, "graph", many, write(t, "none.dot", "digraph {}"))
	assert.Contains(t, out, "and 50 more; --json prints them all\n")
}

func manyNodes(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("n")
		b.WriteString(strings.Repeat("x", i))
		b.WriteString(";")
	}
	return b.String()
}

func TestGraphBadInput(t *testing.T) {
	good := write(t, "good.dot", "digraph { A0; h [kind=host]; A0 -> h }")
	bad := write(t, "bad.dot", "digraph {\n a -> ; }")
	loop := write(t, "loop.dot", "digraph { a; b; a -> b -> a }")
	inner := write(t, "inner.dot", "digraph { c [kind=child holds=1]; a [graph=1]; b [graph=1]; a -> b -> a }")
	for name, c := range map[string]struct {
		args []string
		says string
	}{
		"no file":      {nil, "graph: 0 files; want one to describe, or two to compare"},
		"three files":  {[]string{good, good, good}, "graph: 3 files"},
		"no such file": {[]string{"nowhere.dot"}, "nowhere.dot"},
		"bad":          {[]string{bad}, bad + ":2: want the node to which the edge leads, found ;"},
		"bad second":   {[]string{good, bad}, bad + ":2: want"},
		"cycle": {[]string{loop},
			loop + ": nodes wait for one another in a circle: 1 -> 0 -> 1; want none that do"},
		"cycle in a child": {[]string{inner}, "graph 1, held by node 0 of graph 0: nodes wait for one another"},
		"no name":          {[]string{good, "--duration", "=5ms"}, "--duration =5ms: want NAME=DUR"},
		"no duration":      {[]string{good, "--duration", "A0"}, "--duration A0: want NAME=DUR"},
		"odd duration": {[]string{good, "--duration", "A0=5"},
			"--duration A0=5: want a duration of 0 to 1h0m0s, as 1.5us"},
		"negative":    {[]string{good, "--default=-5s"}, "--default -5s: want a duration"},
		"too long":    {[]string{good, "--default=2h"}, "--default 2h: want a duration"},
		"odd pattern": {[]string{good, "--duration", "[=5ms"}, "want a name, a kind or a pattern"},
		"mistyped": {[]string{good, "--duration", "AO=5ms", "--default", "1ms"},
			"--duration AO=5ms: no node is called so"},
		"lacking": {[]string{good, "--duration", "A0=5ms"},
			"1 nodes have no duration, first node 1 (host h); want --duration 'h=…' or --default"},
		"two and a time": {[]string{good, good, "--default", "1ms"}, "durations play no part"},
	} {
		t.Run(name, func(t *testing.T) {
			out, exit, err := run(t, append([]string{"graph"}, c.args...)...)
			assert.Equal(t, exitUsage, exit)
			require.ErrorContains(t, err, c.says)
			assert.NotContains(t, err.Error(), "\n")
			assert.Empty(t, out)
		})
	}
	_, exit, err := run(t, "graph", good, "--duration", "kernel=1s", "--duration", "h=1s")
	require.NoError(t, err)
	assert.Zero(t, exit)
	_, _, err = run(t, "graph", loop, loop)
	assert.NoError(t, err, "graphs with cycles can be compared")
}

func TestGraphsTooRegular(t *testing.T) {
	assert.NoError(t, differ("a", "b", nil, match.ErrUndecided), "a pairing was found that leaves nothing over")
	err := differ("a", "b", []string{"x"}, match.ErrUndecided)
	assert.Equal(t, exitInconclusive, status(err))
	assert.EqualError(t, err, "a, b: the graphs are too regular to be compared in a few seconds")
	assert.Equal(t, exitMissed, status(differ("a", "b", []string{"x"}, nil)))
	var b strings.Builder
	require.NoError(t, (&graphFlags{json: true}).printDifferences(&b, "a", "b", []string{"x"}, true))
	assert.Contains(t, b.String(), `"undecided":true`)
}

func TestSomeNodes(t *testing.T) {
	assert.Equal(t, "1 2", some([]int32{1, 2}))
	assert.Equal(t, strings.Repeat("0 ", 15)+"0 and 1 more", some(make([]int32, 17)))
	assert.Equal(t, "none", some(nil))
}

func TestGraphCompletion(t *testing.T) {
	out, _, err := run(t, "__complete", "graph", "--duration", "mem")
	require.NoError(t, err)
	assert.Contains(t, out, "memcpy=\n")
	out, _, err = run(t, "__complete", "graph", "")
	require.NoError(t, err)
	assert.Contains(t, out, "dot\n")
	out, _, err = run(t, "help", "graph")
	require.NoError(t, err)
	assert.Contains(t, out, "Exit status: 0 described, or the two are equal")
}
