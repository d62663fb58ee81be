package sim

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gpu-overlap/overlap/gpu/sim/hardware"
)

func TestSMs(t *testing.T) {
	for _, row := range []struct{ name, calls, want string }{
		{"two halves fit", "K s0 30ns sms:50; K s1 20ns sms:50; Ctx", "0-30 0-20 | 30"},
		{"one more does not", "K s0 30ns sms:50; K s1 20ns sms:51; Ctx", "0-30 30-50 | 50"},
		{"a third waits for the first end", "K s0 30ns sms:50; K s1 20ns sms:50; K s2 10ns sms:50; Ctx",
			"0-30 0-20 20-30 | 30"},
		{"a full device keeps one block out", "K s0 30ns sms:100; K s1 20ns; Ctx", "0-30 30-50 | 50"},
		{"99 per cent do not", "K s0 30ns sms:99; K s1 20ns; Ctx", "0-30 0-20 | 30"},
		{"one block keeps a full device waiting", "K s0 30ns; K s1 20ns sms:100; Ctx", "0-30 30-50 | 50"},
		{"one that waits blocks later ones", "K s0 30ns sms:60; K s1 20ns sms:50; K s2 10ns sms:10; Ctx",
			"0-30 30-50 30-40 | 50"},
		{"but not more urgent ones", "K s0 30ns sms:60; K s1 20ns sms:50; K s2^-1 10ns sms:10; Ctx",
			"0-30 30-50 0-10 | 50"},
		{"less urgent ones too", "K s0^-1 30ns sms:60; K s1^-1 20ns sms:50; K s2 10ns sms:10; Ctx",
			"0-30 30-50 30-40 | 50"},
		{"priority among those that wait",
			"K s0 30ns sms:100; K s1 20ns sms:100; K s2^-2 10ns sms:100; K s3^-1 5ns sms:100; Ctx",
			"0-30 45-65 30-40 40-45 | 65"},
		{"nothing is preempted", "K s0 30ns sms:100; Q s0; K s1^-5 10ns sms:100; Ctx", "0-30 30-40 | 40"},
		{"in order of becoming ready",
			"K s0 9ns; K s0 30ns sms:100; K s1 5ns; K s1 20ns sms:100; K s2 30ns sms:20; Ctx",
			"0-9 50-80 0-5 30-50 0-30 | 80"},
		{"out of range is the nearest",
			"K s0^-5 30ns sms:100; K s1^-9 20ns sms:100; K s2^3 10ns sms:100; K s3 7ns sms:100; Ctx",
			"0-30 30-50 50-60 60-67 | 67"},
		{"host functions and copies hold none", "K s0 30ns sms:100; H s1 10ns; HD s2 10ns; Ctx", "0-30 0-10 0-10 | 30"},
		{"a gate holds a block", "Gate s0; K s1 30ns sms:100; K s2 5ns; Sy s1",
			"1000000000-1000000030 1000000030-1000000035 | 1000000030"},
		{"and gives it back", "Gate s0; K s1 30ns sms:100; Open; Sy s1", "0-30 | 30"},
	} {
		assert.Equal(t, row.want, timetable(t, Ideal, program(t, "", row.calls)), row.name)
	}
}

func TestSMsOfAGraph(t *testing.T) {
	fork := "Bg s0; K s0 4ns; R e s0; W s1^-1 e; K s0 30ns sms:100; K s1^-1 20ns sms:100; R f s1^-1; W s0 f; End s0 g; Inst g"
	// A node has the priority of the stream that the graph is launched on, not of the one that it was captured on.
	assert.Equal(t, "0-4 4-34 34-54 | 54", timetable(t, Ideal, program(t, fork, "GL g s0; Ctx")))
	// When the first node ends, its room goes to what waits; only then the next are ready.
	assert.Equal(t, "21-25 25-55 55-75 0-5 5-21 | 75", timetable(t, Ideal,
		program(t, fork, "K s3 5ns sms:100; K s2 16ns sms:100; GL g s0; Ctx")))
	assert.Equal(t, "5-9 25-55 55-75 0-5 9-25 | 75", timetable(t, Ideal,
		program(t, fork, "K s3 5ns sms:100; K s2 16ns sms:100; GL g s1^-1; Ctx")))
}

// A kernel of one block takes a hundredth of an SM, so that an SM's worth of them fits beside a grid of 99 per cent on
// one SM, and no more.
func TestOneBlockKernels(t *testing.T) {
	one := Machine{Name: "one", Spec: hardware.Spec{SMs: 1}}
	body := "K s0 30ns sms:98;" + strings.Repeat("K sN 10ns;", 3) + "Ctx"
	for _, n := range []string{"s1", "s2", "s3"} {
		body = strings.Replace(body, "sN", n, 1)
	}
	assert.Equal(t, "0-30 0-10 0-10 10-20 | 30", timetable(t, one, program(t, "", body)))
	assert.Equal(t, "0-30 0-10 0-10 0-10 | 30", timetable(t, Ideal, program(t, "", body)))
	assert.Equal(t, "0-30 30-40 | 40", timetable(t, Machine{}, program(t, "", "K s0 30ns sms:100; K s1 10ns; Ctx")))
}

func TestSharesAreValidated(t *testing.T) {
	for _, row := range []struct {
		sms, bw int32
		ok      bool
	}{{0, 0, true}, {100, 100, true}, {-1, 0, false}, {101, 0, false}, {0, -1, false}, {0, 101, false}} {
		p := program(t, "", "K s0")
		p.Intent.Ops[0].SMs, p.Intent.Ops[0].Bandwidth = row.sms, row.bw
		_, err := Open(Ideal).Prepare(t.Context(), p)
		assert.Equal(t, row.ok, err == nil, "%+v: %v", row, err)
	}
}
