package sample

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// canaries makes them of one duration each, the wall time 10 us longer.
func canaries(durs ...time.Duration) (list []Canary) {
	for i, d := range durs {
		w := d + 10*time.Microsecond
		list = append(list, Canary{Before: i, Durs: []time.Duration{d, d, d}, Walls: []time.Duration{w, w, w}})
	}
	return list
}

// marks draws which are stretched: "..^^."
func (r Reading) marks() (s string) {
	for _, x := range r.Stretched {
		s += map[bool]string{true: "^", false: "."}[x]
	}
	return s
}

func TestReadCanaries(t *testing.T) {
	const q, l = 200 * time.Microsecond, 260 * time.Microsecond
	for name, c := range map[string]struct {
		list  []Canary
		marks string
		moved bool
	}{
		"none":                   {nil, "", false},
		"two tell nothing":       {canaries(q, l), "..", false},
		"three tell a load":      {canaries(q, l, q), ".^.", false},
		"three tell the clocks":  {canaries(q, q*104/100, q*108/100), "...", true},
		"quiet":                  {canaries(q, q, q, q, q, q, q), ".......", false},
		"one":                    {canaries(q, q, q, l, q, q, q), "...^...", false},
		"from the beginning":     {canaries(l, l, q, q, q, q, q), "^^.....", false},
		"to the end":             {canaries(q, q, q, q, q, l, l), ".....^^", false},
		"most":                   {canaries(q, q, l, l, l, l, l), "..^^^^^", false},
		"twice":                  {canaries(q, l, q, q, l, l, q, q), ".^..^^..", false},
		"to and fro":             {canaries(l, q, l, q, l, q, l, q), "^.^^^^^^", false}, // rather too many: at the ends a drift is not well known
		"two loads at once":      {canaries(q, q, l, l+60_000, l, q, q), "..^^^..", false},
		"just under what counts": {canaries(q, q, q, q+q*4/100, q, q, q), ".......", false},
		"always, so never":       {canaries(l, l, l, l, l, l, l), ".......", false},
		"a drift": {canaries(q, q+8_000, q+16_000, q+24_000, q+32_000, q+40_000, q+48_000), ".......",
			true},
		"a drift down": {canaries(q, q-7_000, q-14_000, q-21_000, q-28_000, q-35_000, q-42_000), ".......",
			true},
		"a load on a drift": {canaries(q, q+6_000, q+12_000, l+18_000, q+24_000, q+30_000, q+36_000), "...^...",
			true},
		"a drift that comes back": {canaries(q, q+8_000, q+14_000, q+16_000, q+14_000, q+8_000, q), ".......", false},
	} {
		t.Run(name, func(t *testing.T) {
			r := Read(c.list)
			assert.Equal(t, c.marks, r.marks())
			assert.Equal(t, c.moved, r.Moved)
		})
	}
}

// TestReadCanariesOfTimedKernels: the op lasts as long as ever, but its launch waited for another process's turn.
func TestReadCanariesOfTimedKernels(t *testing.T) {
	list := canaries(200_000, 200_000, 200_000, 200_000, 200_000, 200_000)
	late := 2 * time.Millisecond
	list[3].Walls = []time.Duration{late, late, late}
	assert.Equal(t, "...^..", Read(list).marks())
	list[3].Walls = []time.Duration{210_000, late, 210_000}
	assert.Equal(t, "......", Read(list).marks(), "the host was late once")
}

// TestReadCanariesOfNoise: scatter and drift alone are no load; on top of them it is seen.
func TestReadCanariesOfNoise(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	alarms, seen := 0, 0
	for range 1000 {
		phase := r.Float64() * 2 * math.Pi
		var list []Canary
		for i := range 13 {
			var runs []time.Duration
			for range CanaryRuns {
				level := 1 + 0.2*math.Sin(phase+float64(i)/8)
				runs = append(runs, time.Duration(200_000*level*(1+0.02*r.NormFloat64())))
			}
			list = append(list, Canary{i, runs, runs})
		}
		if Read(list).Disturbed() {
			alarms++
		}
		for i := range list[6].Durs {
			list[6].Durs[i] = list[6].Durs[i] * 3 / 2
		}
		if Read(list).Stretched[6] {
			seen++
		}
	}
	assert.LessOrEqual(t, alarms, 20)
	assert.GreaterOrEqual(t, seen, 980)
}
