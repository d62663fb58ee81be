package judge

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/gpu"
	"github.com/gpu-overlap/overlap/gpu/sim"
	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/judge/sample"
	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/verdict"
)

// evidenceOf is the evidence of a schedule's replay on machine ideal, where everything is met.
func evidenceOf(t *testing.T, s schedule.Schedule) *Evidence {
	t.Helper()
	p := s.Replay()
	run, err := sim.Open(sim.Ideal).Prepare(context.Background(), p)
	require.NoError(t, err)
	rep, err := run.Rep(context.Background())
	require.NoError(t, err)
	return &Evidence{Intent: p.Intent, Program: p, Expect: &verdict.Expect{},
		Setup:   run.Setup(),
		Samples: sample.Samples{Reps: []gpu.Transcript{rep}, Solo: p.Intent.Durations(), Exact: true, Steady: true}}
}

func referenceEvidence(t *testing.T) *Evidence {
	ev := evidenceOf(t, reference(time.Millisecond))
	ev.Expect.Hides = []verdict.Hides{{What: "communication", Percent: 75}}
	ev.Expect.Graph = verdict.Size{Given: true, Nodes: 8, Edges: 10}
	ev.Golden = &graph.Graph{Nodes: slices.Clone(ev.Setup.Graph.Nodes), Edges: slices.Clone(ev.Setup.Graph.Edges)}
	return ev
}

// walls replaces the repetitions by copies with other wall times.
func setWalls(ev *Evidence, walls ...time.Duration) {
	first := ev.Reps[0]
	ev.Reps = nil
	for _, w := range walls {
		first.Wall = w
		ev.Reps = append(ev.Reps, first)
	}
}

func TestJudgeReference(t *testing.T) {
	v := mustJudge(referenceEvidence(t))
	assert.Equal(t, verdict.Met, v.Cause, "%s", v)
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
		"target of a serial run": {func(ev *Evidence) { ev.Target = verdict.Target{Percent: 60, Of: verdict.OfIdeal} },
			"vacuous: a serial run would meet the target too"},
		"empty graph": {func(ev *Evidence) { ev.Setup.Graph = &graph.Graph{} },
			"wrong graph: the captured graph is empty"},
		"edge lost": {func(ev *Evidence) { ev.Setup.Graph.Edges = ev.Setup.Graph.Edges[:9] },
			"wrong graph: captured is not what the program implies: - edge D0 -> D1 (wanted, not got)"},
		"edge too many": {func(ev *Evidence) {
			ev.Setup.Graph.Edges = append(ev.Setup.Graph.Edges, graph.Edge{From: 0, To: 7})
			ev.Setup.Graph.Sort()
		}, "wrong graph: captured is not what the program implies: + edge A0 -> D1 (got, not wanted)"},
		"programmatic edge": {func(ev *Evidence) {
			ev.Setup.Graph.Edges[0].Type, ev.Setup.Graph.Edges[0].FromPort = 1,
				1
		},
			"wrong graph: captured is not what the program implies: edge A0 -> A1 is programmatic (type 1, port 1), want full completion"},
		"golden": {func(ev *Evidence) { ev.Golden.Edges = ev.Golden.Edges[:9] },
			"wrong graph: captured is not the case's graph: + edge D0 -> D1 (got, not wanted)"},
		"counts": {func(ev *Evidence) { ev.Expect.Graph.Edges = 11 },
			"wrong graph: captured 8 nodes and 10 edges, want 8 and 11"},
		"no stamp": {func(ev *Evidence) { ev.Reps[0].Spans[3].Ran = false },
			"bad code: B1 was issued without an error but left no stamp: it did not run"},
		"imposed order": {func(ev *Evidence) { ev.Reps[0].Spans[3].Start -= 1 },
			"missing order: B1 started before A1 had ended"},
		"order in the last repetition": {func(ev *Evidence) {
			setWalls(ev, 5*ms, 5*ms)
			ev.Reps[1].Spans = slices.Clone(ev.Reps[1].Spans)
			ev.Reps[1].Spans[1].Start -= 1
		}, "missing order: A1 started before A0 had ended"},
		"hidden share": {func(ev *Evidence) { ev.Expect.Hides[0].Percent = 76 },
			"missed: less of communication is hidden than expected"},
		"hidden under nothing": {func(ev *Evidence) { ev.Expect.Hides[0].Under = "host" },
			"missed: less of communication is hidden than expected"},
		"hides nothing": {func(ev *Evidence) { ev.Expect.Hides[0].Percent = 0 },
			"vacuous: the case asks for no share of communication to be hidden"},
		"hides what is not there": {func(ev *Evidence) { ev.Expect.Hides[0].What = "host" },
			"vacuous: nothing of host runs, so nothing of it can be hidden"},
		"hides in the noise": {func(ev *Evidence) { ev.Exact, ev.Costs.HandOff = false, ms },
			"vacuous: hiding 75% of communication in ops this short is lost in the cost of handing over"},
		"late": {func(ev *Evidence) { setWalls(ev, 5100*time.Microsecond+1) }, "missed: wall time is over its target"},
		"scattered": {func(ev *Evidence) {
			ev.Steady, ev.Expect.Hides = false, nil
			setWalls(ev, 5*ms, 6*ms, 5*ms, 6*ms, 5*ms, 6*ms)
		}, "inconclusive: the samples do not say whether the wall time meets its target"},
		"too few": {func(ev *Evidence) {
			ev.Steady, ev.Expect.Hides = false, nil
			setWalls(ev, 5*ms, 5*ms)
		}, "inconclusive: the samples do not say whether the wall time meets its target"},
		"too fast": {func(ev *Evidence) { setWalls(ev, 4900*time.Microsecond) },
			"inconclusive: faster than ideal, and no order that is missing could be named"},
	} {
		t.Run(name, func(t *testing.T) {
			ev := referenceEvidence(t)
			c.breakIt(ev)
			assert.Equal(t, c.want, mustJudge(ev).String())
		})
	}
}

func TestJudgeAtTheLimit(t *testing.T) {
	ev := referenceEvidence(t)
	setWalls(ev, 5100*time.Microsecond)
	assert.Equal(t, verdict.Met, mustJudge(ev).Cause, "2 %% over ideal is still within 2 %%")
}

// TestJudgeWithoutProgram: of other people's runs only transcripts are known; order, concurrency and time are judged.
func TestJudgeWithoutProgram(t *testing.T) {
	ev := referenceEvidence(t)
	ev.Program, ev.Setup, ev.Golden = nil, nil, nil
	assert.Equal(t, verdict.Met, mustJudge(ev).Cause)
	setWalls(ev, 6*time.Millisecond)
	assert.Equal(t, "missed: wall time is over its target", mustJudge(ev).String())
	ev.Reps[0].Spans[2].Start = 0
	assert.Equal(t, "missing order: B0 started before A0 had ended", mustJudge(ev).String())
}

// TestJudgeWithoutExpectations: nothing is asked but that the default target is met.
func TestJudgeWithoutExpectations(t *testing.T) {
	ev := referenceEvidence(t)
	ev.Expect = nil
	assert.Equal(t, verdict.Met, mustJudge(ev).Cause)
	setWalls(ev, 6*time.Millisecond)
	assert.Equal(t, "missed: wall time is over its target", mustJudge(ev).String())
}

// TestHandOff: gaps between ops that wait for one another, each short and together more than is granted, are named.
func TestHandOff(t *testing.T) {
	const us = time.Microsecond
	for gap, want := range map[time.Duration]string{
		12 * us: "met",
		30 * us: "hand-off: the ops are too short for what handing over from one to the next takes",
		31 * us: "false dependency: A1 is ready and starts late", // more than three times what handing over takes
	} {
		ev := evidenceOf(t, reference(100*us))
		ev.Exact, ev.Costs.HandOff = false, 10*us
		for op := range ev.Reps[0].Spans {
			s := &ev.Reps[0].Spans[op]
			late := gap * (s.Start / (100 * us)) // of the five steps of the schedule
			s.Start, s.End = s.Start+late, s.End+late
		}
		setWalls(ev, 500*us+4*gap)
		v := mustJudge(ev)
		assert.Equal(t, want, v.String(), "gaps of %v", gap)
		if v.Cause == verdict.HandOff {
			assert.Equal(t, 80*us, v.Took, "four of 30 µs, of which 10 µs each are granted")
			assert.Equal(t, verdict.Change("make fewer, longer ops"), v.Change)
		}
	}
}

func TestLimit(t *testing.T) {
	l := Limit{Base: 500 * time.Millisecond, Percent: 2, Launch: 9 * time.Microsecond, Hops: 4,
		HandOff: 2 * time.Microsecond}
	assert.Equal(t, 510*time.Millisecond+17*time.Microsecond, l.Total())
	assert.Equal(t, "500ms + 2% + launch 9µs + 4 × hand-off 2µs = 510.017ms", l.String())
	assert.Equal(t, "5ms + 2% = 5.1ms", Limit{Base: 5 * time.Millisecond, Percent: 2}.String())
}

// reference is the schedule of the reference experiment, with ops of a duration.
func reference(op time.Duration) schedule.Schedule {
	pl := schedule.Pipeline{Micro: 2, Engines: schedule.DefaultEngines()}
	for s := range 4 {
		pl.Stages = append(pl.Stages, schedule.Stage{Kind: schedule.Kind(s % 2), Dur: op})
	}
	return pl.Schedule("reference", "reference")
}

// mustJudge judges evidence that is valid.
func mustJudge(ev *Evidence) Answer {
	a, err := Judge(ev)
	if err != nil {
		panic(err)
	}
	return a
}
