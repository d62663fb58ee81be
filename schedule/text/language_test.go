package text

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/schedule"
)

func TestCasesPrintedAndParsed(t *testing.T) {
	files, err := filepath.Glob("../../testdata/cases/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		c, err := ParseCase("x.txtar", data)
		require.NoError(t, err)
		if len(c.Schedule.Issue) < 5000 {
			assertRoundTrip(t, c)
		}
	}
}

// writer writes random cases in all of the language.
type writer struct {
	*rand.Rand
	b strings.Builder
}

func (w *writer) line(format string, args ...any) { fmt.Fprintf(&w.b, format+"\n", args...) }

// maybe is the text in one of three cases.
func (w *writer) maybe(format string, args ...any) string {
	if w.IntN(3) > 0 {
		return ""
	}
	return fmt.Sprintf(format, args...)
}

func (w *writer) pick(words ...string) string { return words[w.IntN(len(words))] }

func (w *writer) size() string {
	return fmt.Sprintf("%d%s%s", 1+w.IntN(3000), w.pick("B", "KiB", "MiB"), w.pick("", " pinned", " pageable"))
}

func (w *writer) shares() string {
	return w.maybe(" sms %d%%", 1+w.IntN(100)) + w.maybe(" bandwidth %d%%", 1+w.IntN(100))
}

func (w *writer) preamble() {
	w.line("engine nic capacity %d", 1+w.IntN(3))
	w.b.WriteString(w.maybe("env CUDA_LAUNCH_BLOCKING=%d\n", w.IntN(2)))
	w.b.WriteString(w.maybe("env CUDA_DEVICE_MAX_CONNECTIONS=%d\n", 1+w.IntN(32)))
	w.b.WriteString(w.maybe("slow host %dns\n", 1+w.IntN(10_000)))
	w.b.WriteString(w.maybe("kernels nanosleep\n"))
}

func (w *writer) pipeline() {
	m := 1 + w.IntN(4)
	w.preamble()
	w.line("pipeline %d microbatches", m)
	perEngine := w.IntN(2) == 0
	if perEngine {
		w.line("streams per engine")
	} else {
		w.b.WriteString(w.maybe("exclusive\n"))
	}
	w.b.WriteString(w.maybe("offset %d stages\n", w.IntN(4)))
	w.b.WriteString(w.maybe("repeat %d\n", 1+w.IntN(3)))
	durations := func() string {
		text := fmt.Sprintf(" %dus", 1+w.IntN(900))
		for range (m - 1) * w.IntN(2) {
			text += fmt.Sprintf(" %dus", 1+w.IntN(900))
		}
		return text
	}
	for range 1 + w.IntN(4) {
		switch w.IntN(3) {
		case 0:
			w.line("stage %s%s %s%s%s", w.pick("h2d", "d2h"), durations(), w.size(), w.maybe(" on nic"),
				w.maybe(" whole 2ms"))
		case 1:
			w.line("stage host%s%s", durations(), w.maybe(" on nic"))
		default:
			started := ""
			if perEngine {
				started = w.maybe(" starts%s on nic", durations())
			}
			w.line("stage %s%s%s%s%s%s", w.pick("computation", "communication"), durations(), w.shares(),
				w.maybe(" on host"),
				w.maybe(" whole 2ms"), started)
		}
	}
}

// calls are instructions; ops are numbered from n, and round is put behind each name.
func (w *writer) calls(n, most int, round string) {
	var ops []string
	name := func() string {
		ops = append(ops, fmt.Sprintf("o%d%s", n, round))
		n++
		return ops[len(ops)-1]
	}
	after := func() string {
		if len(ops) == 0 {
			return ""
		}
		return w.maybe(" after %s", ops[w.IntN(len(ops))])
	}
	for range 1 + w.IntN(most) {
		s, e := w.pick("main", "a", "b", "legacy"), w.pick("e", "f", "fork1", "join2", "o1.sent", "o1.done",
			"nic.started")
		switch w.IntN(8) {
		case 0:
			w.line("%s: record %s", s, e)
		case 1:
			w.line("%s: wait %s", s, e)
		case 2:
			w.line("%s", w.pick("sync context", s+": sync", "sync event "+e)+w.maybe(" intended")+w.maybe(" want 900"))
		case 3:
			w.line("%s: %s c", w.pick("main", "a"), w.pick("fork", "join"))
		case 4:
			before := after()
			w.line("%s: %s %s %dus %s%s%s", s, w.pick("h2d", "d2h"), name(), 1+w.IntN(900), w.size(), before,
				w.maybe(" on nic"))
		case 5:
			before := after()
			w.line("%s: %s %s 5us%s%s starts %s 7us%s", s, w.pick("computation", "communication"), name(), w.shares(),
				before, name(),
				w.maybe(" on nic"))
		default:
			before := after()
			w.line("%s: %s %s 5us%s%s%s", s, w.pick("computation", "communication"), name(), w.shares(), before,
				w.maybe(" reads x%s writes y", round))
		}
	}
}

func (w *writer) spelled() {
	w.preamble()
	w.line("stream a b%s%s", w.maybe(" blocking"), w.maybe(" priority -%d", 1+w.IntN(5)))
	w.line("main: fork c")
	w.calls(0, 6, "")
	if w.IntN(2) == 0 {
		w.line("repeat %d", 1+w.IntN(3))
		w.calls(100, 6, "_{i}")
		w.b.WriteString(w.maybe("b: wait r{i-1}\nb: record r{i}\n"))
		w.line("end")
	}
	w.calls(200, 6, "")
	for _, e := range []string{"e", "f", "fork1", "join2", "o1.sent", "o1.done", "nic.started"} {
		w.line("a: record %s", e)
	}
	w.line("a: computation last 1us")
}

// randomCase is a pipeline, a schedule spelled out, or a program.
func randomCase(seed uint64) (text string, kind CaseKind) {
	w := writer{Rand: rand.New(rand.NewPCG(seed, 9))}
	section := "schedule"
	kind = CaseKind(seed % 3)
	switch kind {
	case PipelineCase:
		w.pipeline()
	case SpelledCase:
		w.spelled()
	case ProgramCase:
		section = "program"
		w.b.WriteString(w.maybe("timed\n"))
		w.spelled()
		w.calls(300, 4, "")
	}
	return "-- " + section + " --\n" + w.b.String() + "-- expect --\n", kind
}

func TestRandomCasesPrintedAndParsed(t *testing.T) {
	for seed := range uint64(3000) {
		text, kind := randomCase(seed)
		c, err := ParseCase("x.txtar", []byte(text))
		require.NoError(t, err, "%s", text)
		require.Equal(t, kind, c.Kind)
		assertRoundTrip(t, c)
	}
}

// faults are mistakes in what repeats, starts, copies and is said of the environment: the line, the fault and the
// remedy.
var faults = []struct{ lines, want string }{
	{"repeat 3\nmain: host A{i} 1s", "2: a repeat without an end; want `end` alone on a line after it"},
	{"main: host A 1s\nend", "3: an end without a repeat; want `repeat N` above it"},
	{"pipeline 2 microbatches\nstage host 1s\nend", "4: an end without a repeat; want `repeat N` above it"},
	{"repeat 2\nrepeat 2\nmain: host A{i} 1s\nend\nend", "3: a repeat inside a repeat; want `end` before it"},
	{"repeat 0\nend", `2: "0" is not a number of times; want a number of times from 1 to 1000000`},
	{"repeat 2\nmain: host A{i+9223372036854775807} 1s\nend",
		`3: "A{i+9223372036854775807}" is not a name for an op; want a letter or _, then letters, digits, _ - . up to 64 bytes`},
	{"repeat 1000000\nmain: wait e\nmain: wait e\nmain: wait e\nmain: wait e\nmain: wait e\nmain: wait e\nmain: wait e\nmain: wait e\nmain: wait e\nend",
		"2: 1000000 times 9 lines; want at most 8000000 lines in all"},
	{strings.Repeat("repeat 1000000\nmain: wait e\nmain: wait e\nmain: wait e\nend\n", 3),
		"12: 1000000 times 3 lines, after 6000000 of repeats before it; want at most 8000000 lines in all"},

	{"env CUDA_DEVICE_MAX_CONNECTIONS=0\nmain: host A 1s",
		`2: "0" is no value of CUDA_DEVICE_MAX_CONNECTIONS; want a number from 1 to 32`},
	{"env CUDA_DEVICE_MAX_CONNECTIONS=33\nmain: host A 1s",
		`2: "33" is no value of CUDA_DEVICE_MAX_CONNECTIONS; want a number from 1 to 32`},
	{"env CUDA_DEVICE_MAX_CONNECTIONS=+8\nmain: host A 1s",
		`2: "+8" is no value of CUDA_DEVICE_MAX_CONNECTIONS; want a number from 1 to 32`},
	{"env CUDA_LAUNCH_BLOCKING=yes\nmain: host A 1s", `2: "yes" is no value of CUDA_LAUNCH_BLOCKING; want 0 or 1`},
	{"env CUDA_MODULE_LOADING=lazy\nmain: host A 1s",
		`2: "lazy" is no value of CUDA_MODULE_LOADING; want DEFAULT, LAZY or EAGER`},
	{"slow host 1s\nmain: host A 1s", `2: "1s" is too long; want at most 100ms`},
	{"main: computation A 1s sms +5%", `2: "+5%" is not a share; want a whole percentage from 1% to 100%`},

	{"main: h2d A 1s 1MiB starts B 1s", "2: starts of a h2d; want it only on kernels and host functions"},
	{"pipeline 2 microbatches\nstreams per engine\nstage d2h 1s 1MiB starts 1s on link",
		"4: starts of a d2h; want it only on kernels and host functions"},
	{"pipeline 2 microbatches\nstreams per engine\nstage host 1s starts 1s",
		"4: a stage that starts another on its own engine; want `on` another engine, whose stream is another"},
	{"main: computation A 1s starts B 1s want 900",
		"2: starts is several calls; want the calls spelled out, each with its code"},
	{"engine " + strings.Repeat("e", 60) + "\nmain: computation A 1s starts B 1s on " + strings.Repeat("e", 60),
		`3: it makes a name of 68 bytes, "` + strings.Repeat("e", 40) + `…"; want shorter names`},
	{"main: computation " + strings.Repeat("A", 60) + " 1s starts B 1s",
		`2: it makes a name of 65 bytes, "` + strings.Repeat("A", 40) + `…"; want shorter names`},
	{"main: computation A 1s starts " + strings.Repeat("B", 60) + " 1s",
		`2: it makes a name of 65 bytes, "` + strings.Repeat("B", 40) + `…"; want shorter names`},
}

func TestFaults(t *testing.T) {
	for _, tc := range faults {
		_, err := ParseCase("x.txtar", []byte(schedText(tc.lines)))
		require.Error(t, err, tc.lines)
		text, _, caret := strings.Cut(err.Error(), "\n")
		assert.Equal(t, "x.txtar:"+tc.want, text)
		assert.True(t, caret, "%s: it points at nothing", text)
	}
}

// An op that is started below cannot be waited for above; an op before what is timed must be captured.
func TestFaultsOfPlace(t *testing.T) {
	for text, want := range map[string]string{
		schedText("engine nic\na: computation X 1ms after T\nmain: fork a\nmain: communication S 1ms starts T 1ms on nic\nmain: join a"): "op T is started only further down: nothing can wait for it here; want it below what starts T",
		"-- program --\nmain: computation W 1ms\ntimed\nmain: sync\n-- expect --\n":                                                      "op W, on line 2, is issued before what is timed; want ops in a capture before it, or behind it",
	} {
		_, err := ParseCase("x.txtar", []byte(text))
		require.Error(t, err)
		assert.Contains(t, err.Error(), want)
	}
	_, err := ParseCase("x.txtar",
		[]byte("-- program --\nstream s\ns: begin capture\ns: computation W 1ms\ns: end capture g\ninstantiate g\ntimed\nmain: replay g\nmain: sync\n-- expect --\n"))
	assert.NoError(t, err)
}

// The longest names that starting makes room for.
func TestStartsWithLongNames(t *testing.T) {
	c := parse(t, schedText("engine "+strings.Repeat("e", 56)+"\nmain: computation "+strings.Repeat("A",
		59)+" 1s starts "+
		strings.Repeat("B", 59)+" 1s on "+strings.Repeat("e", 56)))
	assert.Equal(t, schedule.NonBlocking, c.Schedule.Streams[1].Kind)
	assertRoundTrip(t, c)
}
