package sim

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/graph/dot"
	"github.com/gpu-overlap/overlap/schedule"
)

// timetable is start-end of each op in ns, and the wall: "0-30 30-50 | 50"; an op that did not run is "-".
func timetable(t *testing.T, m Machine, p *schedule.Program) string {
	tr := rep(t, m, p)
	var b strings.Builder
	for _, s := range tr.Spans {
		if s.Ran {
			fmt.Fprintf(&b, "%d-%d ", s.Start, s.End)
		} else {
			b.WriteString("- ")
		}
	}
	fmt.Fprintf(&b, "| %d", tr.Wall)
	return b.String()
}

func TestCopies(t *testing.T) {
	for _, row := range []struct{ name, calls, want string }{
		{"one engine a direction", "HD s0 30ns; HD s1 20ns; DH s2 40ns; K s3 10ns; Ctx", "0-30 30-50 0-40 0-10 | 50"},
		{"in order of becoming ready", "K s0 5ns; HD s0 30ns; K s1 4ns; HD s1 30ns; HD s2 10ns; Ctx",
			"0-5 40-70 0-4 10-40 0-10 | 70"},
		{"at once: in order of issue", "K s0 5ns; HD s0 30ns; K s1 5ns; HD s1 30ns; Ctx", "0-5 5-35 0-5 35-65 | 65"},
		{"priority is ignored", "HD s0 30ns; HD s1^0 30ns; HD s2^-5 30ns; Ctx", "0-30 30-60 60-90 | 90"},
		{"order of the stream", "HD s0 30ns; K s0 10ns; DH s0 20ns; Ctx", "0-30 30-40 40-60 | 60"},
		{"pinned does not hold the host", "HD s0 30ns; K s1 10ns; Ctx", "0-30 0-10 | 30"},
		{"pageable holds the host", "PHD s0 30ns; K s1 10ns; Ctx", "0-30 30-40 | 40"},
		{"pageable behind a kernel", "K s0 7ns; PDH s0 30ns; K s1 10ns", "0-7 7-37 37-47 | 37"},
		{"pageable waits for the engine", "HD s0 30ns; PHD s1 5ns; K s2 10ns; Ctx", "0-30 30-35 35-45 | 45"},
		{"legacy orders copies", "HD b0 30ns; K L 10ns; DH b1 5ns; Ctx", "0-30 30-40 40-45 | 45"},
	} {
		assert.Equal(t, row.want, timetable(t, Ideal, program(t, "", row.calls)), row.name)
	}
	// With costs: the call, the latency to its start, and from its end to the return of the call.
	p := program(t, "", "PHD s0 1000ns")
	assert.Equal(t, "6450-7450 | 9950", timetable(t, priced, p))
}

func TestCapturedCopies(t *testing.T) {
	setup := "Bg s0; PHD s0 30ns; R e s0; W s1 e; K s0 10ns; HD s1 20ns; DH s1 20ns; R f s1; W s0 f; End s0 g; Inst g"
	p := program(t, setup, "GL g s0; Ctx")
	assert.Equal(t, "0-30 30-40 30-50 50-70 | 70", timetable(t, Ideal, p))
	r := prepared(t, Ideal, p)
	var kinds []graph.Kind
	for _, n := range r.Setup().Graph.Nodes {
		kinds = append(kinds, n.Kind)
	}
	assert.Equal(t, []graph.Kind{graph.MemcpyNode, graph.KernelNode, graph.MemcpyNode, graph.MemcpyNode}, kinds)
	for _, dump := range [][]byte{r.Setup().DOT, r.Setup().DOTAll} {
		g, err := dot.Read(strings.NewReader(string(dump)))
		require.NoError(t, err)
		for i, k := range kinds {
			assert.Equal(t, k, g.Nodes[i].Kind)
		}
	}
	assert.Contains(t, string(r.Setup().DOT), "0\nMEMCPY\n(HtoD,1048576)\n")
	assert.Contains(t, string(r.Setup().DOTAll),
		"{DEVICE (DEVICE) | 0x0000000000000000 | 0x0000000000000000 | 0x0000000000000000 | 0 | 0 | 0 | 0 | 0 | 0 | HOST (HOST PINNED) |")
}

// A graph's launch makes the copies of pageable memory among its roots before the rest, and returns when the last
// such copy, root or not, is made.
func TestPageableCopiesOfAGraph(t *testing.T) {
	roots := "Bg s0; R e s0; W s1 e; W s2 e; HD s0 30ns; PDH s1 20ns; K s2 5ns; HD s1 10ns; R f s1; W s0 f; R h s2; W s0 h; End s0 g; Inst g"
	for _, row := range []struct{ name, setup, want string }{
		{"a root", roots, "20-50 0-20 20-25 50-60 20-21 | 60"},
		{"pinned", strings.ReplaceAll(roots, "PDH", "DH"), "0-30 0-20 0-5 30-40 0-1 | 40"},
		{"no root, too", strings.ReplaceAll(roots, "HD s1", "PHD s1"), "20-50 0-20 20-25 50-60 60-61 | 61"},
	} {
		assert.Equal(t, row.want, timetable(t, Ideal, program(t, row.setup, "GL g s0; K s9 1ns; Ctx")), row.name)
	}
	m := Ideal
	m.GraphEdge = 3 // from the copy to the rest, as along an edge
	assert.Equal(t, "23-53 0-20 23-28 53-63 20-21 | 63", timetable(t, m, program(t, roots, "GL g s0; K s9 1ns; Ctx")))
}

func TestCopiesAreValidated(t *testing.T) {
	for name, spoil := range map[string]func(p *schedule.Program){
		"none":               func(p *schedule.Program) {},
		"no bytes":           func(p *schedule.Program) { p.Intent.Ops[0].Bytes = 0 },
		"a kernel is copied": func(p *schedule.Program) { p.Intent.Ops[0].Kind = schedule.Computation },
		"a copy is launched": func(p *schedule.Program) { p.Body[0].Verb = schedule.Launch },
		"a host op is":       func(p *schedule.Program) { p.Intent.Ops[0].Kind = schedule.Host },
		"too long":           func(p *schedule.Program) { p.Intent.Ops[0].Dur = time.Duration(1) << 62 },
	} {
		p := program(t, "", "HD s0 30ns")
		spoil(p)
		_, err := Open(Ideal).Prepare(t.Context(), p)
		assert.Equal(t, name == "none", err == nil, "%s: %v", name, err)
	}
}

// A host function starts late behind what runs on the device, but not behind another host function.
func TestHostFunctionsStartLate(t *testing.T) {
	m := Ideal
	m.HostStart = 50
	assert.Equal(t, "0-30 80-87 87-94 94-104 | 104", timetable(t, m,
		program(t, "", "K s0 30ns; H s0 7ns; H s0 7ns; K s0 10ns; Ctx")))
	setup := "Bg s0; K s0 30ns; H s0 7ns; H s0 7ns; K s0 10ns; End s0 g; Inst g"
	assert.Equal(t, "0-30 80-87 87-94 94-104 | 104", timetable(t, m, program(t, setup, "GL g s0; Ctx")))
	assert.Equal(t, "0-7 | 7", timetable(t, m, program(t, "", "H s0 7ns; Ctx"))) // behind nothing
}
