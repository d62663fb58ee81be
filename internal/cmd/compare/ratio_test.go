package main

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// report has two rounds of each peer at 2 us: our replay walls pool to 20,20,20,26 against 20,20,20,20, our issue cost
// to 31 us against 30 and 90.
func exampleReport() *Report {
	block := func(replayWall []int64, issue int64) Block {
		b := fakeBlock(2000, len(replayWall), 40000, issue, 14000)
		b.Replay.Wall = replayWall
		return b
	}
	r := &Report{Rounds: 2, Reps: 2, Blocks: []Measured{
		{ours, 0, block([]int64{20000, 20000}, 31000)},
		{cpp, 0, block([]int64{20000, 20000}, 30000)},
		{torch, 0, block([]int64{30000, 30000}, 90000)},
		{torch, 1, block([]int64{30000, 30000}, 90000)},
		{cpp, 1, block([]int64{20000, 20000}, 30000)},
		{ours, 1, block([]int64{20000, 26000}, 31000)},
	}}
	r.Ratios = ratios(r.Blocks, []time.Duration{2 * us})
	return r
}

func find(t *testing.T, rs []Ratio, peer, what string) Ratio {
	t.Helper()
	i := slices.IndexFunc(rs, func(r Ratio) bool { return r.Peer == peer && r.What == what })
	require.GreaterOrEqual(t, i, 0, "%s %s", peer, what)
	return rs[i]
}

func TestRatios(t *testing.T) {
	rs := exampleReport().Ratios
	replay := find(t, rs, cpp, "replay wall")
	assert.Equal(t, 1.0, replay.Ratio)
	assert.Equal(t, 4, replay.Ours.N, "both rounds are pooled")
	assert.Equal(t, 1.03, replay.Limit)
	assert.Equal(t, "ok", replay.Standing())

	issue := find(t, rs, torch, "eager issue")
	assert.InDelta(t, 31.0/90, issue.Ratio, 1e-4)
	assert.Greater(t, issue.Ratio, issue.Limit, "31 us is more than a third of 90 us")
	assert.Zero(t, find(t, rs, cpp, "eager wall").Limit, "eager walls have no limit at 2 us")
	assert.InDelta(t, 31.0/30, find(t, rs, cpp, "eager issue").Ratio, 1e-3)
}

func TestRatiosOfAPeerLeftOut(t *testing.T) {
	blocks := slices.DeleteFunc(exampleReport().Blocks, func(m Measured) bool { return m.Peer == torch })
	for _, r := range ratios(blocks, []time.Duration{2 * us, 5 * us}) {
		assert.Equal(t, cpp, r.Peer)
		assert.EqualValues(t, 2000, r.OpNs, "nothing was measured at 5 us")
	}
	assert.Len(t, ratios(blocks, []time.Duration{2 * us}), 4)
}

func TestStanding(t *testing.T) {
	sum := func(median, low, high float64) Summary { return Summary{Median: median, Low: low, High: high} }
	for _, c := range []struct {
		ours  Summary
		limit float64
		want  string
	}{
		{sum(100, 99, 101), 0, ""},
		{sum(100, 99, 101), 1.03, "ok"},
		{sum(104, 102, 106), 1.03, "over?"},
		{sum(110, 109, 111), 1.03, "over"},
	} {
		r := newRatio("replay wall", cpp, 2000, c.ours, sum(100, 99, 101))
		r.Limit = c.limit
		assert.Equal(t, c.want, r.Standing(), "%v", c.ours)
	}
	r := newRatio("replay wall", cpp, 2000, sum(104, 102, 106), sum(100, 99, 101))
	assert.InDelta(t, 102.0/101, r.Low, 1e-9)
	assert.InDelta(t, 106.0/99, r.High, 1e-9)
	assert.Zero(t, newRatio("", cpp, 1, sum(4, 0, 0), sum(2, 1, 3)).Low, "without intervals there is none")
}

func TestSummarizeIsTheMedian(t *testing.T) {
	values := []int64{9, 1, 5, 3, 7, 2, 8}
	s := summarize(values)
	assert.Equal(t, 5.0, s.Median)
	assert.LessOrEqual(t, s.Low, s.Median)
	assert.Positive(t, s.Low)
	assert.Equal(t, []int64{9, 1, 5, 3, 7, 2, 8}, values, "the samples keep their order")
	assert.Zero(t, summarize([]int64{4, 6}).Low, "two samples have no interval")
}

func TestTable(t *testing.T) {
	var out strings.Builder
	require.NoError(t, writeTable(&out, exampleReport(), []time.Duration{2 * us}))
	assert.Regexp(t, `(?m)^C\+\+ +replay wall +2µs +20\.0 +20\.0 +1\.000 +1\.030 ok$`, out.String())
	assert.Regexp(t, `(?m)^PyTorch +eager issue +2µs +31\.0 +90\.0 +0\.344 +0\.333 over\?$`, out.String())
}
