package overlap

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/gpu/sim"
	"github.com/gpu-overlap/overlap/measure"
	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/verdict"
)

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
	r.Replay.Verdict.Cause = verdict.WrongGraph
	assert.Empty(t, r.JSON().GraphDiff)
	setup := *r.Replay.Setup
	g := *setup.Graph
	g.Edges = g.Edges[1:]
	setup.Graph = &g
	r.Replay.Setup, r.Verdict = &setup, *r.Replay.Verdict
	assert.Contains(t, Report(r),
		"graph against what the calls imply: 1 edge missing: A0 -> A1\n  - edge A0 -> A1 (wanted, not got)\n")
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

// caseResult runs a case of testdata on a simulated machine.
func caseResult(t *testing.T, name string, m sim.Machine) *Result {
	t.Helper()
	file := "testdata/cases/" + name + ".txtar"
	data, err := Cases.ReadFile(file)
	require.NoError(t, err)
	c, err := ParseCase(file, data)
	require.NoError(t, err)
	res, err := Run(t.Context(), sim.Open(m), c, Options{})
	require.NoError(t, err)
	return res
}

// TestReportNamesModes: each timeline stands under the name of its mode, and the gap is marked from the end of what the
// guilty op needs to its start.
func TestReportNamesModes(t *testing.T) {
	text := Report(caseResult(t, "fail_event_after_yield", sim.Ideal))
	for _, mode := range []string{"eager", "replay"} {
		assert.Contains(t, text, mode+"\ncompute |###A###|###B###|\ncomm                    |==CA===|\n"+
			"                ^^^^^^^^^ CA waits for B through e\n")
	}
}

// What takes a context ends within a second after it.
func TestContextsAreHeeded(t *testing.T) {
	c, err := Reference()
	require.NoError(t, err)
	large := schedule.Pipeline{Micro: 4, Repeat: 25_000, Stages: []schedule.Stage{{Dur: 1}, {Kind: schedule.Communication, Dur: 1}}}
	largeCase := &Case{Name: "large", Schedule: large.Schedule("large", "")}
	noisy := sim.H200
	noisy.Noise = sim.Noise{Duration: 0.3}
	for name, run := range map[string]func(ctx context.Context) error{
		"many repetitions": func(ctx context.Context) error {
			_, err := Run(ctx, sim.Open(sim.Ideal), c, Options{Reps: 1_000_000})
			return err
		},
		"many times": func(ctx context.Context) error {
			_, err := Repeat(ctx, sim.Open(sim.Ideal), c, Options{}, 1_000_000)
			return err
		},
		"many blocks": func(ctx context.Context) error {
			_, err := Run(ctx, sim.Open(noisy), c, Options{Reps: 1_000_000, MaxReps: 1_000_000, MaxTime: 1e18})
			return err
		},
		"a large case": func(ctx context.Context) error {
			_, err := Run(ctx, sim.Open(sim.H200), largeCase, Options{Reps: 1000})
			return err
		},
		"costs": func(ctx context.Context) error {
			_, err := measure.CostsOf(ctx, sim.Open(sim.H200), true, 1_000_000)
			return err
		},
	} {
		for _, after := range []time.Duration{0, 20 * time.Millisecond} {
			ctx, cancel := context.WithTimeout(t.Context(), after)
			start := time.Now()
			err := run(ctx)
			took := time.Since(start)
			cancel()
			assert.ErrorIs(t, err, context.DeadlineExceeded, "%s, %v", name, after)
			assert.Less(t, took, after+time.Second, "%s, %v", name, after)
		}
	}
}
