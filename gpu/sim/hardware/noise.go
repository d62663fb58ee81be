package hardware

import (
	"math"
	"math/rand/v2"
	"time"
)

// Noise is what varies from one repetition to the next, as on a real machine. The zero value is none. It is
// deterministic: the n-th repetition of a device draws from a generator seeded by Seed and n, whatever was run
// before.
type Noise struct {
	Seed uint64
	// Duration is the standard deviation of each op's duration, relative to it: normal, one draw for each op that is
	// issued.
	Duration float64
	// Drift is the amplitude of a slow change: all ops last 1 + Drift·sin(2π·n/Period) times as long in repetition n,
	// counted over all runs of the device in the order in which they run. Period 0: no drift.
	Drift  float64
	Period int
	// HostChance is how likely a call of the Body is delayed, by a time uniform between 0 and HostDelay.
	HostChance float64
	HostDelay  time.Duration
	// Foreign is another process on the device: kernels last 1 + Foreign times as long in the repetitions from
	// ForeignFrom up to, and without, ForeignTo.
	Foreign                float64
	ForeignFrom, ForeignTo int
}

// shortest is the least that noise leaves of a duration: an op always takes some time.
const shortest = 0.05

// Varies says whether anything does.
func (n Noise) Varies() bool { return n != Noise{Seed: n.Seed} }

// Jitter draws the noise of one run.
type Jitter struct {
	Noise
	on      bool // this repetition is noisy; a Setup never is
	pcg     rand.PCG
	rand    *rand.Rand
	ops     float64 // factor of all ops of this repetition
	kernels float64 // a further one of its kernels
}

// NewJitter gives a Jitter that varies nothing before it begins a repetition.
func NewJitter(n Noise) *Jitter {
	j := &Jitter{Noise: n}
	j.rand = rand.New(&j.pcg)
	return j
}

// Begin makes the noise that of a repetition, counted from 0.
func (j *Jitter) Begin(rep int) {
	j.on = j.Varies()
	j.pcg.Seed(j.Seed, uint64(rep))
	j.ops, j.kernels = 1, 1
	if j.Period > 0 {
		j.ops += j.Drift * math.Sin(2*math.Pi*float64(rep)/float64(j.Period))
	}
	if rep >= j.ForeignFrom && rep < j.ForeignTo {
		j.kernels += j.Foreign
	}
}

// Dur is how long an op of a class lasts that takes alone without noise.
func (j *Jitter) Dur(alone time.Duration, c Class) time.Duration {
	if !j.on {
		return alone
	}
	factor := j.ops
	if c == Kernel {
		factor *= j.kernels
	}
	if j.Duration > 0 {
		factor *= max(shortest, 1+j.Duration*j.rand.NormFloat64())
	}
	return max(1, time.Duration(math.Round(float64(alone)*factor)))
}

// Delay is how much longer the host takes for a call.
func (j *Jitter) Delay() time.Duration {
	if !j.on || j.HostChance <= 0 || j.HostDelay <= 0 || j.rand.Float64() >= j.HostChance {
		return 0
	}
	return time.Duration(j.rand.Int64N(int64(j.HostDelay) + 1))
}
