package sim

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/schedule"
)

func TestDump(t *testing.T) {
	r := captured(t, Ideal, "K s0; R e s0; W s1 e; K s1; R f s1; W s0 f")
	assert.Equal(t, `digraph dot {
subgraph cluster_1 {
label="graph_1" graph[style="dashed"];
"graph_1_node_0"[style="bold" shape="octagon" label="0
computation_exact
"];

"graph_1_node_1"[style="bold" shape="octagon" label="1
computation_exact
"];

"graph_1_node_0" -> "graph_1_node_1";
}
}
`, string(r.setup.DOT))
	assert.Contains(t, string(r.setup.DOTAll), `"graph_1_node_1"[style="bold" shape="record" label="{KERNEL
| {ID | 1 (topoId: 0) | computation_exact\<\<\<1,1,0\>\>\>}
| {{node handle | func handle} | {0x0000000000000000 | 0x0000000000000000}}
| {accessPolicyWindow | {base_ptr | num_bytes | hitRatio | hitProp | missProp} | {0x0000000000000000 | 0 | 0.000000 | N | N}}
| {cooperative | 0}
| {priority | 0}
}"];

"graph_1_node_0" -> "graph_1_node_1" [headlabel=0];
}
}
`)
}

// Leaves count from the origin's last dependency; then come the nodes that they depend on, each when it is first met.
func TestDumpTopology(t *testing.T) {
	for text, want := range map[string]string{
		"K s0; R e s0; W s1 e; K s1; K s0; R f s1; W s0 f":                     "2 0 1", // nodes 0, 1 on s1, 2 on s0; s0 ends behind 2, then 1
		"R e s0; W s1 e; K s1; K s0; R f s1; W s0 f":                           "0 1",
		"K s0; R e s0; W s1 e; K s1; K s0; R f s1; W s0 f; K s0; R g s0; K s0": "4 3 2 1 0",
	} {
		assert.Equal(t, want, numbers(string(captured(t, Ideal, text).setup.DOTAll), `topoId: (\d+)`), text)
	}
}

// The numbers that the driver's own verbose dump of the reference schedule has.
func TestDumpNumbers(t *testing.T) {
	s := reference(time.Millisecond, schedule.Nanosleep)
	r, err := Open(H200).Prepare(t.Context(), s.Replay())
	require.NoError(t, err)
	all := string(r.Setup().DOTAll)
	assert.Equal(t, "7 5 6 3 4 1 2 0", numbers(all, `topoId: (\d+)`))
	assert.Equal(t, "0 0 0 1 0 0 1 0 0 1", numbers(all, `headlabel=(\d+)`))
	assert.Equal(t, 4, strings.Count(all, "communication_nanosleep"))
}

// headlabel is the place in the node's list of dependencies, not the order of the edges.
func TestDumpHeadLabel(t *testing.T) {
	r := captured(t, Ideal, "K s0; R e s0; W s1 e; K s1; R f s1; K s0; W s0 f; K s0")
	assert.Equal(t, "0 0 1 0", numbers(string(r.setup.DOTAll), `headlabel=(\d+)`))
}

func TestNoDumpOfAHugeGraph(t *testing.T) {
	for n, want := range map[int]bool{maxDump: true, maxDump + 1: false} {
		r := captured(t, Ideal, strings.Repeat("K s0;", n))
		assert.Equal(t, want, r.setup.DOT != nil)
		assert.Len(t, r.setup.Graph.Nodes, n)
	}
}

func numbers(text, pattern string) string {
	var out []string
	for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
		out = append(out, m[1])
	}
	return strings.Join(out, " ")
}
