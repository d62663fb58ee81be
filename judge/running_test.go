package judge_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap"
	"github.com/gpu-overlap/overlap/gpu/sim"
	"github.com/gpu-overlap/overlap/judge"
	"github.com/gpu-overlap/overlap/judge/account"
	"github.com/gpu-overlap/overlap/judge/sample"
	"github.com/gpu-overlap/overlap/verdict"
)

// caseResult runs a case of testdata on a simulated machine.
func caseResult(t *testing.T, name string, m sim.Machine) *overlap.Result {
	t.Helper()
	file := "testdata/cases/" + name + ".txtar"
	data, err := overlap.Cases.ReadFile(file)
	require.NoError(t, err)
	c, err := overlap.ParseCase(file, data)
	require.NoError(t, err)
	res, err := overlap.Run(context.Background(), sim.Open(m), c, overlap.Options{})
	require.NoError(t, err)
	return res
}

// eagerEvidence is what the verdict on the eager mode of a result rested on, without its twins.
func eagerEvidence(r *overlap.Result) *judge.Evidence {
	return &judge.Evidence{Intent: &r.Case.Schedule.Intent, Program: r.Eager.Program, Expect: &r.Case.Expect,
		Target: r.Case.Expect.Eager,
		Setup:  r.Eager.Setup, Samples: sample.Samples{Reps: r.Eager.Reps, Solo: r.Solo, Costs: r.Costs[0],
			Exact: r.Info.Exact, Steady: true}}
}

// TestTwinsConfirmOrRefute: what a twin refutes is not blamed, and what none was run for says so.
func TestTwinsConfirmOrRefute(t *testing.T) {
	us := time.Microsecond
	const halfOver = (3000 + 1836) * time.Microsecond / 2 // between the wall time of fail_one_connection and its limit
	for name, c := range map[string]struct {
		file  string
		give  func(ev *judge.Evidence)
		cause verdict.Cause
		says  string
	}{
		"gate: not run": {"fail_slow_host", func(*judge.Evidence) {}, verdict.LaunchBound, "not confirmed"},
		"gate: meets": {"fail_slow_host", func(ev *judge.Evidence) { ev.Gated = []time.Duration{150 * us} },
			verdict.LaunchBound, "behind a gate"},
		"gate: as slow": {"fail_slow_host", func(ev *judge.Evidence) { ev.Gated = []time.Duration{500 * us} },
			verdict.Missed, ""},
		"connections: not run": {"fail_one_connection", func(*judge.Evidence) {}, verdict.FalseDep, "not confirmed"},
		"connections: gone": {"fail_one_connection",
			func(ev *judge.Evidence) { ev.Wide = []time.Duration{1800 * us} }, verdict.FalseDep, "with 32 connections"},
		"connections: half is gone": {"fail_one_connection",
			func(ev *judge.Evidence) { ev.Wide = []time.Duration{halfOver} }, verdict.FalseDep, "with 32 connections"},
		"connections: less than half": {"fail_one_connection",
			func(ev *judge.Evidence) { ev.Wide = []time.Duration{halfOver + us} }, verdict.Missed, ""},
		"connections: the same": {"fail_one_connection",
			func(ev *judge.Evidence) { ev.Wide = []time.Duration{3000 * us} }, verdict.Missed, ""},
		"environment": {"fail_one_connection", func(ev *judge.Evidence) { ev.Impossible = "it cannot" },
			verdict.Environment, ""},
	} {
		t.Run(name, func(t *testing.T) {
			ev := eagerEvidence(caseResult(t, c.file, sim.Ideal))
			c.give(ev)
			v, err := judge.Judge(ev)
			require.NoError(t, err)
			assert.Equal(t, c.cause, v.Cause, "%s", v)
			assert.Contains(t, v.Evidence, c.says)
			if c.cause == verdict.FalseDep {
				assert.Equal(t, verdict.Change("raise CUDA_DEVICE_MAX_CONNECTIONS, or issue what is ready first"), v.Change)
			}
		})
	}
}

// TestAccountOfCauses: each cause that lies in running a schedule is a part of its account, and none of its twin's.
func TestAccountOfCauses(t *testing.T) {
	for _, c := range []struct {
		fails, meets string
		spent        account.Spent
	}{
		{"fail_gemm_first", "comm_first", account.Queued}, {"fail_small_copy_behind_large", "small_copy_first",
			account.Queued},
		{"fail_bandwidth", "bandwidth_apart", account.Stretched},
		{"fail_one_connection", "eight_connections", account.Delayed},
		{"fail_slow_host", "reference_20us", account.Issuing},
	} {
		for _, m := range []sim.Machine{sim.Ideal, sim.H200} {
			bad, good := caseResult(t, c.fails, m), caseResult(t, c.meets, m)
			share := func(r *overlap.Result) float64 {
				return float64(r.Eager.Account.Sum(c.spent)) / float64(r.Eager.Account.Wall)
			}
			assert.Greater(t, share(bad), 0.2, "%s on %s: %s", c.fails, m.Name, c.spent)
			assert.Less(t, share(good), 0.05, "%s on %s: %s", c.meets, m.Name, c.spent)
			assert.Equal(t, c.spent, bad.Eager.Account.BySum()[0:2][boolIndex(bad.Eager.Account.BySum()[0] == account.Working)], "%s: the most, but for the ops", c.fails)
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

// TestProfit: a schedule must be faster than the giant batch where it is to beat it, and is only noted where not.
func TestProfit(t *testing.T) {
	ms := time.Millisecond
	r := caseResult(t, "reference", sim.Ideal)
	for name, c := range map[string]struct {
		beats verdict.Beats
		giant time.Duration
		want  verdict.Cause
		notes int
	}{
		"faster":              {verdict.Beats{Given: true}, 800 * ms, verdict.Met, 1},
		"as fast":             {verdict.Beats{Given: true}, 500 * ms, verdict.Unprofitable, 1},
		"by enough":           {verdict.Beats{Given: true, Percent: 30}, 800 * ms, verdict.Met, 1},
		"not by enough":       {verdict.Beats{Given: true, Percent: 40}, 800 * ms, verdict.Unprofitable, 1},
		"slower, nobody asks": {verdict.Beats{}, 400 * ms, verdict.Met, 2},
	} {
		t.Run(name, func(t *testing.T) {
			ev := eagerEvidence(r)
			expect := *ev.Expect
			expect.Beats, ev.Expect, ev.Giant = c.beats, &expect, []time.Duration{c.giant}
			v, err := judge.Judge(ev)
			require.NoError(t, err)
			assert.Equal(t, c.want, v.Cause, "%s", v)
			assert.Len(t, v.Notes, c.notes, "%v", v.Notes)
		})
	}
}

// TestAdvice: what is unsound says what would mend it, and a capture that is not joined names the op.
func TestAdvice(t *testing.T) {
	for name, want := range map[string]string{
		"fail_three_microbatches": "say exclusive, or streams per engine",
		"fail_wait_too_late":      "let CA wait for an event that is recorded right after A",
		"fail_missing_fork":       "fork its stream from main before",
		"fail_unjoined":           "let main join its stream behind it",
	} {
		assert.Equal(t, want, string(caseResult(t, name, sim.Ideal).Verdict.Change), name)
	}
	v := caseResult(t, "fail_unjoined", sim.Ideal).Replay.Verdict
	assert.Equal(t, verdict.BadCode, v.Cause)
	assert.Equal(t, "main does not wait for B: its stream is not joined", v.Evidence)
	assert.Equal(t, "testdata/cases/fail_unjoined.txtar:7", v.Where)
	assert.Empty(t, caseResult(t, "fail_legacy_while_capturing", sim.Ideal).Replay.Verdict.Evidence,
		"another code says nothing of joins")
}

// TestPageableCosts: of several pageable copies only what the wall has over the schedule is lost.
func TestPageableCosts(t *testing.T) {
	res := run(t, "main: fork a b c\na: h2d H0 1ms 1MiB pageable\na: record e\nb: wait e\nb: computation A 1ms after H0\n"+
		"a: h2d H1 1ms 1MiB pageable\nb: computation B 1ms\nc: communication C 2ms\nmain: join a b c")
	v := res.Eager.Verdict
	assert.Equal(t, verdict.HostSync, v.Cause, "%s", v)
	assert.Equal(t, time.Millisecond, v.Took, "the host waits 2 ms, of which A needs the first anyway")
	c, err := overlap.Reference()
	require.NoError(t, err)
	static, err := overlap.Check(c.Schedule.Eager())
	require.NoError(t, err)
	assert.NotContains(t, strings.Join(static.Notes, " "), "pageable")
	assert.Contains(t, strings.Join(caseResult(t, "fail_pageable", sim.Ideal).Eager.Verdict.Notes, " "),
		"the host waits in H, which copies pageable memory")
}

// Where launches block, an eager schedule cannot overlap; a replay can, and what it misses for is named as ever.
func TestReplayWhereLaunchesBlock(t *testing.T) {
	for _, file := range []string{"fail_bandwidth", "fail_gemm_first", "fail_small_copy_behind_large",
		"fail_no_preemption"} {
		want := caseResult(t, file, sim.H200)
		blocking := sim.H200
		blocking.LaunchBlocking = true
		got := caseResult(t, file, blocking)
		assert.False(t, want.Replay.Verdict.Met(), file)
		assert.Equal(t, want.Replay.Verdict.String(), got.Replay.Verdict.String(), file)
	}
}

// run runs a schedule on machine ideal.
func run(t *testing.T, text string) *overlap.Result {
	t.Helper()
	c, err := overlap.ParseCase("x.txtar", []byte("Why.\n-- schedule --\n"+text+"\n-- expect --\n"))
	require.NoError(t, err)
	res, err := overlap.Run(context.Background(), sim.Open(sim.Ideal), c, overlap.Options{})
	require.NoError(t, err)
	return res
}

// TestHidesOfWhatIsLaunchedAgain: of an op that is launched again the last span alone is known, so no share of it can be
// asked for.
func TestHidesOfWhatIsLaunchedAgain(t *testing.T) {
	c, err := overlap.ParseCase("x.txtar", []byte("Why.\n-- program --\nstream a b origin\n"+
		"origin: begin capture\norigin: fork a b\na: computation A 1ms\nb: communication B 1ms\norigin: join a b\norigin: end capture g\ninstantiate g\ntimed\n"+
		"main: replay g\nmain: replay g\nmain: sync\n-- expect --\nhides communication 50%\n"))
	require.NoError(t, err)
	res, err := overlap.Run(t.Context(), sim.Open(sim.Ideal), c, overlap.Options{})
	require.NoError(t, err)
	assert.Equal(t, "vacuous: ops that are launched again leave the span of their last launch alone", res.Verdict.String())
	assert.Equal(t, "x.txtar:16", res.Verdict.Where)
}
