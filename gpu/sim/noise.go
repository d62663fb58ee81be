package sim

import (
	"math"
	"math/rand/v2"
	"time"
)

// Noise makes a machine's times vary as those of a real one do, for tests of what is concluded from them. It depends on
// the seed and on what the device has run so far, on nothing else.
type Noise struct {
	Seed     uint64
	Duration float64 // relative standard deviation of each op's duration
	// Drift is the amplitude of a slow change of all durations, as of clocks: their factor is 1 + Drift·sin(2π·r/Period) in
	// repetition r of all that the device runs.
	Drift  float64
	Period int
	// HostDelay is the longest delay of a call by the host's other work, HostChance the probability of one.
	HostDelay  time.Duration
	HostChance float64
	// Foreign is by how much longer everything takes in repetitions from ForeignFrom to before ForeignTo, as beside another
	// process.
	Foreign                float64
	ForeignFrom, ForeignTo int
}

// noise is the noise of one device so far. A nil noise is none.
type noise struct {
	Noise
	r      *rand.Rand
	reps   int
	factor float64
}

func newNoise(n Noise) *noise {
	if n == (Noise{}) {
		return nil
	}
	return &noise{Noise: n, r: rand.New(rand.NewPCG(n.Seed, 0)), factor: 1}
}

// next begins another repetition.
func (n *noise) next() {
	if n == nil {
		return
	}
	n.factor = 1
	if n.Period > 0 {
		n.factor += n.Drift * math.Sin(2*math.Pi*float64(n.reps)/float64(n.Period))
	}
	if n.reps >= n.ForeignFrom && n.reps < n.ForeignTo {
		n.factor *= 1 + n.Foreign
	}
	n.reps++
}

func (n *noise) took(d time.Duration) time.Duration {
	if n == nil {
		return d
	}
	return max(1, time.Duration(float64(d)*n.factor*max(0.1, 1+n.Duration*n.r.NormFloat64())))
}

func (n *noise) hostDelay() time.Duration {
	if n == nil || n.HostDelay <= 0 || n.r.Float64() >= n.HostChance {
		return 0
	}
	return time.Duration(n.r.Int64N(int64(n.HostDelay)))
}
