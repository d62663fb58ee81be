package text

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// units, the coarsest first; digits is how many decimals a unit has down to the nanosecond.
var units = []struct {
	name   string
	unit   time.Duration
	digits int
}{{"ns", time.Nanosecond, 0}, {"us", time.Microsecond, 3}, {"ms", time.Millisecond, 6}, {"s", time.Second, 9}}

// parseDuration reads a number and a unit, exactly. The fault, when there is one, follows the word in a message.
func parseDuration(word string) (d time.Duration, fault string) {
	number := strings.TrimRight(word, "abcdefghijklmnopqrstuvwxyz")
	unit := word[len(number):]
	for _, u := range units {
		if u.name != unit {
			continue
		}
		sign := time.Duration(1)
		if rest, found := strings.CutPrefix(number, "-"); found {
			sign, number = -1, rest
		}
		whole, frac, point := strings.Cut(number, ".")
		if !digitsOnly(whole) || point && !digitsOnly(frac) {
			return 0, "is not a duration"
		}
		frac = strings.TrimRight(frac, "0")
		if len(frac) > u.digits {
			return 0, "is finer than a nanosecond"
		}
		n, err := strconv.ParseInt(whole+frac+strings.Repeat("0", u.digits-len(frac)), 10, 64)
		if err != nil {
			return 0, "overflows"
		}
		return sign * time.Duration(n), ""
	}
	return 0, "is not a duration"
}

func digitsOnly(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// FormatDuration prints a duration as a case spells it, in the coarsest unit that it fills: 100ms, 1.5us, 90s.
func FormatDuration(d time.Duration) string {
	if d == math.MinInt64 { // which has no opposite
		return "-9223372036.854775808s"
	}
	if d < 0 {
		return "-" + FormatDuration(-d)
	}
	u := units[0]
	for _, next := range units[1:] {
		if d >= next.unit {
			u = next
		}
	}
	s := strconv.FormatInt(int64(d/u.unit), 10)
	if rest := d % u.unit; rest != 0 {
		frac := strconv.FormatInt(int64(rest), 10)
		s += "." + strings.TrimRight(strings.Repeat("0", u.digits-len(frac))+frac, "0")
	}
	return s + u.name
}
