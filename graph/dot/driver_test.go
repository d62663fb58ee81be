package dot

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/graph"
)

func leafGraph(names ...string) *graph.Graph {
	g := &graph.Graph{Nodes: []graph.Node{}}
	for i, name := range names {
		n := graph.Node{Name: name}
		if k, ok := graph.ParseKind(name); ok {
			n.Kind = k
		}
		g.Nodes = append(g.Nodes, n)
		if i > 0 {
			g.Edges = append(g.Edges, graph.Edge{From: int32(i) - 1, To: int32(i)})
		}
	}
	return g
}

// driverDumps are graphs that driver 580 on an H200 printed in both forms, with what a Graph does not hold. Files with
// kinds of node have handles and addresses 0.
func driverDumps() map[string]struct {
	graph *graph.Graph
	about map[*graph.Graph]Details
} {
	const kernel = "computation_exact"
	hand := leafGraph("empty", kernel, "host", "memset", "memcpy")
	hand.Edges = []graph.Edge{{From: 0, To: 1}, {From: 0, To: 2}, {From: 1, To: 3}, {From: 2, To: 3}, {From: 3, To: 4}}
	copies := leafGraph("memcpy", kernel, "memcpy", "host", kernel)
	memory := leafGraph("mem_alloc", kernel, "mem_free")
	fill, write, events := leafGraph("memset"), leafGraph("batch_mem_op"), leafGraph("event_record", "wait_event")
	inner, one, two := leafGraph("child", kernel), leafGraph(kernel), leafGraph(kernel)
	inner.Nodes[0].Children = []*graph.Graph{two}
	nested := leafGraph("child", "child", kernel)
	nested.Nodes[0].Children, nested.Nodes[1].Children = []*graph.Graph{inner}, []*graph.Graph{one}
	nested.Edges = []graph.Edge{{From: 0, To: 2}, {From: 1, To: 2}}

	launch, cell := Facts{Launch: "1,1,0"}, func(f ...Facts) Details { return Details{Nodes: f} }
	down, up := &Copy{From: PinnedMemory, Bytes: 64 << 20}, &Copy{To: PinnedMemory, Bytes: 64 << 20}
	type entry = struct {
		graph *graph.Graph
		about map[*graph.Graph]Details
	}
	return map[string]entry{
		"hand": {hand, map[*graph.Graph]Details{hand: cell(Facts{}, launch, Facts{},
			Facts{Fill: &Fill{Size: 1, Width: 1024, Height: 1}}, Facts{Copy: &Copy{Bytes: 1024}})}},
		"copies": {copies, map[*graph.Graph]Details{copies: cell(Facts{Copy: down}, launch, Facts{Copy: up}, Facts{},
			launch)}},
		"memory": {memory, map[*graph.Graph]Details{memory: cell(Facts{Bytes: 1 << 20}, launch)}},
		"events": {events, nil},
		"fill": {fill, map[*graph.Graph]Details{fill: cell(Facts{Fill: &Fill{Pitch: 1024, Value: 1, Size: 1,
			Width: 512, Height: 512}})}},
		"write": {write, map[*graph.Graph]Details{write: cell(Facts{Write: true})}},
		"nested": {nested, map[*graph.Graph]Details{nested: cell(Facts{}, Facts{}, launch),
			inner: cell(Facts{}, launch), one: cell(launch), two: cell(launch)}},
	}
}

// Each kind of node is read from the driver's own text, in both forms, and written as the driver writes it.
func TestDriverDumps(t *testing.T) {
	for name, want := range driverDumps() {
		for suffix, verbose := range map[string]bool{"_0.dot": false, "_v.dot": true} {
			text := testdata(t, name+suffix)
			assert.Equal(t, want.graph, parseString(t, text), name+suffix)
			var b strings.Builder
			require.NoError(t, WriteDump(&b, want.graph, verbose, want.about))
			assert.Equal(t, text, strings.ReplaceAll(strings.ReplaceAll(b.String(), " 0x1 ", " "+zero+" "), " 0x0 ",
				" "+zero+" "), name+suffix)
			if want.about != nil {
				assert.NotEqual(t, text, dumpOf(t, want.graph, true), "without what a Graph does not hold")
			}
		}
	}
}

// What the driver printed in the goldens of all probes: both forms of a graph are one graph, and no node is unknown.
func TestDumpsOfTheProbes(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "testdata", "probes", "*.txtar"))
	require.NoError(t, err)
	read := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		dumps := strings.Split(strings.ReplaceAll(string(text), "\n    | ", "\n"), "digraph dot {\n")
		var first *graph.Graph
		for i, dump := range dumps[1:] {
			dump, _, _ = strings.Cut(dump, "\n}\n}\n")
			g := parseString(t, "digraph dot {\n"+dump+"\n}\n}\n")
			for _, n := range g.Nodes {
				assert.NotEqual(t, graph.UnknownNode, n.Kind, file)
			}
			if read++; i%2 == 0 {
				first = g
				continue
			}
			assert.Equal(t, first, g, file)
			assert.Empty(t, differ(t, first, g), file)
		}
	}
	assert.Greater(t, read, 100)
	assert.Zero(t, read%2)
}
