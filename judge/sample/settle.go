package sample

import (
	"math"
	"slices"
	"time"
)

// MostToSettle is the number of samples beyond which none are said to settle anything: the distance from the median to
// the limit is then below what the spread of the samples resolves.
const MostToSettle = 10_000

// Enough is how many samples an interval of the median needs at Confidence.
const Enough = 6

// ToSettle is about how many samples would decide whether the median is at most the limit, when further samples spread
// as these do; 0 when not even MostToSettle would. The interval of the median of n samples reaches from the quantile
// 1/2 by z/(2√n) to both sides; near the median a quantile's worth of time is taken from the quartiles.
func ToSettle(samples []time.Duration, limit time.Duration) int {
	if len(samples) == 0 {
		return Enough
	}
	sorted := slices.Sorted(slices.Values(samples))
	distance := math.Abs(quantile(sorted, 0.5) - float64(limit))
	spread := quantile(sorted, 0.75) - quantile(sorted, 0.25)
	const z = 2.4 // 1.96 at Confidence, of a normal distribution; a little more, for the grain of an interval of few samples
	need := math.Ceil(math.Pow(z*spread/distance, 2))
	if math.IsNaN(need) || need > MostToSettle { // NaN: all samples are the limit
		return 0
	}
	return max(int(need), Enough)
}
