package probe

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/gpu"
	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/schedule/text"
	"github.com/gpu-overlap/overlap/timeline"
)

const example = `What two kernels do.

-- program a --
stream s0 s1
s0: computation A 2ms
s1: computation B 2ms
free order A B because it does
s0: query
free 0 600 because A may have ended
s0: sync
-- program b --
for mode global relaxed
for call s0:_query s0:_sync
env CUDA_DEVICE_MAX_CONNECTIONS=1
stream s0
s0: begin capture {mode}
{call}
unmodelled because nobody knows
thread 1
s0: end capture g
free shown because of the weather
`

func parse(t *testing.T, text string) *File {
	t.Helper()
	f, err := Parse("P99.txtar", []byte(text))
	require.NoError(t, err)
	return f
}

// TestExpand: a section becomes one part for each combination, with its words put in and its marks taken out.
func TestExpand(t *testing.T) {
	f := parse(t, example)
	assert.Equal(t, "P99", f.Name)
	assert.Equal(t, "What two kernels do.", f.Why)
	var titles []string
	for _, p := range f.Parts {
		titles = append(titles, p.Title)
	}
	assert.Equal(t, []string{"a", "b mode=global call=s0:_query", "b mode=global call=s0:_sync",
		"b mode=relaxed call=s0:_query",
		"b mode=relaxed call=s0:_sync"}, titles)
	last := f.Parts[4]
	assert.Equal(t, []string{"CUDA_DEVICE_MAX_CONNECTIONS=1"}, last.Env)
	var calls []string
	for _, in := range last.Program.Body {
		calls = append(calls, text.Describe(last.Program, in))
	}
	assert.Equal(t, []string{"s0: begin capture relaxed", "s0: sync", "s0: end capture g"}, calls)
	assert.Equal(t, int32(1), last.Program.Body[2].Thread)
	assert.True(t, last.marks.step[1].unmodelled)
	assert.True(t, last.marks.step[2].shown)
	a := f.Parts[0]
	assert.Equal(t, []schedule.Code{0, 600}, a.marks.step[2].codes)
	assert.NotNil(t, a.marks.order[[2]int32{0, 1}])
}

// A mark counts for every call of the line above it, and for none of another line, whatever the order of the calls.
func TestMarkedLine(t *testing.T) {
	f := parse(t, "why\n-- program a --\nstream s0 s1 s2\ns0: computation A 1ms starts T 1ms on link\ns0: fork s1 s2\nfree shown because x\ns0: query\n")
	p := f.Parts[0]
	var marked []string
	for at, in := range p.Program.Body {
		if p.marks.step[at] != nil {
			marked = append(marked, text.Describe(p.Program, in))
		}
	}
	assert.Equal(t, []string{"s0: record fork1", "s1: wait fork1", "s2: wait fork1"}, marked)
}

func TestParseErrors(t *testing.T) {
	program := func(lines string) string { return "why\n-- program a --\nstream s0\ns0: computation A 1ms\n" + lines }
	for name, c := range map[string]struct{ text, want string }{
		"no why":           {"-- program a --\nsync context\n", "P99.txtar:1: a probe begins with what it settles"},
		"no program":       {"why\n", "P99.txtar: no section program"},
		"unknown section":  {"why\n-- programm a --\n", `P99.txtar:2: unknown section "programm a"`},
		"twice":            {program("-- program a --\nsync context\n"), `P99.txtar:5: a second section "program a"`},
		"bad call":         {program("s0: qery\n"), "P99.txtar:5: unknown verb"},
		"in a combination": {program("for x a qery\ns0: {x}\n"), "in a x=a"},
		"for without":      {program("for x\n"), "P99.txtar:5: \"for x\"; want `for NAME VALUE …`"},
		"for twice":        {program("for x a\nfor x b\n"), "P99.txtar:6:"},
		"too many": {program("for x" + strings.Repeat(" a", 40) + "\nfor y" +
			strings.Repeat(" a", 40) + "\n# {x} {y}\n"), "1600 combinations; want at most 1000"},
		"unused":    {program("for x a\n"), "P99.txtar:2: the variable x stands nowhere; want {x} in some line"},
		"same word": {program("for x a a\n# {x}\n"), `P99.txtar:2: a second part "a x=a"`},
		"two marks": {program("free shown because x\nunmodelled because y\n"),
			"P99.txtar:6: a second mark of the same"},
		"two waves": {program("free waves because x\nunmodelled waves because y\n"),
			"P99.txtar:6: a second mark of the same"},
		"a big code": {program("free 0 4294967296 because x\n"), `"4294967296" is not a code`},
		"no reason":  {program("free 0 600\n"), "P99.txtar:5: free without a reason"},
		"one code":   {program("free 0 because x\n"), "want `free` and CODE CODE …"},
		"no code":    {program("free 0 six because x\n"), `"six" is not a code`},
		"no op":      {program("free order A B because x\n"), "P99.txtar:5: order of A and B; want two ops"},
		"itself":     {program("free order A A because x\n"), "want two ops"},
		"above nothing": {"why\n-- program a --\nfree shown because x\nsync context\n",
			"P99.txtar:3: a mark without a call above it"},
		"golden head": {program("-- golden --\n== a\n"), "P99.txtar:6: \"== a\"; want `# ` and the GPU"},
		"golden part": {program("-- golden --\n# GPU\ns0: sync  0\n"), "P99.txtar:7: \"s0: sync  0\"; want `== `"},
		"golden row": {program("-- golden --\n# GPU\n== a\ns0: sync 0\n"),
			"want a call, at least two blanks, and its code"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Parse("P99.txtar", []byte(c.text))
			require.Error(t, err)
			assert.Contains(t, err.Error(), c.want)
		})
	}
}

// told is a device that shows what it is told to.
type told struct {
	gpu.Device
	trace func(p *schedule.Program) *gpu.Trace
	env   []string
}

func (d *told) Trace(_ context.Context, p *schedule.Program) (*gpu.Trace, error) {
	return d.trace(p), nil
}
func (d *told) Close() error { return nil }
func (d *told) WithEnv(_ context.Context, env []string) (gpu.Device, error) {
	d.env = append(d.env, env...)
	return d, nil
}

// shows is a trace of successes in which the ops run one after the other.
func shows(p *schedule.Program) *gpu.Trace {
	t := &gpu.Trace{Steps: make([]gpu.Step, len(p.Body))}
	for i := range p.Intent.Ops {
		at := time.Duration(i) * time.Millisecond
		t.Spans = append(t.Spans, timeline.Span{Start: at, End: at + time.Millisecond, Ran: true})
	}
	return t
}

// TestShow: everything that a step may show has its place, and what differs from run to run has none.
func TestShow(t *testing.T) {
	f := parse(t, `why
-- program a --
stream s0 s1
s0: begin capture
s0: computation A 2ms
s0: call memset-d8 as M
s0: info
s0: sync
s0: end capture g
print g
exchange relaxed
elapsed e f
s0: burst 100
thread 1
s0: record e
instantiate g flags 0
s1: computation B 2ms
s1: computation C 2ms
`)
	d := &told{trace: func(p *schedule.Program) *gpu.Trace {
		tr := shows(p)
		tr.Steps[3].Values, tr.Steps[3].Nodes = []int64{1, 1}, []schedule.Ref{schedule.At(3), {}}
		tr.Steps[4].Code = 900
		tr.Steps[4].Took = time.Second
		tr.Steps[4].Status = []gpu.Status{{}, {Value: 2}, {Code: 906}}
		tr.Steps[4].Status[0].Absent = true
		tr.Steps[5].List = &gpu.Listing{Graph: graph.Graph{Nodes: []graph.Node{{}, {Kind: graph.MemsetNode}},
			Edges: []graph.Edge{{From: 0, To: 1, Type: 1, FromPort: 2}}}, Nodes: []schedule.Ref{schedule.At(0),
			{}}, Roots: []int32{0},
			Deps: [][]int32{nil, {0}}, Dependents: [][]int32{{1}, nil}, Priorities: []int64{-5, 0}, Code: 402}
		tr.Steps[6].Text = []string{"digraph dot {\nsubgraph cluster_16 {\n\"graph_16_node_0\"[0x00FF graph_17] \n}\n"}
		tr.Steps[7].Values = []int64{0}
		tr.Steps[8].Values = []int64{-1}
		tr.Steps[9].Values = []int64{7}
		tr.Steps[10].Took = 2 * time.Millisecond
		tr.Steps[11].Values, tr.Steps[11].Nodes = []int64{2}, []schedule.Ref{schedule.Null}
		tr.Spans[1] = timeline.Span{}
		tr.Spans[2].Start -= 2 * time.Millisecond
		return tr
	}}
	log, err := Run(t.Context(), d, f, "GPU, driver, date")
	require.NoError(t, err)
	assert.Equal(t, `# GPU, driver, date
== a
s0: begin capture                             0
s0: computation A 2ms                         0
s0: call memset-d8 as M                       0
s0: info                                      0  active, capture 1, after M unnamed
s0: sync                                      900  s0 invalidated, s1 906
s0: end capture g                             0
    0 kernel A before 1 priority -5
    1 memset after 0
    edges 0>1(type 1 port 2) code 402; roots 0
print g                                       0
    | digraph dot {
    | subgraph cluster_0 {
    | "graph_0_node_0"[0x* graph_1]
    | }
exchange relaxed                              0  was global
elapsed e f                                   0  negative
s0: burst 100                                 0  7
thread 1 s0: record e                         0  held the host
thread 1 instantiate g flags 0                0  result 2, nodes null
thread 1 s1: computation B 2ms                0
thread 1 s1: computation C 2ms                0
ran B                                         no
order A C                                     |
`, log.Text())
}

// TestOrder: before, after, beside, and neither.
func TestOrder(t *testing.T) {
	span := func(start, end int) timeline.Span {
		return timeline.Span{Start: time.Duration(start), End: time.Duration(end), Ran: true}
	}
	for _, row := range []struct {
		a, b timeline.Span
		want string
	}{
		{span(0, 100), span(100, 200), "<"}, {span(100, 200), span(0, 100), ">"}, {span(0, 100), span(75, 175), "|"},
		{span(0, 100), span(76, 176), "?"}, {span(0, 1000), span(500, 510), "|"}, {span(0, 1000), span(998, 1002), "|"},
		{span(0, 1000), span(999, 1009), "?"},
	} {
		assert.Equal(t, row.want, relation(row.a, row.b), "%v", row)
	}
}

// TestWaves: of many ops, how many ran at once, and which came later.
func TestWaves(t *testing.T) {
	var b strings.Builder
	b.WriteString("why\n-- program a --\nstream s\n")
	for i := range 14 {
		b.WriteString("s: computation K" + string(rune('A'+i)) + " 2ms\n")
	}
	f := parse(t, b.String())
	d := &told{trace: func(p *schedule.Program) *gpu.Trace {
		tr := shows(p)
		for i := range tr.Spans {
			tr.Spans[i].Start, tr.Spans[i].End = time.Duration(i), time.Duration(2000+i)
		}
		tr.Spans[13].Start, tr.Spans[13].End = 2005, 4000
		tr.Spans[3].Start, tr.Spans[3].End = 2100, 4100
		return tr
	}}
	log, err := Run(t.Context(), d, f, "x")
	require.NoError(t, err)
	rows := log.Parts[0].Rows[14:]
	assert.Equal(t, []Row{{What: "at once", Saw: []string{"12"}}, {What: "waves", Saw: []string{"12", "KD KN"}}}, rows)
}

// TestLogRoundTrip: a golden is read as it was written, and put in its place in the file.
func TestLogRoundTrip(t *testing.T) {
	f := parse(t, example)
	d := &told{trace: shows}
	log, err := Run(t.Context(), d, f, "GPU")
	require.NoError(t, err)
	assert.Equal(t, []string{"CUDA_DEVICE_MAX_CONNECTIONS=1"}, d.env[:1])
	text := WithGolden([]byte(example), log.Text())
	again, err := Parse("P99.txtar", text)
	require.NoError(t, err)
	assert.Equal(t, log.Text(), again.Golden.Text())
	assert.Equal(t, string(text), string(WithGolden(text, log.Text())))
	count, faults := Compare(again.Golden, log)
	assert.Empty(t, faults)
	assert.Equal(t, Count{All: 17, Equal: 7, Free: 6, Unmodelled: 4}, count)
	assert.Zero(t, count.Differs())
}

// TestCompare: each way in which two logs can differ is found, and none is where a mark allows it.
func TestCompare(t *testing.T) {
	f := parse(t, example)
	run := func(change func(*gpu.Trace)) *Log {
		log, err := Run(t.Context(), &told{trace: func(p *schedule.Program) *gpu.Trace {
			tr := shows(p)
			change(tr)
			return tr
		}}, f, "GPU")
		require.NoError(t, err)
		return log
	}
	golden := run(func(*gpu.Trace) {})
	for name, c := range map[string]struct {
		change func(*gpu.Trace)
		want   string // "" for no fault
	}{
		"a code": {func(tr *gpu.Trace) { tr.Steps[0].Code = 1 }, "a: s0: computation A 2ms\n  golden 0\n  got    1"},
		"a free code": {func(tr *gpu.Trace) {
			if len(tr.Steps) == 4 {
				tr.Steps[2].Code = 600
			}
		}, ""},
		"a code too free": {func(tr *gpu.Trace) {
			if len(tr.Steps) == 4 {
				tr.Steps[2].Code = 700
			}
		}, "a: s0: query"},
		"a free order": {func(tr *gpu.Trace) {
			if len(tr.Spans) > 1 {
				tr.Spans[1] = tr.Spans[0]
			}
		}, ""},
		"an op did not run": {func(tr *gpu.Trace) {
			if len(tr.Spans) > 1 {
				tr.Spans[1].Ran = false
			}
		}, "a: ran B: shown, but not in the golden"},
		"not modelled": {func(tr *gpu.Trace) {
			if len(tr.Steps) == 3 {
				tr.Steps[1].Code = 900
			}
		}, ""},
		"shown is free": {func(tr *gpu.Trace) {
			if len(tr.Steps) == 3 {
				tr.Steps[2].Values = []int64{1}
			}
		}, ""},
		"but not its code": {func(tr *gpu.Trace) {
			if len(tr.Steps) == 3 {
				tr.Steps[2].Code = 1
			}
		}, "thread 1 s0: end capture g"},
		"held": {func(tr *gpu.Trace) { tr.Steps[0].Took = time.Second }, "got    0  held the host"},
	} {
		t.Run(name, func(t *testing.T) {
			count, faults := Compare(golden, run(c.change))
			if c.want == "" {
				assert.Empty(t, faults)
				return
			}
			require.NotEmpty(t, faults)
			assert.Contains(t, faults[0], c.want)
			assert.Positive(t, count.Differs())
		})
	}
	other := *golden
	other.Parts = other.Parts[1:]
	_, faults := Compare(&other, golden)
	assert.Len(t, faults, 1, "another set of parts")
}
