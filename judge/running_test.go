package judge

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/gpu/sim"
	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/timeline"
)

// caseResult runs a case of testdata on a simulated machine.
func caseResult(t *testing.T, name string, m sim.Machine) *Result {
	t.Helper()
	file := "testdata/cases/" + name + ".txtar"
	data, err := Cases.ReadFile(file)
	require.NoError(t, err)
	c, err := ParseCase(file, data)
	require.NoError(t, err)
	res, err := Run(context.Background(), sim.Open(m), c, Options{})
	require.NoError(t, err)
	return res
}

// eagerEvidence is what the verdict on the eager mode of a result rested on, without its twins.
func eagerEvidence(r *Result) *Evidence {
	return &Evidence{Intent: &r.Case.Schedule.Intent, Program: r.Eager.Program, Expect: &r.Case.Expect, Target: r.Case.Expect.Eager,
		Setup: r.Eager.Setup, Reps: r.Eager.Reps, Solo: r.Solo, Costs: r.Costs[0], Exact: r.Info.Exact, Steady: true}
}

// TestTwinsConfirmOrRefute: what a twin refutes is not blamed, and what none was run for says so.
func TestTwinsConfirmOrRefute(t *testing.T) {
	us := time.Microsecond
	for name, c := range map[string]struct {
		file  string
		give  func(ev *Evidence)
		cause Cause
		says  string
	}{
		"gate: not run":         {"fail_slow_host", func(*Evidence) {}, LaunchBound, "not confirmed"},
		"gate: meets":           {"fail_slow_host", func(ev *Evidence) { ev.Gated = []time.Duration{150 * us} }, LaunchBound, "behind a gate"},
		"gate: as slow":         {"fail_slow_host", func(ev *Evidence) { ev.Gated = []time.Duration{500 * us} }, Missed, ""},
		"connections: not run":  {"fail_one_connection", func(*Evidence) {}, FalseDep, "not confirmed"},
		"connections: gone":     {"fail_one_connection", func(ev *Evidence) { ev.Wide = []time.Duration{1800 * us} }, FalseDep, "with 32 connections"},
		"connections: the same": {"fail_one_connection", func(ev *Evidence) { ev.Wide = []time.Duration{3000 * us} }, Missed, ""},
		"environment":           {"fail_one_connection", func(ev *Evidence) { ev.Impossible = "it cannot" }, Environment, ""},
	} {
		t.Run(name, func(t *testing.T) {
			ev := eagerEvidence(caseResult(t, c.file, sim.Ideal))
			c.give(ev)
			v := Judge(ev)
			assert.Equal(t, c.cause, v.Cause, "%s", v)
			assert.Contains(t, v.Evidence, c.says)
		})
	}
}

// TestAccountOfCauses: each cause that lies in running a schedule is a part of its account, and none of its twin's.
func TestAccountOfCauses(t *testing.T) {
	for _, c := range []struct {
		fails, meets string
		spent        Spent
	}{
		{"fail_gemm_first", "comm_first", Queued}, {"fail_small_copy_behind_large", "small_copy_first", Queued},
		{"fail_bandwidth", "bandwidth_apart", Stretched}, {"fail_one_connection", "eight_connections", Delayed},
		{"fail_slow_host", "reference_20us", Issuing},
	} {
		for _, m := range []sim.Machine{sim.Ideal, sim.H200} {
			bad, good := caseResult(t, c.fails, m), caseResult(t, c.meets, m)
			share := func(r *Result) float64 { return float64(r.Eager.Account.Sum(c.spent)) / float64(r.Eager.Account.Wall) }
			assert.Greater(t, share(bad), 0.2, "%s on %s: %s", c.fails, m.Name, c.spent)
			assert.Less(t, share(good), 0.05, "%s on %s: %s", c.meets, m.Name, c.spent)
			assert.Equal(t, c.spent, bad.Eager.Account.bySum()[0:2][boolIndex(bad.Eager.Account.bySum()[0] == Working)], "%s: the most, but for the ops", c.fails)
		}
	}
	waits := caseResult(t, "fail_host_waits", sim.H200).Eager.Account.Waits
	require.Len(t, waits, 1)
	assert.Greater(t, waits[0].Took, 300*time.Microsecond)
	assert.Empty(t, caseResult(t, "speculative", sim.Ideal).Replay.Verdict.Notes)
}

func boolIndex(b bool) int {
	if b {
		return 1
	}
	return 0
}

// An exec that is launched twice on one stream, or after the host has waited, shares nothing.
func TestSharedExec(t *testing.T) {
	launch := func(stream int32) schedule.Instr {
		return schedule.Instr{Verb: schedule.Replay, Stream: schedule.At(stream), Graph: schedule.At(0)}
	}
	sync := schedule.Instr{Verb: schedule.SyncContext}
	for name, c := range map[string]struct {
		body []schedule.Instr
		want Cause
	}{
		"two streams":            {[]schedule.Instr{launch(0), launch(1)}, SharedExec},
		"one stream":             {[]schedule.Instr{launch(0), launch(0)}, ""},
		"the host waits between": {[]schedule.Instr{launch(0), sync, launch(1)}, ""},
	} {
		p := &schedule.Program{Graphs: []string{"g"}, Streams: []schedule.Stream{{Name: "a"}, {Name: "b"}}, Body: c.body}
		j := judgement{Evidence: &Evidence{Program: p}}
		assert.Equal(t, c.want, j.sharedExec().Cause, name)
	}
}

// TestFailureText: the verdict, its account, and the guilty gap under the lanes.
func TestFailureText(t *testing.T) {
	text := Report(caseResult(t, "fail_small_copy_behind_large", sim.Ideal))
	for _, part := range []string{
		"verdict: engine full: S waits for the h2d copy engine that L holds (testdata/cases/fail_small_copy_behind_large.txtar:",
		"costs: 2ms of 3.02ms\n", "evidence: ready and issued at 0s, it starts at 2ms, when L has made room\n",
		"change: issue it before L, or copy in smaller pieces\n",
		"account of eager, repetition 1 of 1, 3.02ms along what waited for what:\n",
		"engine full     2ms  66.2 %  longest 2ms: S, for what is held by L\n",
		"        ^^^^", "S waits for the h2d copy engine that L holds\n",
	} {
		assert.Contains(t, text, part)
	}
	assert.Less(t, strings.Index(text, "expected (as early"), strings.Index(text, "measured:"))
	assert.NotContains(t, Report(caseResult(t, "small_copy_first", sim.Ideal)), "account of")
}

// TestGraphDiffText: a wrong graph is shown as a diff; an equal one is not.
func TestGraphDiffText(t *testing.T) {
	r := caseResult(t, "reference", sim.Ideal)
	assert.NotContains(t, Report(r), "graph against")
	r.Replay.Verdict.Cause = WrongGraph
	_, _, lines := r.graphDiff()
	assert.Empty(t, lines)
	setup := *r.Replay.Setup
	g := *setup.Graph
	g.Edges = g.Edges[1:]
	setup.Graph = &g
	r.Replay.Setup, r.Verdict = &setup, r.Replay.Verdict
	assert.Contains(t, Report(r), "graph against what the calls imply: 1 edge missing: A0 -> A1\n  - edge A0 -> A1 (wanted, not got)\n")
	assert.NotEmpty(t, r.JSON().GraphDiff)
}

// TestJSONAccount: what went into a wall time adds up to it.
func TestJSONAccount(t *testing.T) {
	j := caseResult(t, "fail_bandwidth", sim.H200).JSON()
	sum := time.Duration(0)
	for _, d := range j.Eager.Account.SumNS {
		sum += d
	}
	assert.Equal(t, j.Eager.WallNS[j.Eager.Account.Rep], sum)
	assert.NotEmpty(t, j.Eager.Account.Steps)
	assert.Equal(t, []string{"B", "A"}, j.Guilty)
	assert.Positive(t, j.TookNS)
	assert.NotEmpty(t, j.Evidence)
}

// TestProfit: a schedule must be faster than the giant batch where it is to beat it, and is only noted where not.
func TestProfit(t *testing.T) {
	ms := time.Millisecond
	r := caseResult(t, "reference", sim.Ideal)
	for name, c := range map[string]struct {
		beats schedule.Beats
		giant time.Duration
		want  Cause
		notes int
	}{
		"faster":              {schedule.Beats{Given: true}, 800 * ms, Met, 1},
		"as fast":             {schedule.Beats{Given: true}, 500 * ms, Unprofitable, 1},
		"by enough":           {schedule.Beats{Given: true, Percent: 30}, 800 * ms, Met, 1},
		"not by enough":       {schedule.Beats{Given: true, Percent: 40}, 800 * ms, Unprofitable, 1},
		"slower, nobody asks": {schedule.Beats{}, 400 * ms, Met, 2},
	} {
		t.Run(name, func(t *testing.T) {
			ev := eagerEvidence(r)
			expect := *ev.Expect
			expect.Beats, ev.Expect, ev.Giant = c.beats, &expect, []time.Duration{c.giant}
			v := Judge(ev)
			assert.Equal(t, c.want, v.Cause, "%s", v)
			assert.Len(t, v.Notes, c.notes, "%v", v.Notes)
		})
	}
}

// The mark of a gap stands under what it points at, on either side of its text.
func TestMarks(t *testing.T) {
	tl := timeline.Timeline{Lanes: []timeline.Lane{{Name: "a", Bars: []timeline.Bar{{Name: "X", Start: 0, End: 100}, {Name: "Y", Start: 200, End: 300}}}}}
	draw := func(from, to time.Duration) string {
		tl.Marks = []timeline.Mark{{From: from, To: to, Text: "late"}}
		var b strings.Builder
		require.NoError(t, timeline.WriteText(&b, tl, 40))
		return strings.Split(b.String(), "\n")[1]
	}
	assert.Equal(t, "  ^^^^^^^^^ late", draw(0, 100))
	assert.Equal(t, "             late ^^^^^^^^^", draw(200, 300))
	assert.Equal(t, "  ^ late", draw(0, 0))
}

// TestAdvice: what is unsound says what would mend it, and a capture that is not joined names the op.
func TestAdvice(t *testing.T) {
	for name, want := range map[string]string{
		"fail_three_microbatches": "say exclusive, or streams per engine",
		"fail_wait_too_late":      "let CA wait for an event that is recorded right after A",
		"fail_missing_fork":       "fork its stream from main before",
		"fail_unjoined":           "let main join its stream behind it",
	} {
		assert.Equal(t, want, caseResult(t, name, sim.Ideal).Verdict.Change, name)
	}
	v := caseResult(t, "fail_unjoined", sim.Ideal).Replay.Verdict
	assert.Equal(t, BadCode, v.Cause)
	assert.Equal(t, "main does not wait for B: its stream is not joined", v.Evidence)
	assert.Equal(t, "testdata/cases/fail_unjoined.txtar:7", v.Where)
	assert.Empty(t, caseResult(t, "fail_legacy_while_capturing", sim.Ideal).Replay.Verdict.Evidence, "another code says nothing of joins")
}

// TestPageableCosts: of several pageable copies only what the wall has over the schedule is lost.
func TestPageableCosts(t *testing.T) {
	res := result(t, "main: fork a b c\na: h2d H0 1ms 1MiB pageable\na: record e\nb: wait e\nb: computation A 1ms after H0\n"+
		"a: h2d H1 1ms 1MiB pageable\nb: computation B 1ms\nc: communication C 2ms\nmain: join a b c")
	v := res.Eager.Verdict
	assert.Equal(t, HostSync, v.Cause, "%s", v)
	assert.Equal(t, time.Millisecond, v.Took, "the host waits 2 ms, of which A needs the first anyway")
	c, err := Reference()
	require.NoError(t, err)
	assert.NotContains(t, strings.Join(Static(c.Schedule.Eager()).Notes, " "), "pageable")
	assert.Contains(t, strings.Join(caseResult(t, "fail_pageable", sim.Ideal).Eager.Verdict.Notes, " "), "the host waits in H, which copies pageable memory")
}

// Where launches block, an eager schedule cannot overlap; a replay can, and what it misses for is named as ever.
func TestReplayWhereLaunchesBlock(t *testing.T) {
	for _, file := range []string{"fail_bandwidth", "fail_gemm_first", "fail_small_copy_behind_large", "fail_no_preemption"} {
		want := caseResult(t, file, sim.H200)
		blocking := sim.H200
		blocking.LaunchBlocking = true
		got := caseResult(t, file, blocking)
		assert.False(t, want.Replay.Verdict.Met(), file)
		assert.Equal(t, want.Replay.Verdict.String(), got.Replay.Verdict.String(), file)
	}
}
