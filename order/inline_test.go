package order

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/schedule/text"
)

// twice is a replay of a graph whose Body launches it on each of the streams.
func twice(s *schedule.Schedule, streams ...int32) *schedule.Program {
	p := s.Replay()
	p.Body = nil
	for _, st := range streams {
		in := call(schedule.Replay, st)
		in.Graph = schedule.At(0)
		p.Body = append(p.Body, in)
	}
	p.Body = append(p.Body, call(schedule.SyncStream, schedule.Origin))
	return p
}

func TestInline(t *testing.T) {
	for _, layout := range []schedule.Layout{schedule.PerMicrobatch, schedule.Exclusive, schedule.PerEngine} {
		pl := schedule.Pipeline{Micro: 3, Layout: layout, Engines: schedule.DefaultEngines()}
		for i := range 4 {
			pl.Stages = append(pl.Stages, schedule.Stage{Kind: schedule.Kind(i % 2), Engine: schedule.At(int32(i % 2)),
				Dur: time.Millisecond})
		}
		s := pl.Schedule("x", "x")
		n := int32(len(s.Intent.Ops))
		once := Of(s.Eager())

		p := s.Replay()
		q, of := Inline(p)
		assert.Same(t, p, q, "one launch is its own result")
		assert.Len(t, of, int(n))

		q, of = Inline(twice(&s, schedule.Origin, schedule.Origin))
		require.Len(t, q.Intent.Ops, int(2*n))
		o := Of(q)
		for op := range n {
			assert.Equal(t, once.Preds(op), o.Preds(op), "the first launch is as the eager calls")
			assert.Equal(t, op, of[n+op])
			assert.Equal(t, s.Intent.Ops[op].Name+"#2", q.Intent.Ops[n+op].Name)
			for other := range n {
				assert.Equal(t, once.Before(op, other), o.Before(n+op, n+other), "so is the second")
				assert.True(t, o.Before(op, n+other), "which comes after the first")
			}
			for i, before := range s.Intent.Ops[op].After {
				assert.Equal(t, n+before, q.Intent.Ops[n+op].After[i], "and is intended as it")
			}
			assert.True(t, o.Joined(op) && o.Joined(n+op))
		}

		// On another stream, nothing that the program says orders the two launches.
		p = twice(&s, schedule.Origin, 1)
		p.Streams[1].Kind = schedule.NonBlocking
		q, _ = Inline(p)
		assert.False(t, Of(q).Before(0, n))
	}
}

// A replay is cut where the host is intended to wait: a graph on either side, the wait between their launches, and no
// wait for an event of an earlier graph.
func TestReplayIsCut(t *testing.T) {
	c, err := text.ParseCase("x.txtar", []byte(`Why.
-- schedule --
main: fork a
a:    computation A 1ms
a:    record e
main: join a
sync event e intended
main: wait e
main: record f
main: computation B 1ms
a:    wait e
a:    wait f
a:    communication C 1ms
main: join a
-- expect --
`))
	require.NoError(t, err)
	p := c.Schedule.Replay()
	assert.Equal(t, []string{"graph", "graph2"}, p.Graphs)
	var body []string
	for _, in := range p.Body {
		body = append(body, text.Describe(p, in))
	}
	assert.Equal(t, []string{"main: replay graph", "main: sync intended", "main: replay graph2", "main: sync"}, body)
	for _, in := range capturedInto(p, 1) {
		assert.False(t, in.Verb == schedule.Wait && p.Events[in.Event.Index()] == "e",
			"e was recorded in the first graph")
	}
	q, _ := Inline(p)
	o := Of(q)
	assert.Empty(t, o.Missing)
	assert.True(t, o.Before(0, 1) && o.Before(0, 2), "what the host waited for comes first")
	assert.False(t, o.Before(1, 2))

	c.Schedule.Issue[slices.IndexFunc(c.Schedule.Issue,
		func(in schedule.Instr) bool { return in.Intended })].Intended = false
	assert.Len(t, c.Schedule.Replay().Graphs, 1, "a wait that nobody intends is captured, and refused")
}
