package judge

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/gpu-overlap/overlap/judge/sample"
	"github.com/gpu-overlap/overlap/verdict"
)

// drifting is the evidence of 12 blocks of one repetition, whose wall times and ops alone become up to 40 % longer;
// over all, the wall is over its solo bound by the given share.
func drifting(t *testing.T, over float64) *Evidence {
	ev := referenceEvidence(t)
	ev.Steady, ev.Exact, ev.Expect.Hides = false, false, nil
	first := ev.Reps[0]
	ev.Reps = nil
	var middles []time.Duration
	for i := range 12 {
		level := 0.8 + 0.4*float64(i)/11
		rep := first
		rep.Wall = time.Duration(5e6 * level * (1 + over))
		ev.Reps = append(ev.Reps, rep)
		solo := make([]time.Duration, len(ev.Solo))
		for op := range solo {
			solo[op] = time.Duration(1e6 * level)
		}
		ev.Blocks = append(ev.Blocks, sample.Block{End: i + 1, Solo: solo})
		middles = append(middles, solo[0])
	}
	for op := range ev.Solo {
		ev.Solo[op] = sample.Middle(middles)
	}
	return ev
}

// TestPairs: with a drift, wall times are decided by the ops alone of their own time, and by nothing else.
func TestPairs(t *testing.T) {
	for over, want := range map[float64]verdict.Cause{0.005: verdict.Met, 0.015: verdict.Met, 0.025: verdict.Missed,
		0.05: verdict.Missed} {
		ev := drifting(t, over)
		assert.Equal(t, want, mustJudge(ev).Cause, "%v over ideal: %v", over, mustJudge(ev))
		ev.Blocks = nil
		assert.Equal(t, verdict.Inconclusive, mustJudge(ev).Cause, "%v over ideal, unpaired", over)
	}
}

// TestSetAside: blocks beside a stretched canary do not count.
func TestSetAside(t *testing.T) {
	const q, l = 200_000, 300_000
	between := func(durs ...time.Duration) []sample.Canary { return canaries(durs...) }
	quiet := between(q, q, q, q, q, q, q, q, q, q, q, q, q)
	late := func(ev *Evidence, from, to int) {
		for i := from; i < to; i++ {
			ev.Reps[i].Wall = ev.Reps[i].Wall * 3 / 2
		}
	}
	ev := drifting(t, 0)
	ev.Canary = quiet
	late(ev, 7, 12)
	assert.Equal(t, verdict.Inconclusive, mustJudge(ev).Cause, "five of twelve are late, and nothing says why")

	ev.Canary = between(q, q, q, q, q, q, q, l, l, l, l, l, l)
	v := mustJudge(ev)
	assert.Equal(t, verdict.Met, v.Cause, "six blocks are left, and met: %v", v)
	assert.Contains(t, v.Notes,
		"foreign load: an op alone was stretched 6 of 13 times, and the blocks beside were set aside")

	ev.Canary = between(q, q, q, q, q, l, l, l, l, l, l, l, l)
	v = mustJudge(ev)
	assert.Equal(t, "inconclusive: foreign load: the samples do not say whether the wall time meets its target",
		v.String())
	assert.Contains(t, v.Notes,
		"4 blocks of repetitions count, about 6 would settle it; foreign load: an op alone was stretched 8 of 13 times, and the blocks beside were set aside")

	ev = drifting(t, 0.05)
	ev.Canary = between(q, q, q, q, q, q, q, l, l, l, l, l, l)
	assert.Equal(t, verdict.Missed, mustJudge(ev).Cause, "a miss of its own stays one")
	ev.Canary = quiet
	assert.Equal(t, verdict.Missed, mustJudge(ev).Cause)
}

// TestOverAnyway: what is over its target by more than any canary was stretched is a miss however many blocks were set
// aside; what is over it by less is not.
func TestOverAnyway(t *testing.T) {
	const q, l = 200_000, 300_000
	for _, row := range []struct {
		over float64
		fast int // blocks that are as fast as they should be
		want verdict.Cause
	}{{0.6, 0, verdict.Missed}, {0.45, 0, verdict.Inconclusive}, {0.6, 1, verdict.Inconclusive},
		{0, 0, verdict.Inconclusive}} {
		ev := drifting(t, row.over)
		ev.Canary = canaries(q, q, q, q, q, l, l, l, l, l, l, l, l)
		for i := range row.fast {
			ev.Reps[11-i].Wall = time.Duration(float64(ev.Reps[11-i].Wall) / (1 + row.over))
		}
		if row.over == 0 { // and the blocks that count disagree
			ev.Reps[0].Wall, ev.Reps[1].Wall = ev.Reps[0].Wall*3/2, ev.Reps[1].Wall*3/2
		}
		assert.Equal(t, row.want, mustJudge(ev).Cause, "%+v: %v", row, mustJudge(ev))
	}
}

// TestOverAnywayOfFewBlocks: as many blocks as an interval needs are enough for it, and one fewer is not.
func TestOverAnywayOfFewBlocks(t *testing.T) {
	const q, l = 200_000, 300_000
	for n, want := range map[int]verdict.Cause{sample.Enough: verdict.Missed, sample.Enough - 1: verdict.Inconclusive} {
		ev := drifting(t, 0.8)
		ev.Reps, ev.Blocks = ev.Reps[:n], ev.Blocks[:n]
		ev.Canary = canaries(q, q, l, l, l, l, l)[:n+1]
		assert.Equal(t, want, mustJudge(ev).Cause, "%d blocks: %v", n, mustJudge(ev))
	}
}

// TestWithinAnyway: what is within its target although most blocks were set aside is met, unless the load, which makes
// the ops alone longer as well, could be why.
func TestWithinAnyway(t *testing.T) {
	const q, l = 200_000, 300_000
	for name, row := range map[string]struct {
		change func(ev *Evidence)
		want   verdict.Cause
	}{
		"all within": {func(*Evidence) {}, verdict.Met},
		"half are not": {func(ev *Evidence) {
			for i := range 6 {
				ev.Reps[i].Wall = 5.2e6
			}
		}, verdict.Inconclusive},
		"alone they were faster once": {func(ev *Evidence) {
			for op := range ev.Blocks[3].Solo {
				ev.Blocks[3].Solo[op] = 0.8e6
			}
		}, verdict.Inconclusive},
		"only with what is granted": {func(ev *Evidence) {
			ev.Costs.Launch = 1e6
			for i := range ev.Reps {
				ev.Reps[i].Wall = 5.2e6
			}
		}, verdict.Inconclusive},
	} {
		t.Run(name, func(t *testing.T) {
			ev := drifting(t, 0)
			for i := range ev.Blocks {
				ev.Reps[i].Wall = 5e6
				for op := range ev.Blocks[i].Solo {
					ev.Blocks[i].Solo[op] = 1e6
				}
			}
			ev.Canary = canaries(q, q, q, l, l, l, l, l, l, l, l, l, l)
			row.change(ev)
			assert.Equal(t, row.want, mustJudge(ev).Cause, "%v", mustJudge(ev))
		})
	}
}

// TestUndecidedNotes: the detail holds no number; the notes say how many samples there were, how many would do, and
// why.
func TestUndecidedNotes(t *testing.T) {
	for name, c := range map[string]struct {
		change func(ev *Evidence)
		want   string
	}{
		"too few": {func(ev *Evidence) { setWalls(ev, 5e6, 5.05e6, 5.15e6) },
			"3 samples count, about 13 would settle it; too few samples"},
		"too noisy": {func(ev *Evidence) { setWalls(ev, 5e6, 5.1e6, 5.2e6, 5e6, 5.1e6, 5.2e6, 5.1e6) },
			"7 samples count, not even 10000 would settle it; too noisy, for a time this near to the limit"},
		"moved clocks": {func(ev *Evidence) {
			setWalls(ev, 5e6, 5.05e6, 5.15e6)
			ev.Canary = canaries(200_000, 208_000, 216_000, 224_000)
		}, "3 samples count, about 13 would settle it; moved clocks: an op alone took another time at the end than at the beginning"},
	} {
		t.Run(name, func(t *testing.T) {
			ev := referenceEvidence(t)
			ev.Steady, ev.Expect.Hides = false, nil
			c.change(ev)
			v := mustJudge(ev)
			assert.Equal(t, "inconclusive: the samples do not say whether the wall time meets its target", v.String())
			assert.Contains(t, v.Notes, c.want)
		})
	}
}

// TestHiddenUnderDrift: the hidden time is a share of what there was at that time.
func TestHiddenUnderDrift(t *testing.T) {
	ev := drifting(t, 0)
	ev.Expect.Hides = []verdict.Hides{{What: "communication", Percent: 75}}
	for i := range ev.Reps {
		level := 0.8 + 0.4*float64(i)/11
		ev.Reps[i].Spans = append(ev.Reps[i].Spans[:0:0], ev.Reps[i].Spans...)
		for op := range ev.Reps[i].Spans {
			s := &ev.Reps[i].Spans[op]
			s.Start, s.End = time.Duration(float64(s.Start)*level), time.Duration(float64(s.End)*level)
		}
	}
	assert.Equal(t, verdict.Met, mustJudge(ev).Cause, "75 %% of communication is hidden: %v", mustJudge(ev))
	ev.Canary = canaries(2e5, 3e5, 2e5, 3e5, 2e5, 3e5, 2e5, 3e5, 2e5, 3e5, 2e5, 3e5, 2e5)
	assert.Equal(t, verdict.Inconclusive, mustJudge(ev).Cause, "no block counts")
	ev.Canary = nil
	ev.Expect.Hides[0].Percent = 79
	assert.Equal(t, "missed: less of communication is hidden than expected", mustJudge(ev).String())
}

// canaries makes them of one duration each, the wall time 10 us longer.
func canaries(durs ...time.Duration) (list []sample.Canary) {
	for i, d := range durs {
		w := d + 10*time.Microsecond
		list = append(list, sample.Canary{Before: i, Durs: []time.Duration{d, d, d}, Walls: []time.Duration{w, w, w}})
	}
	return list
}
