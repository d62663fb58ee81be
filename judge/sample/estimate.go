// Package sample says what repeated measurements tell: medians with intervals, blocks of repetitions that are held
// against what was measured beside them, canaries that show a foreign load, and how many samples would settle what they
// leave open.
//
// Durations are time.Duration. Nothing is assumed of how samples are distributed.
package sample

import (
	"fmt"
	"math"
	"slices"
	"time"

	"golang.org/x/perf/benchmath"
)

// Confidence of every interval that a verdict rests on.
const Confidence = 0.95

// Estimate is the median of samples with its interval, from order statistics: nothing is assumed of their distribution.
type Estimate struct {
	Median, Lo, Hi time.Duration
	N              int
}

// Of takes the samples of one quantity. Of a device without noise one sample is the value. Fewer samples than an
// interval needs leave it open: Lo is then the smallest duration and Hi the largest.
func Of(samples []time.Duration, exact bool) Estimate {
	if len(samples) == 0 {
		return Estimate{}
	}
	values := make([]float64, len(samples))
	same := true
	for i, s := range samples {
		values[i] = float64(s)
		same = same && s == samples[0]
	}
	if exact && same {
		return Estimate{Median: samples[0], Lo: samples[0], Hi: samples[0], N: len(samples)}
	}
	s := benchmath.AssumeNothing.Summary(benchmath.NewSample(values, &benchmath.DefaultThresholds), Confidence)
	return Estimate{Median: Round(s.Center), Lo: Round(s.Lo), Hi: Round(s.Hi), N: len(samples)}
}

// Round is a number of nanoseconds as a duration, the nearest that there is.
func Round(x float64) time.Duration {
	switch {
	case x >= math.MaxInt64:
		return math.MaxInt64
	case x <= math.MinInt64:
		return math.MinInt64
	}
	return time.Duration(math.Round(x))
}

// Open says that there were too few samples for an interval.
func (e Estimate) Open() bool { return e.Lo == math.MinInt64 || e.Hi == math.MaxInt64 }

// String is "500.02ms", or with an interval "500.02ms [500.01ms, 500.04ms] n=9".
func (e Estimate) String() string {
	switch {
	case e.N == 0:
		return "n/a"
	case e.Lo == e.Hi:
		return e.Median.String()
	case e.Open():
		return fmt.Sprintf("%v n=%d (too few for an interval)", e.Median, e.N)
	}
	return fmt.Sprintf("%v [%v, %v] n=%d", e.Median, e.Lo, e.Hi, e.N)
}

// Decision compares an estimate with a limit.
type Decision uint8

const (
	Undecided Decision = iota // the interval straddles the limit
	Within                    // the whole interval is at or under the limit
	Beyond                    // the whole interval is over the limit
)

// AtMost says whether the quantity is at most a limit, as far as the interval decides it.
func (e Estimate) AtMost(limit time.Duration) Decision {
	switch {
	case e.N == 0:
		return Undecided
	case e.Hi <= limit:
		return Within
	case e.Lo > limit:
		return Beyond
	}
	return Undecided
}

// Middle is the median of a few values; of an even number the mean of the two in the middle; 0 of none.
func Middle(values []time.Duration) time.Duration {
	return Round(quantile(slices.Sorted(slices.Values(values)), 0.5))
}

// quantile of sorted samples, linear in between; 0 when there are none.
func quantile(sorted []time.Duration, q float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	at := q * float64(len(sorted)-1)
	i := int(at)
	if i+1 >= len(sorted) {
		return float64(sorted[len(sorted)-1])
	}
	return float64(sorted[i]) + (at-float64(i))*float64(sorted[i+1]-sorted[i])
}
