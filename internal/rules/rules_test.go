package rules

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/schedule/text"
)

func program(t *testing.T, calls string) *schedule.Program {
	c, err := text.ParseProgram("x", 0, strings.ReplaceAll(calls, "; ", "\n")+"\n")
	require.NoError(t, err, calls)
	return c.Program()
}

// names are the ops of a set of works, as "A B"; a work is called by its op.
func names(p *schedule.Program, r *Run, works Set) string {
	list := []string{}
	for _, w := range slices.Sorted(maps.Keys(works)) {
		list = append(list, p.Intent.Ops[r.Works[w].Op].Name)
	}
	return strings.Join(list, " ")
}

// latest is the latest work of an op; nil when it has none.
func latest(r *Run, op int32) (w *Work) {
	for i := range r.Works {
		if r.Works[i].Op == op {
			w = &r.Works[i]
		}
	}
	return w
}

const streams = "stream s0; stream s1; stream b0 blocking; stream b1 blocking; "

// Each row is a program and what comes before one of its ops, all and directly.
func TestFollow(t *testing.T) {
	for _, row := range []struct{ name, calls, op, before, direct string }{
		{"a stream", "s0: computation A 1ms; s0: computation B 1ms; s0: computation C 1ms", "C", "A B", "B"},
		{"two streams", "s0: computation A 1ms; s1: computation B 1ms", "B", "", ""},
		{"an event", "s0: computation A 1ms; s0: record e; s0: computation B 1ms; s1: wait e; s1: computation C 1ms",
			"C", "A", "A"},
		{"a wait sees the record before it",
			"s0: computation A 1ms; s0: record e; s1: wait e; s0: computation B 1ms; " +
				"s0: record e; s1: computation C 1ms", "C", "A", "A"},
		{"a wait before the record is nothing",
			"s1: wait e; s0: computation A 1ms; s0: record e; s1: computation B 1ms",
			"B", "", ""},
		{"through an empty stream", "s0: computation A 1ms; s0: record e; s1: wait e; s1: record f; b0: wait f; " +
			"b0: computation B 1ms", "B", "A", "A"},
		{"twice, past another and directly",
			"s0: computation A 1ms; s0: record e; s0: computation B 1ms; s0: record f; " +
				"s1: wait e; s1: wait f; s1: computation C 1ms", "C", "A B", "A B"},

		{"legacy waits for blocking streams", "b0: computation A 1ms; s0: computation B 1ms; main: computation C 1ms",
			"C", "A", "A"},
		{"blocking streams wait for legacy", "main: computation A 1ms; b0: computation B 1ms", "B", "A", "A"},
		{"legacy is a barrier",
			"b0: computation A 1ms; main: computation M 1ms; b1: computation B 1ms", "B", "A M", "M"},
		{"a record on legacy is one", "b0: computation A 1ms; main: record e; b1: computation B 1ms", "B", "A", "A"},
		{"a query of legacy is none", "b0: computation A 1ms; main: query; b1: computation B 1ms", "B", "", ""},
		{"nor is a wait for nothing",
			"b0: computation A 1ms; main: wait e; b1: computation B 1ms; b1: record e", "B", "", ""},
		{"non-blocking streams are free of it", "main: computation A 1ms; s0: computation B 1ms", "B", "", ""},
		{"work of a destroyed stream stays",
			"b0: computation A 1ms; destroy stream b0; main: computation B 1ms", "B", "A", "A"},
		{"a new stream of that name is empty", "b0: computation A 1ms; destroy stream b0; create stream b0 flags 0; " +
			"b0: computation B 1ms", "B", "", ""},

		{"the host waits for a stream", "s0: computation A 1ms; s0: sync; s1: computation B 1ms", "B", "A", "A"},
		{"the host waits for an event", "s0: computation A 1ms; s0: record e; s0: computation B 1ms; sync event e; " +
			"s1: computation C 1ms", "C", "A", "A"},
		{"the host waits for all", "s0: computation A 1ms; b0: computation B 1ms; destroy stream s0; sync context; " +
			"s1: computation C 1ms", "C", "A B", "A B"},
		{"a query orders nothing", "s0: computation A 1ms; s0: query; s1: computation B 1ms", "B", "", ""},

		{"a graph is one op of its stream", forked + "s1: computation X 1ms; s1: replay g; s1: computation Y 1ms",
			"Y", "X A B C D", "D"},
		{"its roots wait for what came before", forked + "s1: computation X 1ms; s1: replay g", "A", "X", "X"},
		{"its nodes for one another", forked + "s0: replay g", "D", "A B C", "B C"},
		{"its launches for one another",
			forked + "s0: replay g; s1: replay g; s1: computation Y 1ms", "A", "A B C D", "D"},
		{"and for an upload", forked + "s1: computation X 1ms; upload g s1; s0: replay g", "A", "X", "X"},
		{"captured calls run nothing", forked + "s0: computation Y 1ms", "Y", "", ""},
		{"a capture ends, the stream goes on",
			"s0: computation X 1ms; " + forked + "s0: computation Y 1ms", "Y", "X", "X"},
	} {
		t.Run(row.name, func(t *testing.T) {
			p := program(t, streams+row.calls)
			r := Follow(p, nil)
			require.False(t, r.Unknown)
			w := latest(r, p.Intent.OpNamed(row.op))
			assert.Equal(t, row.before, names(p, r, w.Before()))
			assert.Equal(t, row.direct, names(p, r, w.Direct()))
		})
	}
}

const forked = "s0: begin capture; s0: computation A 1ms; s0: record e0; s1: wait e0; s1: computation B 1ms; " +
	"s0: computation C 1ms; s1: record e1; s0: wait e1; s0: computation D 1ms; s0: end capture g; instantiate g; "

// A call that failed did nothing.
func TestFollowCodes(t *testing.T) {
	p := program(t, streams+"s0: computation A 1ms; s0: record e; s1: wait e; "+
		"s1: computation B 1ms; s1: computation C 1ms")
	codes := make([]schedule.Code, len(p.Body))
	codes[2], codes[3] = schedule.InvalidValue, schedule.InvalidValue // the wait and the launch of B
	r := Follow(p, codes)
	require.Len(t, r.Works, 2)
	assert.Empty(t, r.Works[1].Before())
	assert.Nil(t, latest(r, 1))
}

func TestFollowCaptures(t *testing.T) {
	p := program(t, streams+forked)
	c := Follow(p, nil).Ends[9]
	require.NotNil(t, c)
	assert.True(t, c.Joined)
	assert.Equal(t, []int32{0, 1, 2, 3}, c.Ops)
	assert.Equal(t, Past{All: Set{0: true, 1: true, 2: true}, Last: Set{1: true, 2: true}}, c.Past[3])

	p = program(t, streams+strings.Replace(forked, "s0: wait e1; ", "", 1))
	assert.False(t, Follow(p, nil).Ends[8].Joined, "B is not joined")
	for _, calls := range []string{"s0: replay g; s0: begin capture; s0: end capture g", "s0: end capture g",
		forked + "s0: begin capture; s0: replay g", "s0: record e; s1: begin capture; s1: wait e"} {
		assert.True(t, Follow(program(t, streams+calls), nil).Unknown, calls)
	}
	p = program(t, "per-thread: computation A 1ms; main: computation B 1ms; per-thread: computation C 1ms")
	assert.Equal(t, "A B", names(p, Follow(p, nil), Follow(p, nil).Works[2].Before()), "it is a blocking stream")
	p.Body[2].Thread = 1
	assert.True(t, Follow(p, nil).Unknown, "another thread's is another")
	p.Body = []schedule.Instr{{Verb: schedule.Gate, Stream: schedule.At(0)}}
	assert.True(t, Follow(p, nil).Unknown, "no rule for a gate")
}

func TestForkedJoinedAndTimetable(t *testing.T) {
	p := program(t, streams+"s0: computation A 1ms; main: record f; s1: wait f; s1: computation B 2ms; s1: record j; "+
		"s0: wait j; s0: computation C 4ms; main: wait j; main: sync")
	r := Follow(p, nil)
	forked := []bool{}
	for i := range r.Works {
		forked = append(forked, r.Works[i].Forked())
	}
	assert.Equal(t, []bool{false, true, true}, forked)
	assert.Equal(t, Set{1: true}, r.Joined)
	start, end := r.Timetable(p.Intent.Durations())
	assert.Equal(t, []time.Duration{0, 0, 2 * time.Millisecond}, start)
	assert.Equal(t, []time.Duration{time.Millisecond, 2 * time.Millisecond, 6 * time.Millisecond}, end)

	p = program(t, streams+"s0: computation A 1ms; s0: sync; s1: computation B 1ms; main: sync")
	assert.Equal(t, Set{0: true}, Follow(p, nil).Joined, "by way of the host")
}
