package sim

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/gpu/sim/hardware"
	"github.com/gpu-overlap/overlap/schedule"
)

// randomContention is a body, or a capture and its launch, of ops that share everything.
func randomContention(r *rand.Rand) (setup, body string) {
	streams := []string{"s0", "s1^-1", "s2^-3", "b0", "L", "s3"}
	streams = streams[:2+r.IntN(5)]
	pick := func(options ...string) string { return options[r.IntN(len(options))] }
	var b strings.Builder
	for range 3 + r.IntN(16) {
		s := pick(streams...)
		switch r.IntN(12) {
		case 0:
			fmt.Fprintf(&b, "R %s %s;", pick("e", "f"), s)
		case 1:
			fmt.Fprintf(&b, "W %s %s;", s, pick("e", "f"))
		case 2:
			fmt.Fprintf(&b, "H %s %dns;", s, 1+r.IntN(9))
		case 3, 4:
			fmt.Fprintf(&b, "%s %s %dns;", pick("HD", "DH", "HD", "DH", "PHD", "PDH"), s, 1+r.IntN(20))
		default:
			fmt.Fprintf(&b, "K %s %dns sms:%s bw:%s;", s, 1+r.IntN(30), pick("0", "0", "30", "50", "60", "99", "100"),
				pick("0", "0", "40", "70", "99", "100"))
		}
	}
	body = b.String()
	if r.IntN(4) > 0 {
		return "", body
	}
	setup = "Bg s0; R fork s0;"
	for _, s := range streams[1:] {
		setup += "W " + s + " fork;"
	}
	body = strings.NewReplacer(" L", " s0").Replace(body)
	setup = strings.NewReplacer(" L", " s9").Replace(setup) + body
	for _, s := range streams[1:] {
		setup += fmt.Sprintf("R j%s %s; W s0 j%s;", s, s, s)
	}
	setup = strings.NewReplacer(" L;", " s9;").Replace(setup) + "End s0 g; Inst g"
	return setup, "GL g " + pick("s0", "s1^-1")
}

func TestContentionAgainstSteps(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	graphs, differ := 0, map[string]int{}
	for range 2500 {
		setup, body := randomContention(r)
		m := Machine{Name: "random", Spec: hardware.Spec{SMs: 1 + r.IntN(3), Connections: r.IntN(4)},
			LaunchBlocking: r.IntN(10) == 0}
		p := program(t, setup, body+";Ctx")
		if r.IntN(2) == 0 {
			p.HostDelay = 3
		}
		got, _, _ := strings.Cut(timetable(t, m, p), "|")
		require.Equal(t, step(p, m), got, "%+v %d\n%s\n%s", m, p.HostDelay, setup, body)
		if setup != "" {
			graphs++
		}
		count(t, differ, m, p, got)
	}
	assert.Greater(t, graphs, 500)
	for _, what := range []string{"connections", "sms", "bandwidth", "blocking"} {
		assert.Greater(t, differ[what], 100, "%s hardly ever matter", what)
	}
}

// count counts what makes a difference: without it, the timetable is another.
func count(t *testing.T, differ map[string]int, m Machine, p *schedule.Program, with string) {
	without := func(what string, m Machine, spoil func(op *schedule.Op)) {
		q := *p
		q.Intent = &schedule.Intent{Ops: append([]schedule.Op{}, p.Intent.Ops...), Engines: p.Intent.Engines}
		for i := range q.Intent.Ops {
			spoil(&q.Intent.Ops[i])
		}
		if got, _, _ := strings.Cut(timetable(t, m, &q), "|"); got != with {
			differ[what]++
		}
	}
	free, fast := m, m
	free.Connections, fast.LaunchBlocking = 0, false
	without("connections", free, func(*schedule.Op) {})
	without("blocking", fast, func(*schedule.Op) {})
	without("sms", m, func(op *schedule.Op) { op.SMs = 0 })
	without("bandwidth", m, func(op *schedule.Op) { op.Bandwidth = 0 })
}
