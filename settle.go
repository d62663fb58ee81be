package overlap

import (
	"fmt"
	"math"
	"slices"
	"time"
)

// maxSettle is the number of samples beyond which none are said to settle anything: the distance from the median to the
// limit is then below what the spread of the samples resolves.
const maxSettle = 10_000

// enough is how many samples an interval of the median needs at confidence.
const enough = 6

// settles is about how many samples would decide whether the median is at most the limit, when further samples spread as
// these do; 0 when not even maxSettle would. The interval of the median of n samples reaches from the quantile 1/2 by
// z/(2√n) to both sides; near the median a quantile's worth of time is taken from the quartiles.
func settles(samples []time.Duration, limit time.Duration) int {
	if len(samples) == 0 {
		return enough
	}
	sorted := slices.Sorted(slices.Values(samples))
	distance := math.Abs(quantile(sorted, 0.5) - float64(limit))
	spread := quantile(sorted, 0.75) - quantile(sorted, 0.25)
	const z = 2.4 // 1.96 at confidence, of a normal distribution; a little more, for the grain of an interval of few samples
	need := math.Ceil(math.Pow(z*spread/distance, 2))
	if math.IsNaN(need) || need > maxSettle { // NaN: all samples are the limit
		return 0
	}
	return max(int(need), enough)
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

// undecided is the verdict when the interval of samples holds the limit. Its detail is the same on every device; how many
// samples there were, how many would do, and what is in the way, are noted.
func (j *judgement) undecided(detail, where string, samples []time.Duration, limit time.Duration) Verdict {
	needs := settles(samples, limit)
	said := fmt.Sprintf("%d %s count", len(samples), j.unit())
	if needs > 0 {
		said += fmt.Sprintf(", about %d would settle it", needs)
	} else {
		said += fmt.Sprintf(", not even %d would settle it", maxSettle)
	}
	conditions := j.conditions()
	switch {
	case j.reading().disturbed():
		detail = "foreign load: " + detail
	case conditions != "":
	case needs == 0:
		conditions = "too noisy, for a time this near to the limit"
	default:
		conditions = "too few samples"
	}
	v := fail(Inconclusive, where, "%s", detail)
	v.Notes = []string{said + "; " + conditions}
	v.Needs = needs
	return v
}

// conditions says what the canaries noticed; empty when it was quiet.
func (j *judgement) conditions() string {
	switch r := j.reading(); {
	case r.disturbed():
		return fmt.Sprintf("foreign load: an op alone was stretched %d of %d times, and the blocks beside were set aside", r.count(), len(j.Canary))
	case r.moved:
		return "moved clocks: an op alone took another time at the end than at the beginning"
	}
	return ""
}
