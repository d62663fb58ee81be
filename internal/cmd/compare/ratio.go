package main

import (
	"slices"
	"time"

	"golang.org/x/perf/benchmath"
)

// Summary is a median with its 95 % interval, in nanoseconds.
type Summary struct {
	Median float64 `json:"median_ns"`
	Low    float64 `json:"low_ns"`
	High   float64 `json:"high_ns"`
	N      int     `json:"n"`
	spread string
}

func summarize(values []int64) Summary {
	floats := make([]float64, len(values))
	for i, v := range values {
		floats[i] = float64(v)
	}
	s := benchmath.AssumeNothing.Summary(benchmath.NewSample(floats, &benchmath.DefaultThresholds), 0.95)
	sum := Summary{Median: s.Center, N: len(values), spread: s.PctRangeString()}
	// Of too few repetitions there is no interval; JSON has no infinity, so it stays zero.
	if len(s.Warnings) == 0 {
		sum.Low, sum.High = s.Lo, s.Hi
	}
	return sum
}

// pool joins the repetitions of all rounds of one peer, one op duration, one mode and one column.
func pool(blocks []Measured, peer string, opNs int64, m mode, c column) []int64 {
	var all []int64
	for i := range blocks {
		if b := &blocks[i]; b.Peer == peer && b.Block.OpNs == opNs {
			all = append(all, c.of(m.of(&b.Block))...)
		}
	}
	return all
}

// comparison is one line of the report: ours against a peer.
type comparison struct {
	what string
	peer string
	m    mode
	c    column
	// limit is what the project holds itself to, at the op durations in at (all when empty); 0 is none.
	limit float64
	at    []time.Duration
}

var comparisons = []comparison{
	{"replay wall", cpp, replay, wall, 1.03, []time.Duration{2 * us, 20 * us, 100 * us}},
	{"eager wall", cpp, eager, wall, 1.03, []time.Duration{50 * us, 100 * us}},
	{"eager issue", cpp, eager, issue, 1.05, nil},
	{"replay issue", cpp, replay, issue, 0, nil},
	{"eager wall", torch, eager, wall, 0, nil},
	{"replay wall", torch, replay, wall, 0, nil},
	{"eager issue", torch, eager, issue, 1.0 / 3, nil},
}

const us = time.Microsecond

// Ratio is our median over a peer's. Low and High are what the two medians' intervals allow; zero without intervals.
type Ratio struct {
	What  string  `json:"what"`
	OpNs  int64   `json:"op_ns"`
	Peer  string  `json:"peer"`
	Ours  Summary `json:"ours"`
	Peers Summary `json:"peers"`
	Ratio float64 `json:"ratio"`
	Low   float64 `json:"low,omitempty"`
	High  float64 `json:"high,omitempty"`
	Limit float64 `json:"limit,omitempty"`
}

func newRatio(what, peer string, opNs int64, a, b Summary) Ratio {
	r := Ratio{What: what, OpNs: opNs, Peer: peer, Ours: a, Peers: b, Ratio: a.Median / b.Median}
	if a.Low > 0 && b.Low > 0 {
		r.Low, r.High = a.Low/b.High, a.High/b.Low
	}
	return r
}

// Standing says how the ratio stands to the limit that the project holds itself to: "" without a limit, "ok",
// "over", or "over?" when the medians are over it and their intervals do not rule it out.
func (r *Ratio) Standing() string {
	switch {
	case r.Limit == 0:
		return ""
	case r.Ratio <= r.Limit:
		return "ok"
	case r.Low <= r.Limit:
		return "over?"
	}
	return "over"
}

// ratios computes what the blocks allow, by comparison and op duration; a peer that was left out has none.
func ratios(blocks []Measured, ops []time.Duration) []Ratio {
	var out []Ratio
	for _, cmp := range comparisons {
		for _, d := range ops {
			a := pool(blocks, ours, d.Nanoseconds(), cmp.m, cmp.c)
			b := pool(blocks, cmp.peer, d.Nanoseconds(), cmp.m, cmp.c)
			if len(a) == 0 || len(b) == 0 {
				continue
			}
			r := newRatio(cmp.what, cmp.peer, d.Nanoseconds(), summarize(a), summarize(b))
			if len(cmp.at) == 0 || slices.Contains(cmp.at, d) {
				r.Limit = cmp.limit
			}
			out = append(out, r)
		}
	}
	return out
}
