package sim

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/internal/probe"
)

// traced runs a program, a call a line or between semicolons, and gives what it showed, a line each.
func traced(t *testing.T, m Machine, calls string) string {
	calls = strings.ReplaceAll(calls, "; ", "\n")
	f, err := probe.Parse("test.txtar", []byte("why\n-- program p --\n"+calls+"\n"))
	require.NoError(t, err)
	log, err := probe.Run(t.Context(), Open(m), f, "sim")
	require.NoError(t, err)
	return log.Text()
}

// traceRow is a program, and for some of its calls what they must show: "call => code and more". A call that stands
// there more than once is shown in the order of the program.
type traceRow struct{ name, calls, shows string }

func (r traceRow) check(t *testing.T, m Machine) {
	t.Helper()
	got := map[string][]string{}
	last := ""
	text := traced(t, m, r.calls)
	for _, l := range strings.Split(text, "\n") {
		if more, is := strings.CutPrefix(l, "    "); is {
			list := got[last]
			list[len(list)-1] += " / " + strings.TrimSpace(more)
			continue
		}
		what, saw, found := strings.Cut(l, "  ")
		if found {
			last = what
			got[what] = append(got[what], strings.Join(strings.Fields(saw), " "))
		}
	}
	for _, l := range strings.Split(strings.TrimSpace(r.shows), "\n") {
		what, want, found := strings.Cut(strings.TrimSpace(l), " => ")
		require.True(t, found, l)
		if !assert.NotEmpty(t, got[what], "no call %q in\n%s", what, text) {
			continue
		}
		assert.Equal(t, want, got[what][0], what)
		got[what] = got[what][1:]
	}
}

func checkTraces(t *testing.T, rows []traceRow) {
	for _, m := range []Machine{Ideal, H200} {
		for _, row := range rows {
			t.Run(fmt.Sprintf("%s/%s", m.Name, row.name), func(t *testing.T) { row.check(t, m) })
		}
	}
}

var traceRows = []traceRow{
	{"statuses after an error",
		"stream s0 s1; stream b0 blocking; s0: begin capture; s0: record e; s1: wait e; s0: sync; b0: begin capture; legacy: sync; s0: end capture g; destroy stream s1; b0: end capture g",
		`s0: sync => 900 main none, s0 invalidated, s1 invalidated, b0 none, legacy none
		legacy: sync => 906 main 906, s0 invalidated, s1 invalidated, b0 invalidated, legacy 906
		s0: end capture g => 901 no graph; main 906, s0 none, s1 none, b0 invalidated, legacy 906
		b0: end capture g => 901 no graph; main none, s0 none, b0 none, legacy none`},
	{"listing", "stream s0 s1; s0: begin capture; s0: computation A 2ms; s0: record e; s1: wait e; s0: computation B 2ms; s1: host C 2ms; s1: record f; s0: wait f; s0: computation D 2ms; s0: end capture g",
		`s0: end capture g => 0 main none, s0 none, s1 none / 0 kernel A before 1 2 / 1 kernel B after 0 before 3 / 2 host C after 0 before 3 / 3 kernel D after 1 2 / edges 0>1 0>2 1>3 2>3; roots 0
		ran A => no`},
	{"order", "stream s0 s1; s0: computation A 2ms; s1: computation B 2ms; s0: query; s0: sync; s0: query",
		`s0: query => 600
		s0: query => 0
		order A B => |`},
	{"pageable copies hold the host",
		"stream s0; s0: h2d A 2ms 1KiB; s0: h2d B 2ms 65KiB pageable; s0: h2d C 2ms 64KiB pageable; s0: d2h D 2ms 1KiB pageable",
		`s0: h2d A 2ms 1KiB pinned => 0
		s0: h2d B 2ms 65KiB pageable => 0 held the host
		s0: h2d C 2ms 64KiB pageable => 0
		s0: d2h D 2ms 1KiB pageable => 0 held the host`},
	{"a copy is seen from where it is ready", "stream s0 s1; s0: h2d A 2ms 1KiB; s1: h2d B 2ms 1KiB", "order A B => |"},
	{"on a full device, from where there is room", "stream s0 s1; s0: computation F 4ms sms 100%; s1: h2d A 2ms 1KiB",
		"order F A => <"},
	{"in a graph it is not seen",
		"stream s0; s0: begin capture; s0: h2d A 2ms 1KiB; s0: computation B 2ms; s0: end capture g; instantiate g; s0: replay g", "ran A => no"},
	{"a launch of nothing is no barrier",
		"stream s0; stream b0 b1 blocking; s0: begin capture; s0: end capture g; instantiate g; b0: computation A 2ms; legacy: replay g; b1: computation B 2ms", "order A B => |"},
	{"a launch of something is",
		"stream s0; stream b0 b1 blocking; s0: begin capture; s0: computation C 2ms; s0: end capture g; instantiate g; b0: computation A 2ms; legacy: replay g; b1: computation B 2ms", "order A B => <"},
	{"a launch comes after an upload",
		"stream s0 s1; s0: begin capture; s0: computation A 2ms; s0: end capture g; instantiate g; s0: computation Z 20ms; upload g s0; s1: replay g", "order A Z => >"},
	{"nodes mind priorities when asked to",
		"stream s0 s9 sl; stream sh priority -5; s0: begin capture; s0: record e; sl: wait e; sh: wait e; sl: computation L 4ms sms 100%; sh: computation H 4ms sms 100%; sl: record l; sh: record h; " +
			"s0: wait l; s0: wait h; s0: end capture x; instantiate x flags 8; s9: computation F 20ms sms 100%; s0: replay x", "order L H => >"},
	{"and not otherwise", "stream s0 s9 sl; stream sh priority -5; s0: begin capture; s0: record e; sl: wait e; sh: wait e; sl: computation L 4ms sms 100%; sh: computation H 4ms sms 100%; sl: record l; sh: record h; " +
		"s0: wait l; s0: wait h; s0: end capture x; instantiate x flags 0; s9: computation F 20ms sms 100%; s0: replay x", "order L H => <"},
}

func TestTrace(t *testing.T) { checkTraces(t, traceRows) }
