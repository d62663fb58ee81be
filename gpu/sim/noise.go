package sim

import (
	"math"
	"math/rand/v2"
	"time"
)

// Noise is what varies from one repetition to the next, as on a real machine. The zero value is none. It is deterministic:
// the n-th repetition of a device draws from a generator seeded by Seed and n, whatever was run before.
type Noise struct {
	Seed uint64
	// Duration is the standard deviation of each op's duration, relative to it: normal, one draw for each op that is issued.
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

// noisy says whether anything varies.
func (n Noise) noisy() bool { return n != Noise{Seed: n.Seed} }

// noise draws for one run.
type noise struct {
	Noise
	on      bool // this repetition is noisy; a Setup never is
	pcg     rand.PCG
	draw    *rand.Rand
	ops     float64 // factor of all ops of this repetition
	kernels float64 // a further one of its kernels
}

func newNoise(n Noise) *noise {
	x := &noise{Noise: n}
	x.draw = rand.New(&x.pcg)
	return x
}

// begin makes the noise that of a repetition, counted from 0.
func (x *noise) begin(rep int) {
	x.on = x.noisy()
	x.pcg.Seed(x.Seed, uint64(rep))
	x.ops, x.kernels = 1, 1
	if x.Period > 0 {
		x.ops += x.Drift * math.Sin(2*math.Pi*float64(rep)/float64(x.Period))
	}
	if rep >= x.ForeignFrom && rep < x.ForeignTo {
		x.kernels += x.Foreign
	}
}

// dur is how long an op of a class lasts that takes d without noise.
func (x *noise) dur(d time.Duration, c class) time.Duration {
	if !x.on {
		return d
	}
	factor := x.ops
	if c == kernel {
		factor *= x.kernels
	}
	if x.Duration > 0 {
		factor *= max(shortest, 1+x.Duration*x.draw.NormFloat64())
	}
	return max(1, time.Duration(math.Round(float64(d)*factor)))
}

// delay is how much longer the host takes for a call.
func (x *noise) delay() time.Duration {
	if !x.on || x.HostChance <= 0 || x.HostDelay <= 0 || x.draw.Float64() >= x.HostChance {
		return 0
	}
	return time.Duration(x.draw.Int64N(int64(x.HostDelay) + 1))
}
