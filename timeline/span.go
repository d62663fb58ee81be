// Package timeline holds what happened: a span for each op. It measures concurrency and draws lanes as text, SVG and a
// Chrome/Perfetto trace. Times are integer nanoseconds as time.Duration on the clock that a span names.
package timeline

import "time"

// Clock is a clock domain: times of different domains are not comparable.
type Clock uint8

const (
	DeviceClock Clock = iota
	HostClock
)

// Span is when one op ran.
type Span struct {
	Start, End time.Duration
	Clock      Clock
	Ran        bool // false when no stamp was found: the launch did not happen
	Device     int32
}

// Dur is End − Start.
func (s Span) Dur() time.Duration { return s.End - s.Start }

// Extent is the first start and the last end of the spans that ran on the device clock; 0, 0 when none did.
func Extent(spans []Span) (first, last time.Duration) {
	found := false
	for _, s := range spans {
		if !s.Ran || s.Clock != DeviceClock {
			continue
		}
		if !found || s.Start < first {
			first = s.Start
		}
		if !found || s.End > last {
			last = s.End
		}
		found = true
	}
	return first, last
}
