package sample_test

import (
	"fmt"
	"time"

	"github.com/gpu-overlap/overlap/judge/sample"
)

// Too few samples leave the interval open, and decide nothing.
func Example() {
	const ms, limit = time.Millisecond, 510 * time.Millisecond
	samples := []time.Duration{500 * ms, 502 * ms, 501 * ms, 503 * ms, 500 * ms, 504 * ms}
	few, enough := sample.Of(samples[:3], false), sample.Of(samples, false)
	fmt.Println(few.Median, "open:", few.Open(), "undecided:", few.AtMost(limit) == sample.Undecided)
	fmt.Println(enough, "within:", enough.AtMost(limit) == sample.Within)
	// Output:
	// 501ms open: true undecided: true
	// 501.5ms [500ms, 504ms] n=6 within: true
}
