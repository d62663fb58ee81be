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
	"github.com/gpu-overlap/overlap/verdict"
)

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
