package sim

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/timeline"
)

// Each row is a Body and when, on the machine without costs, its ops start (in ms, by op; -1: never). Rows marked
// "not:" are negative controls: one call less or more than the row above, and another timetable.
var orderRows = []struct {
	name, setup, body string
	starts            []int
}{
	{"S1 one stream", "", "K s0; K s0 2; K s0", []int{0, 1, 3}},
	{"S2 two streams", "", "K s0; K s1", []int{0, 0}},
	{"E2 snapshot at record", "", "K s0; R e s0; K s0 5; W s1 e; K s1", []int{0, 1, 1}},
	{"E2 not: recorded later", "", "K s0; K s0 5; R e s0; W s1 e; K s1", []int{0, 1, 6}},
	{"E2 not: wait dropped", "", "K s0; R e s0; K s0 5; K s1", []int{0, 1, 0}},
	{"E3 bound to the record at the wait", "", "K s0; R e s0; W s1 e; K s2 5; R e s2; K s1; W s3 e; K s3",
		[]int{0, 0, 1, 5}},
	{"E4 wait before record", "", "W s1 e; K s0; R e s0; K s1", []int{0, 0}},
	{"E4 wait bound to the record before", "", "K s0; R e s0; W s1 e; R e s1; W s2 e; K s2", []int{0, 1}},
	{"E14 destroyed event still orders", "", "K s0; R e s0; W s1 e; RmE e; K s1", []int{0, 1}},
	{"S13 destroyed stream still works", "", "K s0; R e s0; RmS s0; W s1 e; K s1", []int{0, 1}},
	{"host order", "", "K s0 3; Sy s0; K s1", []int{0, 3}},
	{"host order, event", "", "K s0 3; R e s0; K s0; SyE e; K s1", []int{0, 3, 3}},
	{"host order, context", "", "K s0 3; K s1 4; Ctx; K s2", []int{0, 0, 4}},
	{"host order, query does not wait", "", "K s0 3; Q s0 = 600; K s1", []int{0, 0}},

	{"S3 legacy barrier", "", "K b0; K L; K b1", []int{0, 1, 2}},
	{"S3 all blocking streams", "", "K b0; K b1 3; K L; K b2; K b0", []int{0, 0, 3, 4, 4}},
	{"S3 two entries are one legacy stream", "", "K L; K L2; K b0; K L", []int{0, 1, 2, 3}},
	{"S20 a query of the legacy stream is no barrier", "", "K L; K b0 3; Q L = 600; K b1", []int{0, 1, 1}},
	{"S7 not: a wait for nothing is none", "", "K L; K b0 3; W L e; K b1", []int{0, 1, 1}},
	{"S4 non-blocking is free", "", "K s0; K L; K s1; K b0", []int{0, 0, 0, 1}},
	{"S18 stream created after the barrier", "", "K L 2; MkS b0; K b0", []int{0, 2}},
	{"S18 stream destroyed before the barrier", "", "K b0 2; RmS b0; K L", []int{0, 2}},
	{"S7 record on legacy", "", "K b0; R e L; W s1 e; K s1", []int{0, 1}},
	{"S7 record on legacy holds blocking work back", "", "K b0 2; R e L; K b1", []int{0, 2}},
	{"S7 not: without the record", "", "K b0 2; K b1; K L", []int{0, 0, 2}},
	{"S7 wait on legacy", "", "K s0 2; R f s0; W L f; K b0", []int{0, 2}},
	{"S7 wait on blocking holds legacy back", "", "K s0 2; R f s0; W b0 f; K L", []int{0, 2}},
	{"S7 two streams go on from one barrier", "",
		"K s0; R e s0; K s1; R f s1; K s2; R g s2; W L e; W L f; W L g; R x b0; R x b1; " +
			"K s3 5; R h s3; K s4 9; R i s4; W b0 h; W b1 i; K b0; K b1", []int{0, 0, 0, 0, 0, 5, 9}},
	{"LG1 runs for real during a capture", "", "Bg s0; K s0; K L 2; End s0 g; K b0", []int{-1, 0, 2}},
	{"LG1 in Setup it does not count", "Bg s0; K s0; K L; End s0 g; Inst g", "GL g s0; K s0", []int{0, -1, 1}},

	{"C16 capture severs the fork from its real work", "",
		"K s1 2; Bg s0; R e s0; W s1 e; K s1; R f s1; W s0 f; End s0 g; K s1",
		[]int{0, -1, 2}},
	{"B8 captured ops do not run", "", "K s0; Bg s0; K s0; End s0 g; K s0", []int{0, -1, 1}},

	{"GR9 one op of its stream", "Bg s0; K s0; R e s0; W s1 e; K s1 3; K s0; R f s1; W s0 f; End s0 g; Inst g",
		"K s2 2; GL g s2; K s2", []int{2, 3, 3, 0, 6}},
	{"GR9 roots do not wait for other streams", "Bg s0; K s0; End s0 g; Inst g", "K s1 2; GL g s0", []int{0, 0}},
	{"GR10 one exec in two streams", "Bg s0; K s0 2; End s0 g; Inst g", "GL g s0; GL g s1; K s1", []int{2, 4}},
	{"GR11 two execs in two streams", "Bg s0; K s0 2; End s0 g; Inst g; Bg s0; K s0 2; End s0 h; Inst h",
		"GL g s0; GL h s1; K s1", []int{0, 0, 2}},
	{"GR5 the order goes on through an empty graph", "Bg s0; End s0 g; Inst g", "K s0 2; GL g s0; R e s0; W s1 e; K s1",
		[]int{0, 2}},
	{"GR12 launch on legacy is a barrier", "Bg s0; K s0 2; End s0 g; Inst g", "K b0; GL g L; K b1; K s1",
		[]int{1, 0, 3, 0}},
	{"GR6 a second exec of the same graph is independent", "Bg s0; K s0 2; End s0 g; Inst g",
		"GL g s0; Inst g; GL g s1",
		[]int{0}},

	{"S16 one worker", "", "H s0 2; H s1 2; K s2", []int{0, 2, 0}},
	{"S16 in the order of becoming ready", "", "K s0 3; H s0 2; H s1 2; K s0", []int{0, 3, 0, 5}},
	{"S16 not in the order of issue", "", "K s0 1; H s0 2; H s1 2; K s0", []int{0, 2, 0, 4}},
	{"S16 blocks later work", "", "H s0 2; K s0", []int{0, 2}},
	{"S16 in a graph", "Bg s0; K s0; R e s0; W s1 e; H s1 2; H s0 2; R f s1; W s0 f; K s0; End s0 g; Inst g", "GL g s0",
		[]int{0, 1, 3, 5}},
}

func TestOrder(t *testing.T) {
	for _, row := range orderRows {
		t.Run(row.name, func(t *testing.T) {
			p := program(t, row.setup, row.body)
			tr := rep(t, Ideal, p)
			assert.Equal(t, wants(p.Body), tr.Codes)
			assert.Equal(t, row.starts, starts(tr))
			for i, s := range tr.Spans {
				assert.Equal(t, s.Ran && p.Intent.Ops[i].Kind == schedule.Host, s.Clock == timeline.HostClock)
			}
		})
	}
}

func TestWallAndIssue(t *testing.T) {
	p := program(t, "", "K s0 2; K s1 3; Sy s0; K s0; Q s1 = 600; Sy s1")
	tr := rep(t, Ideal, p)
	assert.Equal(t, 3*unit, tr.Wall)
	assert.Equal(t, 2*unit, tr.Issue)
	assert.Equal(t, 2*unit, tr.Issued[3])
	assert.Equal(t, 3*unit, tr.DeviceSpan())

	m := H200
	tr = rep(t, m, p)
	assert.Equal(t, m.Calls[0]+m.LaunchToStart, tr.Spans[0].Start)
	assert.Equal(t, m.Calls[0], tr.Issued[1])
	assert.Equal(t, tr.Spans[0].End+m.EndToReturn, tr.Issued[3])
	assert.Equal(t, tr.Spans[1].End+m.EndToReturn, tr.Wall)
}

// More than maxTips works to wait for are folded into one; the order stays.
func TestFold(t *testing.T) {
	for _, n := range []int{maxTips - 1, maxTips, maxTips + 1, 3 * maxTips} {
		var waits, blocking strings.Builder
		for i := range n {
			fmt.Fprintf(&waits, "K s%d; R e s%d; W x e;", i, i)
			fmt.Fprintf(&blocking, "K b%d;", i)
		}
		for _, calls := range []string{
			strings.ReplaceAll(waits.String(), "x", "sx") + "R f sx; W sy f; K sy; K sx",
			blocking.String() + "R f L; W sy f; K sy; K L",
		} {
			p := program(t, "", calls)
			r := prepared(t, Ideal, p).(*run)
			tr, err := r.Rep(t.Context())
			require.NoError(t, err)
			assert.Equal(t, []int{0, 1, 1}, starts(tr)[n-1:])
			assert.LessOrEqual(t, len(r.host.events[len(p.Events)-1].tips), maxTips)
		}
	}
}

// A repetition leaves nothing behind that changes the next.
func TestRepetitionsAreEqual(t *testing.T) {
	for _, m := range []Machine{Ideal, H200} {
		p := program(t, "Bg s0; K s0; End s0 g; Inst g",
			"QE e; K b0; K L; H s1 3; R e b0; QE e = 600; GL g s1; W s2 e; K s2; SyE e; K b0; R e b0; SyE e; Ctx")
		r := prepared(t, m, p)
		first, err := r.Rep(t.Context())
		require.NoError(t, err)
		second, err := r.Rep(t.Context())
		require.NoError(t, err)
		assert.Equal(t, first, second)
		assert.Equal(t, first, rep(t, m, p), "another run of the same program")
	}
}

// What the program destroys stays destroyed, as on a GPU.
func TestStateOutlivesRepetitions(t *testing.T) {
	r := prepared(t, Ideal, program(t, "", "K s0; RmS s0"))
	first, _ := r.Rep(t.Context())
	second, _ := r.Rep(t.Context())
	assert.Equal(t, []schedule.Code{0, 0}, first.Codes)
	assert.Equal(t, []schedule.Code{400, 400}, second.Codes)
}
