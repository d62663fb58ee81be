package judge

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/bound"
	"github.com/gpu-overlap/overlap/gpu"
	"github.com/gpu-overlap/overlap/gpu/sim"
	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/schedule"
)

// evidenceOf is the evidence of a schedule's replay on machine ideal, where everything is met.
func evidenceOf(t *testing.T, s schedule.Schedule) *Evidence {
	t.Helper()
	p := s.Replay()
	run, err := sim.Open(sim.Ideal).Prepare(context.Background(), p)
	require.NoError(t, err)
	rep, err := run.Rep(context.Background())
	require.NoError(t, err)
	return &Evidence{Intent: p.Intent, Program: p, Expect: &schedule.Expect{Nodes: -1, Edges: -1},
		Target: schedule.DefaultTarget, Setup: run.Setup(), Reps: []gpu.Transcript{rep}, Solo: p.Intent.Durations(),
		Exact: true, Steady: true}
}

func referenceEvidence(t *testing.T) *Evidence {
	ev := evidenceOf(t, ReferenceSchedule(time.Millisecond))
	ev.Expect.Hides = []schedule.Hides{{What: "communication", Percent: 75}}
	ev.Expect.Nodes, ev.Expect.Edges = 8, 10
	ev.Golden = &graph.Graph{Nodes: slices.Clone(ev.Setup.Graph.Nodes), Edges: slices.Clone(ev.Setup.Graph.Edges)}
	return ev
}

// walls replaces the repetitions by copies with other wall times.
func (ev *Evidence) walls(walls ...time.Duration) {
	first := ev.Reps[0]
	ev.Reps = nil
	for _, w := range walls {
		first.Wall = w
		ev.Reps = append(ev.Reps, first)
	}
}

func TestJudgeReference(t *testing.T) {
	v := Judge(referenceEvidence(t))
	assert.Equal(t, Met, v.Cause, "%s", v)
	assert.Equal(t, []string{"nothing but their durations keeps A1 and C0 apart on compute; that holds while durations are as given"}, v.Notes)
}

// TestJudgeEachStep breaks one thing at a time: every check is seen to fail, and to come in its turn.
func TestJudgeEachStep(t *testing.T) {
	const ms = time.Millisecond
	for name, c := range map[string]struct {
		breakIt func(ev *Evidence)
		want    string
	}{
		"code in setup": {func(ev *Evidence) { ev.Setup.Codes[0] = schedule.OutOfMemory },
			"bad code: cuStreamCreateWithPriority gave 2 CUDA_ERROR_OUT_OF_MEMORY, want 0 CUDA_SUCCESS"},
		"code in body": {func(ev *Evidence) { ev.Reps[0].Codes[1] = schedule.LaunchFailed },
			"bad code: cuStreamSynchronize gave 719 CUDA_ERROR_LAUNCH_FAILED, want 0 CUDA_SUCCESS"},
		"no repetition": {func(ev *Evidence) { ev.Reps = nil }, "vacuous: no repetition was run"},
		"one micro-batch": {func(ev *Evidence) {
			in := *ev.Intent
			in.Micro = 1
			ev.Intent = &in
		}, "vacuous: a pipeline of one micro-batch has nothing to overlap"},
		"target of a serial run": {func(ev *Evidence) { ev.Target.Percent = 60 },
			"vacuous: a serial run would meet the target too"},
		"empty graph": {func(ev *Evidence) { ev.Setup.Graph = &graph.Graph{} }, "wrong graph: the captured graph is empty"},
		"edge lost": {func(ev *Evidence) { ev.Setup.Graph.Edges = ev.Setup.Graph.Edges[:9] },
			"wrong graph: captured is not what the program implies: - edge D0 -> D1 (wanted, not got)"},
		"edge too many": {func(ev *Evidence) {
			ev.Setup.Graph.Edges = append(ev.Setup.Graph.Edges, graph.Edge{From: 0, To: 7})
		}, "wrong graph: captured is not what the program implies: + edge A0 -> D1 (got, not wanted)"},
		"programmatic edge": {func(ev *Evidence) { ev.Setup.Graph.Edges[0].Type, ev.Setup.Graph.Edges[0].FromPort = 1, 1 },
			"wrong graph: captured is not what the program implies: edge A0 -> A1 is programmatic (type 1, port 1), want full completion"},
		"golden": {func(ev *Evidence) { ev.Golden.Edges = ev.Golden.Edges[:9] },
			"wrong graph: captured is not the case's graph: + edge D0 -> D1 (got, not wanted)"},
		"counts": {func(ev *Evidence) { ev.Expect.Edges = 11 },
			"wrong graph: captured 8 nodes and 10 edges, want 8 and 11"},
		"no stamp": {func(ev *Evidence) { ev.Reps[0].Spans[3].Ran = false },
			"bad code: B1 was issued without an error but left no stamp: it did not run"},
		"imposed order": {func(ev *Evidence) { ev.Reps[0].Spans[3].Start -= 1 }, "missing order: B1 started before A1 had ended"},
		"order in the last repetition": {func(ev *Evidence) {
			ev.walls(5*ms, 5*ms)
			ev.Reps[1].Spans = slices.Clone(ev.Reps[1].Spans)
			ev.Reps[1].Spans[1].Start -= 1
		}, "missing order: A1 started before A0 had ended"},
		"hidden share": {func(ev *Evidence) { ev.Expect.Hides[0].Percent = 76 }, "missed: less of communication is hidden than expected"},
		"hidden under nothing": {func(ev *Evidence) { ev.Expect.Hides[0].Under = "host" },
			"missed: less of communication is hidden than expected"},
		"hides nothing": {func(ev *Evidence) { ev.Expect.Hides[0].Percent = 0 }, "vacuous: the case asks for no share of communication to be hidden"},
		"hides what is not there": {func(ev *Evidence) { ev.Expect.Hides[0].What = "host" },
			"vacuous: nothing of host runs, so nothing of it can be hidden"},
		"hides in the noise": {func(ev *Evidence) { ev.Exact, ev.Costs.HandOff = false, ms },
			"vacuous: hiding 75% of communication in ops this short is lost in the cost of handing over"},
		"late": {func(ev *Evidence) { ev.walls(5100*time.Microsecond + 1) }, "missed: wall time is over its target"},
		"scattered": {func(ev *Evidence) {
			ev.Steady, ev.Expect.Hides = false, nil
			ev.walls(5*ms, 6*ms, 5*ms, 6*ms, 5*ms, 6*ms)
		}, "inconclusive: the samples do not say whether the wall time meets its target"},
		"too few": {func(ev *Evidence) {
			ev.Steady, ev.Expect.Hides = false, nil
			ev.walls(5*ms, 5*ms)
		}, "inconclusive: the samples do not say whether the wall time meets its target"},
		"too fast": {func(ev *Evidence) { ev.walls(4900 * time.Microsecond) },
			"inconclusive: faster than ideal, and no order that is missing could be named"},
	} {
		t.Run(name, func(t *testing.T) {
			ev := referenceEvidence(t)
			c.breakIt(ev)
			assert.Equal(t, c.want, Judge(ev).String())
		})
	}
}

func TestJudgeAtTheLimit(t *testing.T) {
	ev := referenceEvidence(t)
	ev.walls(5100 * time.Microsecond)
	assert.Equal(t, Met, Judge(ev).Cause, "2 %% over ideal is still within 2 %%")
}

// TestJudgeWithoutProgram: of other people's runs only transcripts are known; order, concurrency and time are judged.
func TestJudgeWithoutProgram(t *testing.T) {
	ev := referenceEvidence(t)
	ev.Program, ev.Setup, ev.Golden = nil, nil, nil
	assert.Equal(t, Met, Judge(ev).Cause)
	ev.walls(6 * time.Millisecond)
	assert.Equal(t, "missed: wall time is over its target", Judge(ev).String())
	ev.Reps[0].Spans[2].Start = 0
	assert.Equal(t, "missing order: B0 started before A0 had ended", Judge(ev).String())
}

// TestCausesAreThoseThatACaseCanExpect: a case must not be able to wait for a cause that is never given.
func TestCausesAreThoseThatACaseCanExpect(t *testing.T) {
	var names []string
	for _, c := range Causes {
		names = append(names, string(c))
	}
	assert.Equal(t, schedule.Causes, names)
}

// TestNeighboursAreThoseInTime, whatever their ids.
func TestNeighboursAreThoseInTime(t *testing.T) {
	table := bound.Timetable{Start: []time.Duration{20, 0, 10}, End: []time.Duration{30, 10, 20}}
	assert.Equal(t, []int32{1, 2, 0}, byStart([]int32{0, 1, 2}, table))
	table.Start[2] = 0
	assert.Equal(t, []int32{1, 2, 0}, byStart([]int32{0, 2, 1}, table), "of two at once the lower id comes first")
}

// TestTimelines: the scheduled timeline, and one for each mode that ran.
func TestTimelines(t *testing.T) {
	c, err := Reference()
	require.NoError(t, err)
	res, err := Run(context.Background(), sim.Open(sim.Ideal), c, Options{})
	require.NoError(t, err)
	titles := func() (list []string) {
		for _, tl := range res.Timelines() {
			list = append(list, tl.Title)
		}
		return list
	}
	assert.Equal(t, []string{"scheduled", "giant", "eager", "replay"}, titles())
	res.Eager.Reps = nil
	assert.Equal(t, []string{"scheduled", "giant", "replay"}, titles())
}

// TestVerdictsOfBothModes: what a case does not say of a mode must be met, or be what it says of both.
func TestVerdictsOfBothModes(t *testing.T) {
	const both = "main: fork a b\na: computation A 1ms\nsync context\nb: communication B 1ms\nmain: join a b"
	host := "verdict host sync"
	bad := "replay verdict bad code"
	for expect, failures := range map[string]int{
		host:                                     1, // replay is not met either, for another reason
		host + "\n" + bad:                        0,
		"eager " + host + "\n" + bad:             0,
		"eager " + host:                          1,
		bad:                                      1,
		"":                                       1,
		"eager verdict vacuous\n" + bad:          1,
		"eager " + host + "\nreplay verdict met": 1,
	} {
		c, err := ParseCase("x.txtar", []byte("Why.\n-- schedule --\n"+both+"\n-- expect --\n"+expect+"\n"))
		require.NoError(t, err)
		res, err := Run(context.Background(), sim.Open(sim.Ideal), c, Options{})
		require.NoError(t, err)
		assert.Len(t, res.Failures, failures, "%q: %v", expect, res.Failures)
	}
}

func TestTimes(t *testing.T) {
	times := Times{Serial: 800, Ideal: 500}
	for wall, want := range map[time.Duration]float64{500: 1, 800: 0, 650: 0.5, 950: -0.5} {
		got, ok := times.Achieved(wall)
		assert.True(t, ok)
		assert.InDelta(t, want, got, 1e-9)
	}
	_, ok := Times{Serial: 500, Ideal: 500}.Achieved(500)
	assert.False(t, ok, "nothing to gain")
}

func TestEstimate(t *testing.T) {
	assert.Equal(t, Estimate{5, 5, 5, 3}, estimate([]time.Duration{5, 5, 5}, true))
	e := estimate([]time.Duration{9, 1, 2, 3, 4, 5, 6, 7, 8}, false)
	assert.Equal(t, time.Duration(5), e.Median)
	assert.Equal(t, []time.Duration{2, 8}, []time.Duration{e.Lo, e.Hi}, "95 %% of nine samples is the second to the eighth")
	assert.Equal(t, undecided, e.atMost(7))
	assert.Equal(t, within, e.atMost(8))
	assert.Equal(t, beyond, e.atMost(1))
	few := estimate([]time.Duration{1, 2}, false)
	assert.True(t, few.open())
	assert.Equal(t, undecided, few.atMost(100), "two samples decide nothing")
	assert.True(t, estimate([]time.Duration{5, 5, 6}, true).open(), "samples that differ are not one value, be the device steady")
	assert.Equal(t, undecided, Estimate{}.atMost(100), "none even less")
}

func TestLimit(t *testing.T) {
	l := Limit{Base: 500 * time.Millisecond, Percent: 2, Launch: 9 * time.Microsecond, Hops: 4, HandOff: 2 * time.Microsecond}
	assert.Equal(t, 510*time.Millisecond+17*time.Microsecond, l.Total())
	assert.Equal(t, "500ms + 2% + launch 9µs + 4 × hand-off 2µs = 510.017ms", l.String())
	assert.Equal(t, "5ms + 2% = 5.1ms", Limit{Base: 5 * time.Millisecond, Percent: 2}.String())
}
