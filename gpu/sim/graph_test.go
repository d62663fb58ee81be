package sim

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/graph"
)

// Each row is a capture, its edges as from>to, and the dependencies of each node that has several, in their order.
var graphRows = []struct {
	name, calls string
	nodes       int
	edges, deps string
}{
	{"C1 diamond", "K s0; R e s0; W s1 e; K s0; K s1; R f s1; W s0 f; K s0", 4, "0>1 0>2 1>3 2>3", "3[1 2]"},
	{"C1 not: the join comes one op later", "K s0; R e s0; W s1 e; K s0; K s1; R f s1; K s0; W s0 f", 4, "0>1 0>2 1>3",
		""},
	{"C2 own tip first", "K s0; R e s0; W s1 e; K s1; R f s1; K s0; W s0 f; K s0", 4, "0>1 0>2 1>3 2>3", "3[2 1]"},
	{"C4 self wait", "K s0; R e s0; W s0 e; K s0", 2, "0>1", ""},
	{"C5 self wait, later", "K s0; R e s0; K s0; W s0 e; K s0; K s0", 4, "0>1 0>2 1>2 2>3", "2[1 0]"},
	{"C6 wait twice", "K s0; R e s0; W s1 e; W s1 e; K s1; R f s1; W s0 f", 2, "0>1", ""},
	{"C6 two events, one snapshot", "K s0; R e s0; R f s0; W s1 e; W s1 f; K s1; R h s1; W s0 h", 2, "0>1", ""},
	{"R4 ancestor kept", "K s0; R e s0; K s0; R f s0; W s1 e; W s1 f; K s1; R h s1; W s0 h", 3, "0>1 0>2 1>2",
		"2[0 1]"},
	{"R4 ancestor kept, other order", "K s0; R e s0; K s0; R f s0; W s1 f; W s1 e; K s1; R h s1; W s0 h", 3,
		"0>1 0>2 1>2", "2[1 0]"},
	{"C7 several waits", "K s0; R e s0; W s1 e; W s2 e; W s3 e; K s1; K s2; K s3; R f s3; R g s1; R h s2; W s0 f; W s0 g; W s0 h; K s0",
		5, "0>1 0>2 0>3 0>4 1>4 2>4 3>4", "4[0 3 1 2]"},
	{"C8 join without a kernel", "R e s0; W s1 e; K s1; R f s1; W s0 f", 1, "", ""},
	{"C9 record after the join",
		"K s0; R e s0; W s1 e; K s1; K s0; R f s1; W s0 f; R g s0; W s2 g; K s2; R h s2; W s0 h", 4,
		"0>1 0>2 1>3 2>3", "3[2 1]"},
	{"C9 two streams go on from one list",
		"K s0; K s0; R e s0; W s1 e; W s2 e; W s3 e; W s4 e; K s1; K s2; K s3; K s4; " +
			"R f s1; R g s2; R h s3; R i s4; W s0 f; W s0 g; R j s0; W s5 j; W s0 h; W s5 i; K s0; K s5; " +
			"R k s5; R l s4; W s0 k; W s0 l", 8, "0>1 1>2 1>3 1>4 1>5 1>6 1>7 2>6 2>7 3>6 3>7 4>6 5>7",
		"6[1 2 3 4] 7[1 2 3 5]"},
	{"C10 fork before any node", "R e s0; W s1 e; K s1; K s0; R f s1; W s0 f; K s0", 3, "0>2 1>2", "2[1 0]"},
	{"C11 fork without ops", "K s0; R e s0; W s1 e; K s0", 2, "0>1", ""},
	{"C12 empty", "R e s0; W s1 e; R f s1; W s0 f", 0, "", ""},
	{"C13 chain of forks", "K s0; R e s0; W s1 e; K s1; R f s1; W s2 f; K s2; R h s2; W s0 h; K s0", 4,
		"0>1 0>3 1>2 2>3", "3[0 2]"},
	{"C14 recorded again", "K s0; R e s0; W s1 e; K s0; R e s0; W s2 e; K s1; K s2; R f s1; R h s2; W s0 f; W s0 h", 4,
		"0>1 0>2 1>3", ""},
	{"C16 real work before", "K s0; R e s0; W s1 e; K s1; R f s1; W s0 f", 2, "0>1", ""},
	{"N5 host function", "K s0; H s0; K s0", 3, "0>1 1>2", ""},
}

func captured(t *testing.T, m Machine, calls string) *run {
	p := program(t, "Bg s0;"+calls+"; End s0 graph; Inst graph", "GL graph s0; Sy s0")
	return prepared(t, m, p).(*run)
}

func TestGraphs(t *testing.T) {
	for _, row := range graphRows {
		t.Run(row.name, func(t *testing.T) {
			r := captured(t, Ideal, row.calls)
			g := r.setup.Graph
			require.NotNil(t, g)
			assert.Len(t, g.Nodes, row.nodes)
			assert.Equal(t, row.edges, edges(g))
			var deps []string
			for i, n := range r.host.captured[0].nodes {
				if len(n.deps) > 1 {
					deps = append(deps, fmt.Sprintf("%d%v", i, n.deps))
				}
			}
			assert.Equal(t, row.deps, strings.Join(deps, " "))
			for i, n := range g.Nodes {
				assert.Equal(t, int32(i), n.Op.Index())
				assert.Equal(t, r.host.p.Intent.Ops[i].Name, n.Name)
			}
			tr, err := r.Rep(t.Context())
			require.NoError(t, err)
			assert.NotContains(t, starts(tr), -1)
		})
	}
}

func TestGraphKinds(t *testing.T) {
	g := captured(t, Ideal, "K s0; H s0").setup.Graph
	assert.Equal(t, graph.KernelNode, g.Nodes[0].Kind)
	assert.Equal(t, graph.HostNode, g.Nodes[1].Kind)
}

func TestNoGraph(t *testing.T) {
	p := program(t, "Bg s0; K s0; R e s0; W s1 e; K s1; End s0 g = 904", "K s0")
	r := prepared(t, Ideal, p)
	assert.Nil(t, r.Setup().Graph)
	assert.Nil(t, r.Setup().DOT)
}

func edges(g *graph.Graph) string {
	var out []string
	for _, e := range g.Edges {
		out = append(out, fmt.Sprintf("%d>%d", e.From, e.To))
	}
	return strings.Join(out, " ")
}
