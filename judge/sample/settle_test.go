package sample

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestSettles(t *testing.T) {
	ramp := []time.Duration{96, 97, 98, 99, 100, 101, 102, 103, 104} // quartiles 98 and 102
	for name, c := range map[string]struct {
		samples []time.Duration
		limit   time.Duration
		want    int
	}{
		"none yet":                      {nil, 100, 6},
		"none yet, of nothing":          {nil, 0, 6},
		"far away":                      {ramp, 200, 6},
		"a quartile away":               {ramp, 98, 24}, // (2.4 · 4 / 2)²
		"half as far":                   {ramp, 101, 93},
		"at the limit":                  {ramp, 100, 0},
		"all the same, at the limit":    {[]time.Duration{5, 5, 5}, 5, 0},
		"all the same, under the limit": {[]time.Duration{5, 5, 5}, 6, 6},
		"under the resolution":          {[]time.Duration{9_000, 10_000, 11_000}, 10_023, 0},
		"just above the resolution":     {[]time.Duration{9_000, 10_000, 11_000}, 10_025, 9_216},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, c.want, ToSettle(c.samples, c.limit)) })
	}
}

// TestSettlesTwin draws as many samples as are said to settle it, again and again: at least about as often as not they
// do; a quarter as many mostly do not.
func TestSettlesTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 9))
	for shape, draw := range map[string]func() time.Duration{
		"normal":  func() time.Duration { return time.Duration(1e6 * (1 + 0.02*r.NormFloat64())) },
		"uniform": func() time.Duration { return time.Duration(1e6 * (0.97 + 0.06*r.Float64())) },
		"skewed":  func() time.Duration { return time.Duration(1e6 * (0.98614 + 0.02*r.ExpFloat64())) }, // median 1e6
	} {
		many := func(n int) []time.Duration {
			list := make([]time.Duration, n)
			for i := range list {
				list[i] = draw()
			}
			return list
		}
		for _, limit := range []time.Duration{990_000, 995_000, 1_004_000, 1_010_000} {
			n := ToSettle(many(10_001), limit)
			settled := func(n int) (share float64) {
				for range 200 {
					if Of(many(n), false).AtMost(limit) != Undecided {
						share += 1. / 200
					}
				}
				return share
			}
			assert.Greater(t, settled(n), 0.45, "%s, limit %v, n %d", shape, limit, n)
			assert.Less(t, settled(n/4), 0.5, "%s, limit %v, n %d", shape, limit, n/4)
		}
	}
}
