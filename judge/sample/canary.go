package sample

import (
	"math"
	"slices"
	"time"
)

// Canary is one op alone, run a few times in a row between two blocks of repetitions. What stretches it disturbs the
// blocks beside it, too.
//
// Two times are looked at. The duration of the op shows what slows an op down: another user of the SMs, of memory or of
// a copy engine, and a slower clock. Kernels of this package that last a given time, by the GPU's timer, do not become
// longer for that: when another process has its turn, they end late only if the turn falls on their end. So the wall
// time counts as well: while another process has the GPU, a launch waits for its turn, whatever is launched.
//
// It cannot see a load that is there from the first canary to the last without a change (the ops alone are then
// stretched as well, and what is judged is the ratio), one that starts and ends between two canaries, or one that
// leaves a single block of threads alone: work on other SMs, where processes share the GPU at once.
type Canary struct {
	Before int             // the repetition before which it was taken
	Durs   []time.Duration // on the device
	Walls  []time.Duration // of the launch and the wait for it
}

const (
	// CanaryRuns is how often in a row a canary runs.
	CanaryRuns = 3
	// LongestCanary is how long its op takes at most, so that all of them together add little: 13 canaries of 3 runs
	// take 8 ms, where the repetitions of a case take up to a quarter of a second; where ops are shorter, so is the
	// canary. Together with ops alone in every block, the suite's cases take 6 % more time on machine h200 than with
	// neither.
	LongestCanary = 200 * time.Microsecond
	// stretch is what counts as stretched, and as moved.
	stretch = 0.05
)

// Reading is what the canaries say. The zero value is that of none.
type Reading struct {
	Stretched []bool  // by canary: foreign load
	Most      float64 // how many times as long as an undisturbed one the most stretched canary took; 1 when none was
	Moved     bool    // the clocks: what an op alone takes drifted by more than stretch
}

// Disturbed says whether any canary was stretched.
func (r Reading) Disturbed() bool { return slices.Contains(r.Stretched, true) }

// Count is how many canaries were stretched.
func (r Reading) Count() (n int) {
	for _, s := range r.Stretched {
		if s {
			n++
		}
	}
	return n
}

// Read tells foreign load, which comes and goes at once, from clocks, which drift.
func Read(list []Canary) Reading {
	r := Reading{Stretched: make([]bool, len(list)), Most: 1}
	for _, of := range []func(Canary) []time.Duration{
		func(c Canary) []time.Duration { return c.Durs },
		func(c Canary) []time.Duration { return c.Walls },
	} {
		for i, level := range jumps(list, of) {
			r.Stretched[i] = r.Stretched[i] || level > 0
			r.Most = max(r.Most, math.Exp(level))
		}
	}
	var quiet []float64
	for i, c := range list {
		if !r.Stretched[i] {
			quiet = append(quiet, logMedian(c.Durs))
		}
	}
	if third := len(quiet) / 3; third > 0 {
		r.Moved = math.Abs(median(quiet[len(quiet)-third:])-median(quiet[:third])) > math.Log1p(stretch)
	}
	return r
}

// jumps says how far above the lowest level each canary stands, as the logarithm of a ratio; 0 on the lowest. A level
// ends where the time changes, from one canary to the next, by more than stretch and than the spread of runs in a row
// accounts for, both beyond the drift.
func jumps(list []Canary, of func(Canary) []time.Duration) []float64 {
	if len(list) < 3 || slices.ContainsFunc(list, func(c Canary) bool { return len(of(c)) == 0 }) {
		return make([]float64, len(list))
	}
	var spreads, steps []float64
	for i, c := range list {
		spreads = append(spreads, logSpread(of(c)))
		if i > 0 {
			steps = append(steps, logMedian(of(c))-logMedian(of(list[i-1])))
		}
	}
	limit := max(math.Log1p(stretch), 5*median(spreads))
	level, lowest := make([]float64, len(list)), 0.0
	for i, s := range steps {
		level[i+1] = level[i]
		if s -= drift(steps, i); math.Abs(s) > limit {
			level[i+1] += s
		}
		lowest = min(lowest, level[i+1])
	}
	for i := range level {
		if level[i] -= lowest; level[i] <= 0.8*limit { // a level is at least limit high; back from one, scatter is left over
			level[i] = 0
		}
	}
	return level
}

// drift is what the changes around the i-th have in common: of the four nearest, the two in the middle, and of these
// the one nearer to no change; none when they differ in sign.
func drift(steps []float64, i int) float64 {
	from := max(min(i-2, len(steps)-5), 0)
	var near []float64
	for k := from; k < min(from+5, len(steps)); k++ {
		if k != i {
			near = append(near, steps[k])
		}
	}
	slices.Sort(near)
	a, b := near[(len(near)-1)/2], near[len(near)/2]
	return max(min(a, b), 0) + min(max(a, b), 0)
}

// logSpread estimates the standard deviation of a few runs, relative to their size, from their range: of three normal
// values it is 1.69 standard deviations on average.
func logSpread(runs []time.Duration) float64 {
	return (logOf(slices.Max(runs)) - logOf(slices.Min(runs))) / 1.69
}

func logMedian(runs []time.Duration) float64 {
	return math.Log(max(quantile(slices.Sorted(slices.Values(runs)), 0.5), 1))
}

func logOf(d time.Duration) float64 { return math.Log(float64(max(d, 1))) }

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	if n == 0 {
		return 0
	}
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}
