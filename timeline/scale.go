package timeline

import (
	"math/bits"
	"strconv"
	"strings"
	"time"
)

// scale maps times from first to last onto columns 0 to width. It is monotone, and equal times share a column.
type scale struct {
	first, last time.Duration
	width       int
}

func (s scale) total() uint64 { return uint64(s.last - s.first) }

// col rounds to the nearest column. The product needs 128 bits, so that any times will do.
func (s scale) col(t time.Duration) int {
	total := s.total()
	if total == 0 {
		return 0
	}
	hi, lo := bits.Mul64(uint64(min(max(t, s.first), s.last)-s.first), uint64(s.width))
	lo, carry := bits.Add64(lo, total/2, 0)
	q, _ := bits.Div64(hi+carry, lo, total)
	return int(q)
}

// step is a distance between ticks of 1, 2 or 5 times a power of ten nanoseconds such that there are at most most ticks
// after the first.
func step(total time.Duration, most int) time.Duration {
	most = max(most, 1)
	for s := time.Duration(1); ; s *= 10 {
		for _, m := range []time.Duration{1, 2, 5} {
			if total/(s*m) <= time.Duration(most) {
				return s * m
			}
		}
		if s > 1<<59 {
			return s
		}
	}
}

// unit is what an axis is labelled in.
type unit struct {
	name string
	ns   time.Duration
}

// unitOf is the largest unit of which a time has one or more.
func unitOf(t time.Duration) unit {
	switch {
	case t >= time.Second:
		return unit{"s", time.Second}
	case t >= time.Millisecond:
		return unit{"ms", time.Millisecond}
	case t >= time.Microsecond:
		return unit{"us", time.Microsecond}
	}
	return unit{"ns", 1}
}

// format writes a time exactly, in this unit: "2.5ms".
func (u unit) format(t time.Duration) string { return decimal(t, u.ns) + u.name }

// decimal is t / ns without an error of rounding and without trailing zeros. ns is a power of ten.
func decimal(t, ns time.Duration) string {
	s := strconv.FormatInt(int64(t/ns), 10)
	if t < 0 && t/ns == 0 {
		s = "-0"
	}
	if rest := t % ns; rest != 0 {
		digits := strconv.FormatInt(int64(max(rest, -rest)+ns), 10)[1:] // the leading 1 keeps the zeros
		s += "." + strings.TrimRight(digits, "0")
	}
	return s
}

// human writes a duration in the unit that suits it.
func human(t time.Duration) string { return unitOf(max(t, -t)).format(t) }
