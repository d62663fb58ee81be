//go:build gpu && cgo

package gpu

import "time"

// clockBounds narrows down what the device's clock shows more than the host's: both run on, so every repetition bounds it
// from below and from above.
type clockBounds struct {
	low, high int64
	known     bool
}

// take adds a repetition's bounds. Where they contradict the earlier ones the clocks have drifted: it begins anew.
func (c *clockBounds) take(low, high int64) {
	switch {
	case low == 0 && high == 0: // no stamp
	case !c.known || max(c.low, low) > min(c.high, high):
		*c = clockBounds{low, high, true}
	default:
		c.low, c.high = max(c.low, low), min(c.high, high)
	}
}

// clock relates host times that count from the start of a Body to device times that count from an origin, which is given as
// device time less the host time of that start.
func (c *clockBounds) clock(origin int64) Clock {
	if !c.known {
		return Clock{}
	}
	return Clock{Offset: time.Duration(c.low + (c.high-c.low)/2 - origin), Error: time.Duration((c.high - c.low + 1) / 2), Known: true}
}
