package overlap

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/gpu"
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

// slowing is a device that lets the wall times of some modes of a case be longer, and nothing else.
type slowing struct {
	gpu.Device
	file string                   // of the case
	more map[string]time.Duration // by name of the program
}

func (d slowing) Sample(ctx context.Context, runs []gpu.Run, reps int) ([][]gpu.Transcript, error) {
	got, err := d.Device.Sample(ctx, runs, reps)
	for i := range got {
		if runs[i].Program().File != d.file {
			continue
		}
		for k := range got[i] {
			got[i][k].Wall += d.more[runs[i].Program().Name]
		}
	}
	return got, err
}

// TestLostInGraph: what only the replay misses, and nothing explains, is lost in the graph.
func TestLostInGraph(t *testing.T) {
	const more = 100 * time.Millisecond
	for _, c := range []struct {
		more          map[string]time.Duration
		eager, replay verdict.Cause
	}{
		{nil, verdict.Met, verdict.Met},
		{map[string]time.Duration{"replay": more}, verdict.Met, verdict.LostInGraph},
		{map[string]time.Duration{"eager": more}, verdict.Missed, verdict.Met},
		{map[string]time.Duration{"eager": more, "replay": more}, verdict.Missed, verdict.Missed},
	} {
		ref, err := Reference()
		require.NoError(t, err)
		res, err := Run(t.Context(), slowing{sim.Open(sim.Ideal), ref.File, c.more}, ref, Options{})
		require.NoError(t, err)
		assert.Equal(t, c.eager, res.Eager.Verdict.Cause, "%v: %s", c.more, res.Eager.Verdict)
		assert.Equal(t, c.replay, res.Replay.Verdict.Cause, "%v: %s", c.more, res.Replay.Verdict)
		if c.replay == verdict.LostInGraph {
			assert.Equal(t, c.replay, res.Verdict.Cause, "the case's verdict is that of the mode that is not met")
			assert.Equal(t, "lost in graph: wall time is over its target", res.Verdict.String())
		}
	}
}

// TestMissOfTheOnlyMode: of a program with a timed part no eager mode met what it missed, so nothing is lost in a graph.
func TestMissOfTheOnlyMode(t *testing.T) {
	c := parsedCase(t, "Why.\n-- program --\ntimed\nmain: fork a b\na: computation A 1ms\nb: communication B 1ms\n"+
		"main: join a b\nmain: sync\n-- expect --\nreplay within 3% of ideal\n")
	for more, want := range map[time.Duration]string{
		0:                "met",
		time.Millisecond: "missed: wall time is over its target (x.txtar:10)",
	} {
		dev := slowing{sim.Open(sim.Ideal), c.File, map[string]time.Duration{"program": more}}
		res, err := Run(t.Context(), dev, c, Options{})
		require.NoError(t, err)
		assert.Equal(t, want, res.Replay.Verdict.At())
		assert.Equal(t, want, res.Verdict.At())
		assert.Equal(t, "not run", res.Eager.said())
		assert.Nil(t, res.JSON().Eager.Verdict)
		require.NotNil(t, res.JSON().Replay.Verdict)
		if more > 0 {
			assert.Contains(t, Report(res), "eager: not run\nreplay: "+want+"\n")
		}
	}
}

// TestWhereATargetIsMissed: at its line, of each mode; without a line the case.
func TestWhereATargetIsMissed(t *testing.T) {
	const pair = "Why.\n-- schedule --\nmain: fork a b\na: computation A 1ms\nb: communication B 1ms\nmain: join a b\n" +
		"-- expect --\n"
	for mode, where := range map[string]string{"eager": "x.txtar:8", "replay": "x.txtar:9"} {
		c := parsedCase(t, pair+"eager within 3% of ideal\nreplay within 4% of ideal\n")
		dev := slowing{sim.Open(sim.Ideal), c.File, map[string]time.Duration{mode: time.Millisecond}}
		res, err := Run(t.Context(), dev, c, Options{})
		require.NoError(t, err)
		assert.Equal(t, where, res.Verdict.Where, mode)
	}
}

// TestBadGolden: a golden that cannot be read is a failure of the case, in one line.
func TestBadGolden(t *testing.T) {
	c, err := Reference()
	require.NoError(t, err)
	c.Graph = "graph {"
	res, err := Run(t.Context(), sim.Open(sim.Ideal), c, Options{})
	require.NoError(t, err)
	require.NotEmpty(t, res.Failures)
	assert.Equal(t, c.File, res.Failures[0].Where)
	assert.Contains(t, res.Failures[0].What, "graph.dot: ")
	assert.True(t, res.Verdict.Met(), "no verdict rests on it")
}

// TestGoldenOfAnotherGraph: the captured graph is held against the case's.
func TestGoldenOfAnotherGraph(t *testing.T) {
	c, err := Reference()
	require.NoError(t, err)
	require.Contains(t, c.Graph, "  A0 -> B0;\n")
	c.Graph = strings.Replace(c.Graph, "  A0 -> B0;\n", "", 1)
	res, err := Run(t.Context(), sim.Open(sim.Ideal), c, Options{})
	require.NoError(t, err)
	assert.Equal(t, "wrong graph: captured is not the case's graph: + edge A0 -> B0 (got, not wanted)",
		res.Verdict.String())
}

func parsedCase(t *testing.T, text string) *Case {
	t.Helper()
	c, err := ParseCase("x.txtar", []byte(text))
	require.NoError(t, err)
	return c
}

// TestNeeds: how many samples would settle both modes; 0 when that is not known of one.
func TestNeeds(t *testing.T) {
	open := func(needs int) *verdict.Verdict {
		return &verdict.Verdict{Finding: verdict.Finding{Cause: verdict.Inconclusive, Needs: needs}}
	}
	for _, c := range []struct {
		eager, replay *verdict.Verdict
		want          int
	}{{open(20), open(30), 30}, {open(30), open(20), 30}, {open(0), open(30), 0}, {open(30), open(0), 0},
		{nil, open(7), 7}, {open(7), &verdict.Verdict{}, 7}, {nil, &verdict.Verdict{}, 0}} {
		r := &Result{Eager: Mode{Verdict: c.eager}, Replay: Mode{Verdict: c.replay}}
		assert.Equal(t, c.want, r.needs(), "%v %v", c.eager, c.replay)
	}
}
