//go:build gpu && cgo

package gpu

import "time"

// clockAge is how long bounds may be added up: the two clocks drift apart by tens of nanoseconds in a millisecond at
// most.
const clockAge = 20 * time.Millisecond

// clockBounds narrows down what the device's clock shows more than the host's: both run on, so every repetition bounds
// it from below and from above, by a stamp right after its end.
type clockBounds struct {
	low, high int64
	since     int64 // host time of the first repetition that counts
	known     bool
}

// take adds the bounds of a repetition that started at a host time. What is older than clockAge, or contradicts them
// because the clocks have drifted, no longer counts.
func (c *clockBounds) take(low, high, start int64) {
	switch {
	case low == 0 && high == 0: // no stamp
	case !c.known || start-c.since > clockAge.Nanoseconds() || max(c.low, low) > min(c.high, high):
		*c = clockBounds{low, high, start, true}
	default:
		c.low, c.high = max(c.low, low), min(c.high, high)
	}
}

// driftOver is how far the clocks may have drifted apart over a time: 50 in a million.
func driftOver(d time.Duration) time.Duration { return d / 20_000 }

// clock relates host times that count from the start of a Body to device times that count from an origin, which is
// given as device time less the host time of that start; wall is how long before the stamp the Body began.
func (c *clockBounds) clock(origin int64, wall time.Duration) Clock {
	if !c.known {
		return Clock{}
	}
	return Clock{Offset: time.Duration(c.low + (c.high-c.low)/2 - origin), Known: true,
		Error: time.Duration((c.high-c.low+1)/2) + driftOver(wall+clockAge)}
}
