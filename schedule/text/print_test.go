package text

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/verdict"
)

// withoutLines is a copy of a case that says nothing about lines.
func withoutLines(c *Case) *Case {
	n := *c
	if c.Pipeline != nil {
		pl := *c.Pipeline
		pl.Stages = append([]schedule.Stage{}, pl.Stages...)
		for i := range pl.Stages {
			pl.Stages[i].Line = 0
		}
		n.Pipeline = &pl
	}
	n.Schedule = scheduleWithoutLines(c.Schedule)
	n.Expect.Lines = verdict.ExpectLines{}
	n.Expect.Hides = append([]verdict.Hides{}, n.Expect.Hides...)
	for i := range n.Expect.Hides {
		n.Expect.Hides[i].Line = 0
	}
	return &n
}

func scheduleWithoutLines(s schedule.Schedule) schedule.Schedule {
	s.Issue = append([]schedule.Instr{}, s.Issue...)
	for i := range s.Issue {
		s.Issue[i].Line = 0
	}
	s.Intent.Ops = append([]schedule.Op{}, s.Intent.Ops...)
	for i := range s.Intent.Ops {
		s.Intent.Ops[i].Line = 0
	}
	return s
}

// spelledOut drops what a spelled-out schedule cannot say: there, ops have ids in the order of issue.
func spelledOut(s schedule.Schedule) schedule.Schedule {
	s = scheduleWithoutLines(s)
	ids := make([]int32, len(s.Intent.Ops)) // by former id
	var ops []schedule.Op
	for i, in := range s.Issue {
		if in.Op.Some() {
			ids[in.Op.Index()], s.Issue[i].Op = int32(len(ops)), schedule.At(int32(len(ops)))
			ops = append(ops, s.Intent.Ops[in.Op.Index()])
		}
	}
	for i := range ops {
		ops[i].After = slices.Clone(ops[i].After)
		for k, u := range ops[i].After {
			ops[i].After[k] = ids[u]
		}
	}
	s.Intent.Ops = ops
	s.Intent.Micro = 0
	for i := range s.Intent.Ops {
		op := &s.Intent.Ops[i]
		op.Stage, op.Micro, op.Whole = schedule.Ref{}, schedule.Ref{}, 0
	}
	return s
}

func assertRoundTrip(t testing.TB, c *Case) {
	t.Helper()
	text := c.Format()
	again, err := ParseCase(c.File, text)
	require.NoError(t, err, "%s", text)
	want := withoutLines(c)
	want.Expanded = again.Expanded // what was expanded is printed call by call
	require.Equal(t, want, withoutLines(again), "%s", text)
	require.Equal(t, string(text), string(again.Format()))
	if c.Raw {
		return
	}
	section := Schedule(&c.Schedule)
	again, err = ParseCase(c.File, []byte("-- schedule --\n"+section+"-- expect --\n"))
	require.NoError(t, err, "%s", section)
	require.Equal(t, SpelledCase, again.Kind)
	require.Equal(t, spelledOut(c.Schedule), spelledOut(again.Schedule), "%s", section)
}

func TestRoundTrip(t *testing.T) {
	texts := []string{pipelineText, spelledText, programText}
	for _, layout := range []string{"streams per engine", "streams per microbatch", "exclusive"} {
		texts = append(texts, "-- schedule --\npipeline 3 microbatches\n"+layout+
			"\nstage host 1us\nstage computation 2us\nstage communication 1.5us on compute\nstage computation 2us\n-- expect --\n")
	}
	for _, text := range texts {
		assertRoundTrip(t, parse(t, text))
	}
}

func TestFormat(t *testing.T) {
	assert.Equal(t, `Two micro-batches on two streams.
Why: one computes while the other communicates.

-- schedule --
pipeline 2 microbatches
engine wire capacity 2
stage computation 100ms
stage communication 100ms on wire whole 180ms
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
`, string(parse(t, pipelineText).Format()))

	assert.Equal(t, `The event is recorded one op too late.

-- schedule --
kernels nanosleep
main: fork compute comm
compute: computation A 2ms writes b
compute: host H 1.5us after A reads b c writes d
compute: record e
comm: wait e
comm: communication CA 2ms after A on host
query event e want CUDA_ERROR_NOT_READY
legacy: record l
sync event l
comm: sync want 999
comm: query
sync context
main: join compute comm
-- expect --
verdict over-wide wait: CA waits for H through e
`, string(parse(t, spelledText).Format()), "forks and joins stay")
}

func TestScheduleText(t *testing.T) {
	c := parse(t, "-- schedule --\npipeline 2 microbatches\nkernels nanosleep\nstage computation 1ms\nstage communication 2ms\n-- expect --\n")
	assert.Equal(t, `kernels nanosleep
stream mb0 mb1
main: record fork1
mb0: wait fork1
mb1: wait fork1
mb0: computation A0 1ms
mb0: record A0.done
mb1: wait A0.done
mb1: computation A1 1ms
mb0: communication B0 2ms after A0
mb0: record B0.done
mb1: wait B0.done
mb1: communication B1 2ms after A1
mb0: record join1
main: wait join1
mb1: record join2
main: wait join2
`, Schedule(&c.Schedule))
}

func TestDescribe(t *testing.T) {
	c := parse(t, spelledText)
	p := c.Schedule.Eager()
	assert.Equal(t, "comm: wait fork1", Describe(p, p.Body[2]))
	assert.Equal(t, "compute: host H 1.5us after A reads b c writes d", Describe(p, p.Body[4]))
	assert.Equal(t, "create stream compute", Describe(p, p.Setup[0]))
	assert.Equal(t, "?: wait ?", Describe(p, schedule.Instr{Verb: schedule.Wait, Stream: schedule.At(99)}),
		"what no program should hold")
	assert.Equal(t, "?: ?", Describe(p, schedule.Instr{Verb: schedule.Launch, Op: schedule.At(99)}))
	assert.Equal(t, "unknown call 99", Describe(p, schedule.Instr{Verb: 99}))
}

// A run of calls with one line is a fork only when it has the shape of one.
func TestFoldsOnlyForks(t *testing.T) {
	c := parse(t, spelledText)
	assert.Contains(t, string(c.Format()), "main: fork compute comm\n")
	c.Schedule.Issue[1].Want = schedule.InvalidHandle
	text := string(c.Format())
	assert.NotContains(t, text, "fork compute comm")
	assert.Contains(t, text, "stream compute comm\nmain: record fork1\ncompute: wait fork1 want CUDA_ERROR_INVALID_HANDLE\ncomm: wait fork1\n")
}

func TestWithGoldens(t *testing.T) {
	got := string(WithGoldens([]byte(pipelineText), "digraph { a }\n", ""))
	assert.Contains(t, got, "# half of it is latency\n")
	assert.True(t, strings.HasSuffix(got, "-- graph.dot --\ndigraph { a }\n"), got)
	assert.Equal(t, pipelineText, string(WithGoldens([]byte(got), "digraph {}\n", "A0 |\n")))
}
