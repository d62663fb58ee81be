package sim

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

var graphCallRows = []traceRow{
	{"by hand", "create graph g; add to g empty E; add to g computation C 2ms; add to g host D 2ms; add edges E C E D to g; add to g memset S after C D; add to g memcpy T after S; add to g record R e after T; add to g wait W f after R; list g; instantiate g; main: replay g; query event e; main: sync; query event e",
		`list g => 0 / 0 empty E before 1 2 / 1 kernel C after 0 before 3 / 2 host D after 0 before 3 / 3 memset S after 1 2 before 4 / 4 memcpy T after 3 before 5 / 5 event_record R after 4 before 6 / 6 wait_event W after 5 / edges 0>1 0>2 1>3 2>3 3>4 4>5 5>6; roots 0
		query event e => 600
		query event e => 0
		order C D => |`},
	{"codes of nodes", "create graph g; create graph h; add to g record R null; add to g wait W null; add to g empty E; add to h empty F; add to g empty G after F; add to g empty H after null; add to g empty I after E E; add to g child K null; add to null empty M; destroy graph h; add to g child L h; add to g empty N after F",
		`add to g record R null => 1 main none
		add to g wait W null => 1 main none
		add to g empty G after F => 1 main none
		add to g empty H after null => 1 main none
		add to g empty I after E E => 1 main none
		add to g child K null => 1 main none
		add to null empty M => 1 main none
		add to g child L h => 400 main none
		add to g empty N after F => 400 main none`},
	{"edges", "create graph g; create graph h; add to h empty F; add to g empty A; add to g empty B after A; add to g empty C; add edges A B to g; add edges A A to g; add edges A F to g; add edges A null to g; add edges A C A C to g; list g; add edges to g; add edges C A B C to g; remove edges A C from g; remove edges A B from g; list g; remove edges from g",
		`add edges A B to g => 1 main none
		add edges A A to g => 1 main none
		add edges A F to g => 1 main none
		add edges A null to g => 1 main none
		add edges A C A C to g => 1 main none
		list g => 0 / 0 empty A before 1 2 / 1 empty B after 0 / 2 empty C after 0 / edges 0>1 0>2; roots 0
		add edges to g => 0
		add edges C A B C to g => 0
		remove edges A C from g => 0
		remove edges A B from g => 0
		list g => 0 / 0 empty A after 2 / 1 empty B before 2 / 2 empty C after 1 before 0 / edges 1>2 2>0; roots 1
		remove edges from g => 0`},
	{"of edges that are removed the last takes the place",
		"create graph g; add to g empty A; add to g empty B; add to g empty C; add to g empty D after A B C; add edges A B A C to g; remove edges A D A B from g; list g; remove edges A C B D B D from g; list g",
		`remove edges A D A B from g => 0
		list g => 0 / 0 empty A before 2 / 1 empty B before 3 / 2 empty C after 0 before 3 / 3 empty D after 2 1 / edges 0>2 1>3 2>3; roots 1 0
		remove edges A C B D B D from g => 1 main none
		list g => 0 / 0 empty A / 1 empty B / 2 empty C before 3 / 3 empty D after 2 / edges 2>3; roots 2 1 0`},
	{"and of dependents, too",
		"create graph g; add to g empty A; add to g empty B after A; add to g empty C after A; add to g empty D after A; remove edges A B from g; list g",
		"list g => 0 / 0 empty A before 3 2 / 1 empty B / 2 empty C after 0 / 3 empty D after 0 / edges 0>3 0>2; roots 1 0"},
	{"what loses its last dependency is the newest root",
		"create graph g; add to g empty A; add to g empty B after A; add to g empty C after A; add to g empty D; add edges B C to g; destroy node A; list g; destroy node B; list g; add edges C D to g; list g",
		`destroy node A => 0
		list g => 0 / 0 empty B before 1 / 1 empty C after 0 / 2 empty D / edges 0>1; roots 0 2
		list g => 0 / 0 empty C / 1 empty D / edges; roots 0 1
		list g => 0 / 0 empty C before 1 / 1 empty D after 0 / edges 0>1; roots 0`},
	{"edges come in the order in which they were added",
		"create graph g; add to g empty A; add to g empty B; add to g empty C; add edges A C to g; add edges A B to g; add to g empty D after A; list g",
		`list g => 0 / 0 empty A before 2 1 3 / 1 empty B after 0 / 2 empty C after 0 / 3 empty D after 0 / edges 0>2 0>1 0>3; roots 0`},
	{"a cycle is found when it is instantiated",
		"create graph g; add to g empty R; add to g empty A after R; add to g empty B after A; add edges B A to g; instantiate g; instantiate g flags 0; remove edges B A from g; instantiate g flags 0",
		`add edges B A to g => 0
		instantiate g => 1 main none
		instantiate g flags 0 => 1 result 2, nodes B; main none
		instantiate g flags 0 => 0 result 0, nodes nothing`},
	{"which node of a cycle",
		"create graph g; add to g host A 1ms; add to g empty B after A; add to g empty S after B; add edges B A to g; instantiate g flags 0", "instantiate g flags 0 => 1 result 2, nodes A; main none"},
	{"a cycle in a child", "create graph c; add to c empty A; add to c empty B after A; add edges B A to c; create graph g; add to g child K c; instantiate g flags 0", "instantiate g flags 0 => 1 result 2, nodes unnamed; main none"},
	{"instantiate", "create graph g; instantiate g flags 8; instantiate g flags 16; instantiate null flags 0; instantiate null; destroy graph g; instantiate g; instantiate g flags 0",
		`instantiate g flags 8 => 0 result 0, nodes nothing
		instantiate g flags 16 => 1 result 1, nodes nothing; main none
		instantiate null flags 0 => 1 result 1, nodes nothing; main none
		instantiate null => 1 main none
		instantiate g => 400 main none
		instantiate g flags 0 => 400 main none`},
	{"launches", "stream s0; create graph g; add to g computation A 2ms; s0: replay g; s0: replay null; upload null s0; upload g s0; instantiate g; destroy graph g; s0: replay g; s0: query; destroy exec g; s0: query; s0: replay g; destroy exec g; upload g s0; destroy graph null; destroy exec null; list g; list null",
		`s0: replay g => 1 main none, s0 none
		s0: replay null => 1 main none, s0 none
		upload null s0 => 1 main none, s0 none
		upload g s0 => 1 main none, s0 none
		destroy graph g => 0
		s0: replay g => 0
		s0: query => 600
		destroy exec g => 0
		s0: query => 600
		s0: replay g => 400 main none, s0 none
		destroy exec g => 400 main none, s0 none
		upload g s0 => 400 main none, s0 none
		destroy graph null => 1 main none, s0 none
		destroy exec null => 1 main none, s0 none
		list g => 400 main none, s0 none
		list null => 1`},
	{"an exec is of the graph as it was",
		"stream s0; create graph g; add to g computation A 2ms; add to g computation B 2ms; instantiate g; add edges A B to g; add to g computation C 2ms after B; destroy node A; s0: replay g; s0: sync; list g",
		`ran C => no
		order A B => |
		list g => 0 / 0 kernel B before 1 / 1 kernel C after 0 / edges 0>1; roots 0`},
	{"children", "stream s0; create graph a; add to a computation A 2ms; add to a computation B 2ms; create graph g; add to g computation X 2ms; add to g child K a after X; add to a computation C 2ms; add to g computation Y 2ms; add edges K Y to g; instantiate g; s0: replay g; s0: sync; list g",
		`list g => 0 / 0 kernel X before 1 / 1 child K after 0 before 2 / 2 kernel Y after 1 / edges 0>1 1>2; roots 0
		ran C => no
		order A X => >
		order A B => |
		order B Y => <`},
	{"a graph in itself", "stream s0; create graph g; add to g computation A 2ms; add to g child K g after A; instantiate g; s0: replay g; s0: sync; print g", "instantiate g => 0\ns0: sync => 0"},
	{"a node is destroyed", "create graph g; add to g empty A; add to g empty B after A; add to g empty C after A B; destroy node B; list g; destroy node B; destroy node null; add to g empty D after B",
		`list g => 0 / 0 empty A before 1 / 1 empty C after 0 / edges 0>1; roots 0
		destroy node B => 0
		destroy node B => 400 main none
		destroy node null => 1 main none
		add to g empty D after B => 400 main none`},
	{"disabled", "stream s0; create graph h; add to h computation X 2ms; create graph g; add to g computation A 2ms; add to g computation B 2ms; add to g host H 2ms; add to g empty E; add edges A B to g; disable B in g; instantiate g; disable B in g; disable H in g; disable E in g; disable X in g; disable null in g; s0: replay g; s0: sync",
		`disable B in g => 1 main none, s0 none
		disable B in g => 0
		disable H in g => 1 main none, s0 none
		disable E in g => 1 main none, s0 none
		disable X in g => 1 main none, s0 none
		disable null in g => 1 main none, s0 none
		ran B => no
		order A H => |`},
	{"enabled again", "stream s0; create graph g; add to g computation A 2ms; add to g computation B 2ms; instantiate g; disable B in g; disable A in g; enable B in g; s0: replay g", "ran A => no"},
	{"what a capture gives is a graph as others",
		"stream s0; s0: begin capture; s0: computation A 2ms; s0: computation B 2ms; s0: end capture g; add to g computation C 2ms; add edges B C to g; remove edges A B from g; instantiate g; s0: replay g; list g",
		`list g => 0 / 0 kernel A / 1 kernel B before 2 / 2 kernel C after 1 / edges 1>2; roots 1 0
		order A B => |
		order B C => <`},
	{"a launch into a capture",
		"stream s0; create graph x; add to x computation A 2ms; instantiate x; s0: begin capture; s0: computation B 2ms; s0: replay x; s0: info; s0: computation C 2ms; s0: end capture g; s0: replay x",
		`s0: replay x => 900 main none, s0 invalidated
		s0: info => 0 invalidated, after nothing
		s0: end capture g => 901 no graph; main none, s0 none
		s0: replay x => 0`},
	{"priorities", "stream s1 priority -1; stream s2 priority -9; s1: begin capture; s1: record e; s2: wait e; s1: computation A 2ms; s2: computation B 2ms; s2: host H 2ms; s1: call memset-d8; s2: record f; s1: wait f; s1: end capture g",
		`s1: end capture g => 0 main none, s1 none, s2 none / 0 kernel A before 3 priority -1 / 1 kernel B before 2 priority -5 / 2 host H after 1 / 3 memset after 0 / edges 0>3 1>2; roots 1 0`},
}

func TestGraphCalls(t *testing.T) { checkTraces(t, graphCallRows) }

// A pair of graphs, and what the update of the first one's exec to the second gives.
func TestUpdate(t *testing.T) {
	const two = "create graph g; add to g computation A 2ms; add to g computation B 2ms after A; add to g host H 2ms after B; "
	for _, row := range []struct{ name, graphs, shows string }{
		{"the same", two + "create graph h; add to h computation C 9ms; add to h computation D 2ms after C; add to h host I 2ms after D", "0 result 0, nodes nothing"},
		{"nodes in another order",
			two + "create graph h; add to h host I 2ms; add to h computation D 2ms; add to h computation C 9ms; add edges D I C D to h", "0 result 0, nodes nothing"},
		{"one node less", two + "create graph h; add to h computation C 2ms", "910 result 2, nodes nothing; main none"},
		{"another number of sinks",
			two + "create graph h; add to h computation C 2ms; add to h computation D 2ms; add to h host I 2ms after D",
			"910 result 2, nodes C; main none"},
		{"an edge more", two + "create graph h; add to h computation C 2ms; add to h computation D 2ms after C; add to h host I 2ms after D C", "910 result 2, nodes I; main none"},
		{"another type", two + "create graph h; add to h computation C 2ms; add to h host D 2ms after C; add to h host I 2ms after D", "910 result 3, nodes D; main none"},
		{"another direction", "stream s0; s0: begin capture; s0: call memcpy-htod as X; s0: end capture g; s0: begin capture; s0: call memcpy-dtoh as Y; s0: end capture h", "910 result 5, nodes Y; main none, s0 none"},
		{"a graph that is gone", two + "create graph h; destroy graph h", "400 main none"},
		{"no graph any more", two + "create graph h; destroy graph h", "400 main none"},
	} {
		t.Run(row.name, func(t *testing.T) {
			traceRow{calls: row.graphs + "; instantiate g; update g from h",
				shows: "update g from h => " + row.shows}.check(t, Ideal)
		})
	}
	traceRow{calls: "create graph g; update g from g; update null from g; instantiate g; update g from null; update g from g",
		shows: "update g from g => 1 result 0, nodes nothing; main none\nupdate null from g => 1 result 0, nodes nothing; main none\nupdate g from null => 1 result 0, nodes nothing; main none\nupdate g from g => 0 result 0, nodes nothing"}.check(t, Ideal)
	// The exec does what the other graph says, and only then.
	const run = "; instantiate g; update g from h; main: replay g"
	traceRow{calls: "create graph g; add to g computation A 2ms; create graph h; add to h computation C 2ms" + run,
		shows: "ran A => no"}.check(t, Ideal)
	traceRow{calls: "create graph g; add to g computation A 2ms; create graph h; add to h host C 2ms" + run,
		shows: "ran C => no"}.check(t, Ideal)
}

// A dump says of each node what it is, and has a cluster for each child.
func TestPrint(t *testing.T) {
	text := traced(t, Ideal, "create graph c; add to c empty E; create graph g; add to g child K c; add to g computation A 2ms; add to g memset M; "+
		"add to g memcpy T; add to g record R e; add to g wait W e; add to g host H 2ms; add edges K A A M to g; print g")
	for _, want := range []string{`label="0` + "\n    | graph_1\n", "MEMSET\n    | (0,1024)\n",
		"MEMCPY\n    | (DtoD,1024)\n", "| width | height} | {", "EVENT_RECORD\n", "EVENT_WAIT\n", "HOST\n", "EMPTY\n",
		"subgraph cluster_1 {\n", `"graph_0_node_0" -> "graph_0_node_1";`,
		`"graph_0_node_1" -> "graph_0_node_2" [headlabel=0];`} {
		assert.Contains(t, text, want)
	}
	assert.Equal(t, 4, strings.Count(text, "subgraph cluster"))
}
