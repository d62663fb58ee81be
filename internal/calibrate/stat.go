package calibrate

import (
	"slices"
	"time"
)

// median is the middle of the samples, or the mean of the two in the middle; 0 of none.
func median(list []time.Duration) time.Duration {
	if len(list) == 0 {
		return 0
	}
	s := slices.Sorted(slices.Values(list))
	mid := len(s) / 2
	if len(s)%2 == 1 {
		return s[mid]
	}
	return s[mid-1] + (s[mid]-s[mid-1])/2
}

// quantile is the smallest sample that at least the share p of them does not exceed; 0 of none.
func quantile(list []time.Duration, p float64) time.Duration {
	if len(list) == 0 {
		return 0
	}
	s := slices.Sorted(slices.Values(list))
	at := int(p*float64(len(s))+1-1e-9) - 1
	return s[min(max(at, 0), len(s)-1)]
}
