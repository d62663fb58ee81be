package overlap

import (
	"fmt"
	"math"
	"time"

	"golang.org/x/perf/benchmath"
)

// confidence of every interval that a verdict rests on.
const confidence = 0.95

// Estimate is the median of samples with its interval, from order statistics: nothing is assumed of their distribution.
type Estimate struct {
	Median, Lo, Hi time.Duration
	N              int
}

// estimate takes the samples of one quantity. Of a device without noise one sample is the value. Fewer samples than an
// interval needs leave it open: Lo is then the smallest duration and Hi the largest.
func estimate(samples []time.Duration, exact bool) Estimate {
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
	s := benchmath.AssumeNothing.Summary(benchmath.NewSample(values, &benchmath.DefaultThresholds), confidence)
	return Estimate{Median: nanoseconds(s.Center), Lo: nanoseconds(s.Lo), Hi: nanoseconds(s.Hi), N: len(samples)}
}

func nanoseconds(x float64) time.Duration {
	switch {
	case x >= math.MaxInt64:
		return math.MaxInt64
	case x <= math.MinInt64:
		return math.MinInt64
	}
	return time.Duration(math.Round(x))
}

// open says that there were too few samples for an interval.
func (e Estimate) open() bool { return e.Lo == math.MinInt64 || e.Hi == math.MaxInt64 }

// String is "500.02ms", or with an interval "500.02ms [500.01ms, 500.04ms] n=9".
func (e Estimate) String() string {
	switch {
	case e.N == 0:
		return "n/a"
	case e.Lo == e.Hi:
		return e.Median.String()
	case e.open():
		return fmt.Sprintf("%v n=%d (too few for an interval)", e.Median, e.N)
	}
	return fmt.Sprintf("%v [%v, %v] n=%d", e.Median, e.Lo, e.Hi, e.N)
}

// decision compares an estimate with a limit.
type decision uint8

const (
	undecided decision = iota // the interval straddles the limit
	within                    // the whole interval is at or under the limit
	beyond                    // the whole interval is over the limit
)

func (e Estimate) atMost(limit time.Duration) decision {
	switch {
	case e.N == 0:
		return undecided
	case e.Hi <= limit:
		return within
	case e.Lo > limit:
		return beyond
	}
	return undecided
}
