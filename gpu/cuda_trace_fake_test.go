//go:build gpu && cgo

package gpu

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/schedule/text"
	"github.com/gpu-overlap/overlap/timeline"
)

func calls(t *testing.T, lines string) *schedule.Program {
	t.Helper()
	c, err := text.ParseProgram("x.txtar", 0, lines)
	require.NoError(t, err)
	return c.Program()
}

func trace(t *testing.T, d Device, text string) (*schedule.Program, *Trace) {
	t.Helper()
	p := calls(t, text)
	tr, err := d.(Tracer).Trace(t.Context(), p)
	require.NoError(t, err)
	require.Len(t, tr.Steps, len(p.Body))
	require.Len(t, tr.Spans, len(p.Intent.Ops))
	return p, tr
}

func codesOf(tr *Trace) (list []schedule.Code) {
	for _, s := range tr.Steps {
		list = append(list, s.Code)
	}
	return list
}

// What a capture shows: the nodes of ops and of calls by name, also where a call makes none, statuses after errors and
// ends, and copies as one node.
func TestTraceFakeCapture(t *testing.T) {
	fake(t)
	_, tr := trace(t, open(t, Options{}), `stream s0 s1
s0: begin capture
s0: computation A 2ms
s0: call launch-empty as N
s0: call memset-nothing as Z
s0: info
s0: h2d U 1ms 1KiB pinned
s0: sync
s0: end capture null
s0: end capture g
s0: info
s1: end capture g
instantiate g
s0: replay g
`)
	assert.Equal(t, []schedule.Code{0, 0, 0, 0, 0, 0, 900, 1, 0, 0, 401, 0, 0}, codesOf(tr))
	info := tr.Steps[4]
	assert.Equal(t, []int64{1, 1}, info.Values)
	assert.Equal(t, schedule.Refs([]int32{2}), info.Nodes, "N, which the call that made no node left alone")
	assert.Nil(t, info.Status)
	assert.Equal(t, []Status{{}, {Value: 1}, {}}, tr.Steps[6].Status, "main, s0 and s1")
	assert.Equal(t, []Status{{}, {}, {}}, tr.Steps[8].Status)
	assert.Equal(t, []int64{0}, tr.Steps[9].Values)
	assert.Equal(t, []int64{0}, tr.Steps[10].Values, "no graph came")
	l := tr.Steps[8].List
	require.NotNil(t, l)
	assert.Equal(t, schedule.Refs([]int32{0, 2, 1}), l.Nodes, "A, N, U")
	assert.Equal(t, []graph.Kind{graph.KernelNode, graph.KernelNode, graph.MemcpyNode},
		[]graph.Kind{l.Graph.Nodes[0].Kind, l.Graph.Nodes[1].Kind, l.Graph.Nodes[2].Kind})
	assert.Equal(t, [][]int32{{}, {0}, {1}}, fill(l.Deps))
	assert.Equal(t, []int32{0}, l.Roots)
	assert.Equal(t, []int64{-3, -3, 0}, l.Priorities)
	assert.True(t, tr.Spans[0].Ran)
	assert.Equal(t, 2*time.Millisecond, tr.Spans[0].Dur())
	assert.False(t, tr.Spans[1].Ran, "a copy of a graph is not stamped")
}

// fill makes empty lists of those that are nil: on their way from the worker they are the same.
func fill(lists [][]int32) [][]int32 {
	for i := range lists {
		if lists[i] == nil {
			lists[i] = []int32{}
		}
	}
	return lists
}

// A thread has a capture mode of its own, and after a trace the first one has none of it left.
func TestTraceFakeThreads(t *testing.T) {
	fake(t)
	d := open(t, Options{})
	text := "exchange relaxed\nthread 1\nexchange thread-local\nexchange relaxed\nthread 0\nexchange global\nexchange relaxed"
	want := [][]int64{{0}, {0}, {1}, {2}, {0}}
	for range 2 {
		_, tr := trace(t, d, text)
		var modes [][]int64
		for _, s := range tr.Steps {
			modes = append(modes, s.Values)
		}
		assert.Equal(t, want, modes)
	}
}

// Handles that are NULL reach the driver; what does not exist does not, nor what only probes call and the driver lacks.
func TestTraceFakeHandles(t *testing.T) {
	fake(t)
	_, tr := trace(t, open(t, Options{}), `stream s0 s1
create stream s1 flags 1
s0: record null
destroy stream s1
s1: query
create graph g
add to g computation A 2ms
add to g record R e after A
add to g wait W e after R
add to g wait V null
destroy graph g
list g
destroy node A
list null
s0: replay null
update null from null
s0: info null
`)
	assert.Equal(t, []schedule.Code{0, 400, 0, 400, 0, 0, 0, 0, 400, 0, 400, 400, 1, 1, 801, 1}, codesOf(tr))
	assert.Equal(t, []Status{{}, {}, {Absent: true}}, tr.Steps[3].Status)
}

// Everything runs on one clock, host functions too; a host function that asks for its stream tells what it got.
func TestTraceFakeSpans(t *testing.T) {
	fake(t)
	_, tr := trace(t, open(t, Options{}), `stream s0
create graph g
add to g computation A 2ms
add to g host B 1ms after A
instantiate g
s0: replay g
s0: call launch-host-query
pause 3ms
s0: burst 5
`)
	assert.Equal(t, make([]schedule.Code, 8), codesOf(tr))
	assert.Equal(t, []int64{0}, tr.Steps[5].Values)
	assert.GreaterOrEqual(t, tr.Steps[6].Took, 3*time.Millisecond)
	assert.Equal(t, []int64{-1}, tr.Steps[7].Values)
	for _, s := range tr.Spans {
		assert.True(t, s.Ran)
		assert.Equal(t, timeline.DeviceClock, s.Clock)
	}
	assert.GreaterOrEqual(t, tr.Spans[1].Dur(), time.Millisecond)
}

// A Setup that fails, a hang and a lost context are errors of that trace alone.
func TestTraceFakeFailures(t *testing.T) {
	fake(t)
	t.Setenv("FAKE_PRIORITY", "0")
	d := open(t, Options{Slack: 100 * time.Millisecond}).(Tracer)
	for text, want := range map[string]string{
		"stream s0 priority -3\ns0: query":      "cuStreamCreateWithPriority gave 1",
		"stream s0\ns0: computation A 666001ns": "no answer within",
		"stream s0\ns0: computation A 666002ns": "its worker died",
		"stream s0\ns0: computation A 666003ns": "719",
	} {
		_, err := d.Trace(t.Context(), calls(t, text))
		assert.ErrorContains(t, err, want)
		_, err = d.Trace(t.Context(), calls(t, "stream s0\ns0: computation A 1ms"))
		assert.NoError(t, err)
	}
	_, err := d.Prepare(t.Context(), calls(t, "exchange relaxed"))
	assert.ErrorContains(t, err, "in a trace alone")
}

// Waves are so many times as many blocks.
func TestTraceFakeWaves(t *testing.T) {
	fake(t)
	seen := filepath.Join(t.TempDir(), "seen")
	t.Setenv("FAKE_SEEN", seen)
	trace(t, open(t, Options{}), "stream s0\ns0: computation A 500us sms 100% waves 4")
	text, err := os.ReadFile(seen)
	require.NoError(t, err)
	assert.Contains(t, string(text), "computation_exact 1056 blocks")
}
