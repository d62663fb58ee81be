package judge

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/schedule/text"
	"github.com/gpu-overlap/overlap/verdict"
)

// fault is what one check finds, made by a change of the schedule that runs or of the evidence.
type fault struct {
	check  string
	change func(s *schedule.Schedule)
	spoil  func(ev *Evidence)
	want   verdict.Cause
}

// without drops a call of a verb, counted from 0.
func without(verb schedule.Verb, nth int) func(s *schedule.Schedule) {
	return func(s *schedule.Schedule) {
		n := -1
		s.Issue = slices.DeleteFunc(slices.Clone(s.Issue), func(in schedule.Instr) bool {
			if in.Verb == verb {
				n++
			}
			return in.Verb == verb && n == nth
		})
	}
}

// faultsInOrder has one for each check that decides, in the order of the checks.
var faultsInOrder = []fault{
	{"codes", nil, func(ev *Evidence) { ev.Setup.Codes[0] = schedule.OutOfMemory }, verdict.BadCode},
	{"vacuous", nil, func(ev *Evidence) {
		in := *ev.Intent
		in.Micro = 1
		ev.Intent = &in
	}, verdict.Vacuous},
	{"launched", without(schedule.Launch, 0), nil, verdict.WrongGraph},
	{"structure", nil, func(ev *Evidence) { ev.Setup.Graph = &graph.Graph{} }, verdict.WrongGraph},
	{"sound", without(schedule.Wait, 2), nil, verdict.EngineClash},
	{"heldOrder", nil, func(ev *Evidence) { ev.Reps[0].Spans[3].Ran = false }, verdict.BadCode},
	{"concurrency", nil, func(ev *Evidence) { ev.Expect.Hides = []verdict.Hides{{What: "communication"}} },
		verdict.Vacuous},
	{"wallTime", nil, func(ev *Evidence) { ev.Target = verdict.Target{Percent: 60, Of: verdict.OfIdeal} },
		verdict.Vacuous},
	{"profit", nil, func(ev *Evidence) {
		ev.Expect.Beats, ev.Giant = verdict.Beats{Given: true}, []time.Duration{time.Millisecond}
	}, verdict.Unprofitable},
}

// spoilt gives the verdict on the reference schedule with some faults.
func spoilt(t *testing.T, faults ...fault) Answer {
	s := reference(time.Millisecond)
	for _, f := range faults {
		if f.change != nil {
			f.change(&s)
		}
	}
	ev := evidenceOf(t, s)
	for _, f := range faults {
		if f.spoil != nil {
			f.spoil(ev)
		}
	}
	return mustJudge(ev)
}

// TestOrderOfChecks: of two faults the verdict is that of the check that comes first.
func TestOrderOfChecks(t *testing.T) {
	require.Len(t, faultsInOrder, len(checks)-1, "one for each check but legal, which decides nothing")
	for i, first := range faultsInOrder {
		alone := spoilt(t, first)
		require.Equal(t, first.want, alone.Cause, "%s: %s", first.check, alone)
		for _, then := range faultsInOrder[i+1:] {
			both := spoilt(t, first, then)
			assert.Equal(t, alone.String(), both.String(), "%s comes before %s", first.check, then.check)
		}
	}
}

// TestNotesOfTheCallsComeFirst: what is legal and probably not meant is noted of a run that failed, too.
func TestNotesOfTheCallsComeFirst(t *testing.T) {
	c, err := text.ParseCase("x.txtar", []byte("Why.\n-- schedule --\nmain: fork a b\na: computation A 1ms\na: record e\n"+
		"a: record e\nb: communication B 1ms\nmain: join a b\n-- expect --\n"))
	require.NoError(t, err)
	ev := evidenceOf(t, c.Schedule)
	ev.Setup.Codes[0] = schedule.OutOfMemory
	v := mustJudge(ev)
	assert.Equal(t, verdict.BadCode, v.Cause)
	assert.Equal(t, []string{"x.txtar:6: e is recorded again before anything waited for its record (x.txtar:5)"}, v.Notes)
}
