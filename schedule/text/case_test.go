package text

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/verdict"
)

const (
	pipelineText = `Two micro-batches on two streams.
Why: one computes while the other communicates.

-- schedule --
pipeline 2 microbatches
stage computation 100ms
stage communication 100ms on wire whole 180ms # half of it is latency
engine wire capacity 2
-- expect --
serial 400ms
giant 380ms
ideal 300ms
eager within 2.5% of ideal
replay within 0% of scheduled
hides communication 75% under compute
hides wire 50%
graph 4 nodes 3 edges
eager verdict host sync: A0 waits for the host
-- graph.dot --
digraph {}
-- lanes.txt --
A0 |
`
	spelledText = `The event is recorded one op too late.

-- schedule --
kernels nanosleep
main:    fork compute comm
compute: computation A 2ms writes b
compute: host H 1.5us after A reads b c writes d
compute: record e
comm:    wait e
comm:    communication CA 2ms after A on host
query event e want CUDA_ERROR_NOT_READY
legacy: record l
sync event l
comm: sync want 999
comm: query
sync context
main:    join compute comm
-- expect --
verdict over-wide wait: CA waits for H through e
`
	programText = `A stream that was not joined.

-- program --
stream a blocking
stream b c priority -1
a: begin capture thread-local
a: fork b
a: computation A 1ms
b: host B 1ms
a: end capture g want 904
instantiate g want 400
upload g b
main: replay g
legacy: begin capture want 900
c: begin capture relaxed want 0
c: end capture h
b: wait never
destroy event never
destroy stream b
-- expect --
verdict bad code
`
)

func parse(t testing.TB, text string) *Case {
	t.Helper()
	c, err := ParseCase("testdata/cases/x.txtar", []byte(text))
	require.NoError(t, err)
	return c
}

func TestParsePipeline(t *testing.T) {
	c := parse(t, pipelineText)
	assert.Equal(t, "x", c.Name)
	assert.Equal(t, "testdata/cases/x.txtar", c.File)
	assert.Equal(t, "Two micro-batches on two streams.\nWhy: one computes while the other communicates.", c.Why)
	assert.Equal(t, PipelineCase, c.Kind)
	assert.False(t, c.Raw)
	want := &schedule.Pipeline{Micro: 2, Engines: append(schedule.DefaultEngines(),
		schedule.Engine{Name: "wire", Capacity: 2}), Stages: []schedule.Stage{
		{Kind: schedule.Computation, Dur: 100 * time.Millisecond, Line: 6},
		{Kind: schedule.Communication, Engine: schedule.At(5), Dur: 100 * time.Millisecond,
			Whole: 180 * time.Millisecond, Line: 7}}}
	assert.Equal(t, want, c.Pipeline)
	assert.Equal(t, want.Schedule("x", c.File), c.Schedule)
	assert.Equal(t, "digraph {}\n", c.Graph)
	assert.Equal(t, "A0 |\n", c.Lanes)
	assert.Equal(t, verdict.Expect{
		Serial: 400 * time.Millisecond, Giant: 380 * time.Millisecond, Ideal: 300 * time.Millisecond,
		Eager: verdict.Target{Percent: 2.5, Of: verdict.OfIdeal}, Replay: verdict.Target{Of: verdict.OfScheduled},
		Hides: []verdict.Hides{{What: "communication", Under: "compute", Percent: 75, Line: 15},
			{What: "wire", Percent: 50, Line: 16}},
		Graph:        verdict.Size{Given: true, Nodes: 4, Edges: 3},
		EagerVerdict: &verdict.Outcome{Cause: verdict.HostSync, Detail: "A0 waits for the host"},
		Lines: verdict.ExpectLines{Serial: 10, Giant: 11, Ideal: 12, Eager: 13, Replay: 14, Graph: 17,
			EagerVerdict: 18},
	}, c.Expect)
	assert.Nil(t, c.Expect.ReplayVerdict)
}

func TestExpectDefaults(t *testing.T) {
	c := parse(t, "-- schedule --\nmain: host A 1s\n-- expect --\n")
	assert.Zero(t, c.Expect)
	assert.Empty(t, c.Why)
}

func TestLayouts(t *testing.T) {
	for text, want := range map[string]schedule.Layout{
		"":                                    schedule.PerMicrobatch,
		"streams per microbatch\n":            schedule.PerMicrobatch,
		"exclusive\n":                         schedule.Exclusive,
		"exclusive\nstreams per microbatch\n": schedule.Exclusive,
		"streams per engine\n":                schedule.PerEngine,
	} {
		c := parse(t, "-- schedule --\npipeline 1 microbatch\nkernels nanosleep\n"+text+"stage host 1us\n-- expect --\n")
		assert.Equal(t, want, c.Pipeline.Layout, text)
		assert.Equal(t, schedule.Nanosleep, c.Pipeline.Kernel)
	}
}

// lines prints calls with the line that they stand on.
func lines(s *schedule.Schedule, graphs []string) []string {
	x := &syntax{&s.Intent, s.Streams, s.Events, graphs, s.Nodes, s.Args}
	var list []string
	for _, in := range s.Issue {
		list = append(list, fmt.Sprintf("%d %s", in.Line, x.instr(in)))
	}
	return list
}

func TestParseSpelled(t *testing.T) {
	c := parse(t, spelledText)
	assert.Equal(t, SpelledCase, c.Kind)
	assert.Nil(t, c.Pipeline)
	assert.Equal(t, []schedule.Stream{{Name: "main", Kind: schedule.Legacy}, {Name: "compute"}, {Name: "comm"},
		{Name: "legacy", Kind: schedule.Legacy}}, c.Schedule.Streams)
	assert.Equal(t, []string{"fork1", "e", "l", "join1", "join2"}, c.Schedule.Events)
	assert.Equal(t, schedule.Intent{Engines: schedule.DefaultEngines(), Buffers: []string{"b", "c", "d"},
		Ops: []schedule.Op{
			{Name: "A", Kernel: schedule.Nanosleep, Dur: 2 * time.Millisecond, Writes: []int32{0}, Line: 6},
			{Name: "H", Kind: schedule.Host, Kernel: schedule.Nanosleep, Dur: 1500, After: []int32{0}, Reads: []int32{0, 1},
				Writes: []int32{2}, Line: 7},
			{Name: "CA", Kind: schedule.Communication, Kernel: schedule.Nanosleep, Engine: schedule.At(2),
				Dur: 2 * time.Millisecond, After: []int32{0}, Line: 10},
		}}, c.Schedule.Intent)
	assert.Equal(t, []string{
		"5 main: record fork1", "5 compute: wait fork1", "5 comm: wait fork1",
		"6 compute: computation A 2ms writes b", "7 compute: host H 1.5us after A reads b c writes d",
		"8 compute: record e",
		"9 comm: wait e", "10 comm: communication CA 2ms after A on host", "11 query event e want CUDA_ERROR_NOT_READY",
		"12 legacy: record l", "13 sync event l", "14 comm: sync want 999", "15 comm: query", "16 sync context",
		"17 compute: record join1", "17 main: wait join1", "17 comm: record join2", "17 main: wait join2",
	}, lines(&c.Schedule, nil))
	assert.Equal(t, schedule.Instr{Verb: schedule.QueryEvent, Want: schedule.NotReady, Event: schedule.At(1), Line: 11},
		c.Schedule.Issue[8])
	assert.Equal(t, schedule.Instr{Verb: schedule.HostFunc, Stream: schedule.At(1), Op: schedule.At(1), Line: 7},
		c.Schedule.Issue[4])
	assert.Equal(t, "over-wide wait: CA waits for H through e", c.Expect.Verdict.String())
}

func TestParseProgram(t *testing.T) {
	c := parse(t, programText)
	assert.Equal(t, ProgramCase, c.Kind)
	assert.True(t, c.Raw)
	assert.Equal(t, []string{"g", "h"}, c.Graphs)
	assert.Equal(t, []schedule.Stream{{Name: "main", Kind: schedule.Legacy}, {Name: "a", Kind: schedule.Blocking},
		{Name: "b", Priority: -1}, {Name: "c", Priority: -1},
		{Name: "legacy", Kind: schedule.Legacy}}, c.Schedule.Streams)
	p := c.Program()
	assert.Equal(t, "program", p.Name)
	assert.Equal(t, `# setup
create stream a blocking
create stream b priority -1
create stream c priority -1
create event fork1
create event never
# body
a: begin capture thread-local
a: record fork1
b: wait fork1
a: computation A 1ms
b: host B 1ms
a: end capture g want CUDA_ERROR_STREAM_CAPTURE_UNJOINED
instantiate g want CUDA_ERROR_INVALID_HANDLE
upload g b
main: replay g
legacy: begin capture want CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED
c: begin capture relaxed
c: end capture h
b: wait never
destroy event never
destroy stream b
`, Program(p))
	assert.Equal(t, c.Schedule.Issue, p.Body)
	assert.Equal(t, schedule.Instr{Verb: schedule.Upload, Stream: schedule.At(2), Graph: schedule.At(0), Line: 12},
		p.Body[7])
	assert.Equal(t, schedule.Instr{Verb: schedule.DestroyStream, Stream: schedule.At(2), Line: 19}, p.Body[14])

	eager := parse(t, spelledText)
	assert.Equal(t, eager.Schedule.Eager(), eager.Program(), "of a schedule")
}

// Legal, however odd: the judge says what is wrong with it.
func TestAccepted(t *testing.T) {
	for name, text := range map[string]string{
		"a wait before its record":     "stream a\na: wait e\nmain: record e\nmain: host A 1s",
		"an op after a later one":      "main: host A 1s after B\nmain: host B 1s",
		"record and wait on legacy":    "legacy: record e\nlegacy: wait e\nmain: host A 1s",
		"fork1 is the case's own name": "main: record fork1\nmain: fork a\na: wait fork1\nmain: host A 1s",
		"stream after its use":         "a: host A 1s\nstream a",
		"words as stream names":        "stream engine kernels fork\nengine: host A 1s\nkernels: record e\nfork: wait e",
		"no blanks":                    "main:host A 1s#why",
		"an hour":                      "main: host A 3600s",
	} {
		c := parse(t, "-- schedule --\n"+text+"\n-- expect --\n")
		assertRoundTrip(t, c)
		assert.NotEmpty(t, c.Schedule.Intent.Ops, name)
	}
	c := parse(t, "-- schedule --\nmain: record fork1\nmain: fork a\na: wait fork1\nmain: host A 1s\n-- expect --\n")
	assert.Equal(t, []string{"fork1", "fork2"}, c.Schedule.Events)
}

func TestLineEndings(t *testing.T) {
	for _, text := range []string{pipelineText, spelledText, programText} {
		dos := "\ufeff" + strings.ReplaceAll(text, "\n", "\r\n")
		assert.Equal(t, parse(t, text), parse(t, dos))
		assert.Equal(t, parse(t, text), parse(t, strings.TrimSuffix(text, "\n")))
	}
}

// A million ops, each after the one before: anything quadratic would not end within the time limit of a test.
func TestParseMany(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	name := func(i int) string { // four letters, so that many ops fit into a file
		const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
		n := len(letters)
		return string([]byte{letters[i/n/n/n], letters[i/n/n%n], letters[i/n%n], letters[i%n]})
	}
	for _, tc := range []struct {
		ops  int
		line func(i int) string
	}{
		{250_000, func(i int) string { return "a:host " + name(i) + " 1us\n" }},
		{125_000, func(i int) string { return "a:host " + name(i) + " 1us after " + name(max(i, 1)-1) + "\n" }},
	} {
		var b strings.Builder
		b.WriteString("-- schedule --\nstream a\na:host zzzzz 1us\n")
		for i := range tc.ops {
			line := tc.line(i)
			if i == 0 {
				line = "a:host aaaa 1us\n"
			}
			b.WriteString(line)
		}
		b.WriteString("-- expect --\n")
		c := parse(t, b.String())
		assert.Len(t, c.Schedule.Intent.Ops, tc.ops+1)
		assert.Len(t, c.Schedule.Issue, tc.ops+1)
		assert.Greater(t, len(Schedule(&c.Schedule)), b.Len()-100)
	}
}
