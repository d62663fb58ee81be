package sim

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/gpu-overlap/overlap/schedule"
)

func TestBandwidth(t *testing.T) {
	for _, row := range []struct{ name, calls, want string }{
		{"enough", "K s0 100ns bw:60; K s1 50ns bw:40; Ctx", "0-100 0-50 | 100"},
		{"one needs none", "K s0 100ns bw:100; K s1 50ns; Ctx", "0-100 0-50 | 100"},
		{"alike", "K s0 100ns bw:100; K s1 100ns bw:100; Ctx", "0-200 0-200 | 200"},
		// To 75 both have 50 of progress at 2/3; the first has 50 left, alone.
		{"the shorter ends first", "K s0 100ns bw:100; K s1 50ns bw:50; Ctx", "0-125 0-75 | 125"},
		// At 40 the first has 40; at 120, at half rate, both have 40 more; the other has 60 left.
		{"one joins later", "K s0 80ns bw:100; K s1 40ns; K s1 100ns bw:100; Ctx", "0-120 0-40 40-180 | 180"},
		// 33 take 46.2 at 100/140: 47. By then 47/1.4 = 33.57 are done: 33. The other has 67 left.
		{"rounding", "K s0 100ns bw:80; K s1 33ns bw:60; Ctx", "0-114 0-47 | 114"},
		// All three at 1/3 to 30: 10 each; two at 1/2 to 50: 20 each; one alone.
		{"three", "K s0 10ns bw:100; K s1 20ns bw:100; K s2 30ns bw:100; Ctx", "0-30 0-50 0-60 | 60"},
		// The second cannot start: the first holds all SMs. It then runs alone.
		{"only what runs counts", "K s0 100ns bw:100 sms:100; K s1 50ns bw:100; Ctx", "0-100 100-150 | 150"},
		// A stretched grid holds its SMs longer: to 200, when both end.
		{"holds its SMs longer", "K s0 100ns bw:100 sms:60; K s1 100ns bw:100; K s2 10ns sms:50; Ctx",
			"0-200 0-200 200-210 | 210"},
		{"holds its stream longer", "K s0 100ns bw:100; K s1 100ns bw:100; K s0 10ns; Ctx",
			"0-200 0-200 200-210 | 210"},
		// From 0 to 40 the first at half rate: 20. Then alone, 60 to 100, joined at 60 by the third, with 60 left.
		{"leaves and another comes", "K s0 100ns bw:100; K s1 20ns bw:100; K s2 60ns; K s2 10ns bw:100; Ctx",
			"0-130 0-40 0-60 60-80 | 130"},
		{"copies need none", "K s0 100ns bw:100; HD s1 50ns bw:100; Ctx", "0-100 0-50 | 100"},
		{"a query does not disturb", "K s0 100ns bw:100; Q s0; K s1 50ns bw:50; Q s1; Ctx", "0-125 0-75 | 125"},
	} {
		assert.Equal(t, row.want, timetable(t, Ideal, program(t, "", row.calls)), row.name)
	}
}

func TestBandwidthOfAGraph(t *testing.T) {
	setup := "Bg s0; R e s0; W s1 e; K s0 100ns bw:100; K s1 50ns bw:50; R f s1; W s0 f; End s0 g; Inst g"
	assert.Equal(t, "0-125 0-75 | 125", timetable(t, Ideal, program(t, setup, "GL g s0; Ctx")))
}

// Durations of hours overflow nothing.
func TestBandwidthIsExactForLongOps(t *testing.T) {
	p := program(t, "", "K s0 24h bw:100; K s1 24h bw:100; K s2 24h bw:100; Ctx")
	assert.Equal(t, 72*time.Hour, rep(t, Ideal, p).Wall)
}

// busy is n kernels in four streams that use everything, with costs.
func busy(n int) *schedule.Program {
	p := &schedule.Program{Name: "busy", File: "busy", Intent: &schedule.Intent{Engines: schedule.DefaultEngines()}}
	for i := range 4 {
		p.Streams = append(p.Streams, schedule.Stream{Name: fmt.Sprintf("s%d", i), Priority: -int32(i % 2)})
	}
	for i := range int32(n) {
		op := schedule.Op{Name: fmt.Sprintf("op%d", i), Dur: time.Duration(100 + i%77), SMs: i % 60, Bandwidth: i % 90}
		verb := schedule.Launch
		if i%5 == 4 {
			op.Kind, op.Bytes, verb = schedule.H2D, 1, schedule.Copy
		}
		p.Intent.Ops = append(p.Intent.Ops, op)
		p.Body = append(p.Body, schedule.Instr{Verb: verb, Stream: schedule.At(i % 4), Op: schedule.At(i)})
	}
	p.Body = append(p.Body, schedule.Instr{Verb: schedule.SyncContext})
	return p
}

// The event loop allocates nothing once it has run: what is left are the transcript's own slices and the sets of the
// host.
func TestNoAllocation(t *testing.T) {
	m := with(3)
	few, many := allocations(t, m, busy(100)), allocations(t, m, busy(10_000))
	assert.LessOrEqual(t, few, 5.0)
	assert.Equal(t, few, many)
}

func allocations(t *testing.T, m Machine, p *schedule.Program) float64 {
	r := prepared(t, m, p)
	return testing.AllocsPerRun(5, func() {
		_, err := r.Rep(t.Context())
		assert.NoError(t, err)
	})
}

func BenchmarkBusy(b *testing.B) {
	r, err := Open(with(3)).Prepare(b.Context(), busy(100_000))
	assert.NoError(b, err)
	b.ReportAllocs()
	for b.Loop() {
		_, err := r.Rep(b.Context())
		assert.NoError(b, err)
	}
}
