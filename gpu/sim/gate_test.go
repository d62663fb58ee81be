package sim

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/gpu"
	"github.com/gpu-overlap/overlap/schedule"
)

func TestHostDelay(t *testing.T) {
	for _, row := range []struct {
		delay time.Duration
		want  string
	}{
		{0, "0-30 0-10 30-35 | 35"},
		{7, "7-37 14-24 37-42 | 42"},
		{40, "40-70 80-90 120-125 | 160"},
	} {
		p := program(t, "", "K s0 30ns; K s1 10ns; K s0 5ns; Ctx")
		p.HostDelay = row.delay
		assert.Equal(t, row.want, timetable(t, Ideal, p))
	}
	// The delay comes before the call is made, and the setup has none.
	p := program(t, "Bg s0; K s0 30ns; End s0 g; Inst g", "GL g s0; Sy s0")
	p.HostDelay = 7
	tr := rep(t, Ideal, p)
	assert.Equal(t, []time.Duration{7, 14}, tr.Issued)
	assert.Equal(t, time.Duration(7), tr.Issue)
	assert.Equal(t, time.Duration(37), tr.Wall)
}

func TestGate(t *testing.T) {
	for _, row := range []struct{ name, calls, want string }{
		{"opened when all is issued", "Gate s0; K s0 30ns; Open; Sy s0", "30-60 | 60"},
		{"holds only its stream", "Gate s0; K s0 30ns; K s1 5ns; Open; Ctx", "40-70 30-35 | 70"},
		{"and what waits for it", "Gate s0; R e s0; W s1 e; K s1 5ns; Open; Ctx", "50-55 | 60"},
		{"opened while it waits for earlier work", "K s0 50ns; Gate s0; K s0 5ns; Open; Ctx", "10-60 60-65 | 65"},
		{"opened before it is launched", "Open; Gate s0; K s0 5ns; Ctx", "30-35 | 40"},
		{"never opened", "Gate s0; K s0 5ns; Sy s0; Open", "1000000010-1000000015 | 1000000025"},
		{"opened after it gave up", "Gate s0; K s0 5ns; Sy s0; Open; K s0 5ns; Sy s0",
			"1000000010-1000000015 1000000035-1000000040 | 1000000045"},
		{"a query does not end it", "Gate s0; Q s0; K s0 5ns; Open; Sy s0", "40-45 | 50"},
		{"two", "Gate s0; Gate s1; K s0 5ns; K s1 9ns; Open; Ctx", "50-55 50-59 | 60"},
		{"on the legacy stream", "Gate L; K b0 5ns; K s0 5ns; Open; Ctx", "40-45 30-35 | 50"},
		{"without a gate", "Open; K s0 5ns; Sy s0", "20-25 | 30"},
	} {
		p := program(t, "", row.calls)
		p.HostDelay = 10 // calls are made at 10, 20, 30 …
		assert.Equal(t, row.want, timetable(t, Ideal, p), row.name)
	}
	for i := range 2 { // nothing of a gate is left for the next repetition
		p := program(t, "", strings.Repeat("Gate s0; K s0 5ns; Open; Sy s0;", i)+"Gate s0; K s0 5ns; Sy s0")
		r := prepared(t, Ideal, p)
		first, err := r.Rep(t.Context())
		require.NoError(t, err)
		second, err := r.Rep(t.Context())
		require.NoError(t, err)
		assert.Equal(t, first, second)
		assert.Equal(t, i == 0, first.Wall > time.Second)
	}
}

func TestGateInACapture(t *testing.T) {
	p := program(t, "Bg s0; Gate s0 = 801; K s0; Q s0 = 900; Gate s0 = 901; End s0 g = 901; Bg b0; Gate L = 906; End b0 g = 901", "K s0")
	prepared(t, Ideal, p)
}

// A gated program's device times do not depend on how slow the host is; an eager one's do.
func TestGatedTwin(t *testing.T) {
	s := reference(10*time.Microsecond, schedule.Exact)
	spans := func(p *schedule.Program, delay time.Duration) time.Duration {
		p.HostDelay = delay
		tr := rep(t, H200, p)
		return tr.DeviceSpan()
	}
	gated, ok := s.Gated()
	require.True(t, ok)
	want := spans(gated, 0)
	assert.Equal(t, want, spans(gated, 50*time.Microsecond))
	assert.Greater(t, spans(s.Eager(), 50*time.Microsecond), 2*want)
}

func TestClock(t *testing.T) {
	assert.Equal(t, gpu.Clock{Known: true}, rep(t, H200, program(t, "", "K s0")).Clock)
}

func TestLengthCountsGatesAndDelays(t *testing.T) {
	for _, row := range []struct {
		gates int
		delay time.Duration
		ok    bool
	}{{1, 0, true}, {6401, 0, false}, {5500, 100 * time.Millisecond, false}, {5500, 10 * time.Millisecond, true},
		{0, -1, false}} {
		p := program(t, "", "K s0;"+strings.Repeat("Gate s0;", row.gates))
		p.Intent.Ops[0].Dur = 24 * time.Hour
		for range 11_573 { // in all 6400 s less than 10¹⁸ ns
			p.Body = append(p.Body, p.Body[0])
		}
		p.HostDelay = row.delay
		_, err := Open(Ideal).Prepare(t.Context(), p)
		assert.Equal(t, row.ok, err == nil, "%+v: %v", row, err)
	}
}
