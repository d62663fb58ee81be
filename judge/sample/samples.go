package sample

import (
	"time"

	"github.com/gpu-overlap/overlap/gpu"
)

// Samples are what was measured of one mode of a schedule, and of what it is held against in the same run.
type Samples struct {
	Reps   []gpu.Transcript
	Solo   []time.Duration // by op, measured alone on the same device in the same run
	Blocks []Block         // of Reps, each with the ops alone of its own time; none: all are held against Solo
	Canary []Canary        // one op alone, between the blocks
	Costs  Costs
	Giant  []time.Duration // wall times of the unsplit batch in the same run; none when it was not run
	Gated  []time.Duration // wall times of the same calls behind a gate, from its opening; none when that was not run
	Wide   []time.Duration // wall times of the same calls with more connections; none when that was not run
	Exact  bool            // the device has no costs: expectations hold to the nanosecond
	Steady bool            // the device has no noise: one repetition is enough
}

// Costs are what a device needs beyond the ops themselves, measured beside what is judged. A device without costs has
// zeros.
type Costs struct {
	Launch  time.Duration // wall time of one op alone, less its own duration
	HandOff time.Duration // from the end of an op to the start of one that waits for it on another stream
}

// Block is some repetitions that were taken together, and the ops alone as they were then. A wall time is held against
// the ops alone of its own block: when the clocks drift, both drift. One block gives one sample: its median.
type Block struct {
	End  int             // the index after its last repetition
	Solo []time.Duration // by op: medians within the block and the two beside it
}

// WideConnections is how many hardware queues the twin of a schedule has that streams may hold up by sharing them, the most
// that CUDA_DEVICE_MAX_CONNECTIONS can ask for.
const WideConnections = 32

// Counting visits the blocks that count, those not beside a stretched canary: each with the repetition that it begins with.
func (s *Samples) Counting(r Reading, visit func(b Block, from int)) {
	if visit == nil {
		return
	}
	stretched := map[int]bool{}
	for i, yes := range r.Stretched {
		if yes && i < len(s.Canary) {
			stretched[s.Canary[i].Before] = true
		}
	}
	from := 0
	for _, b := range s.Blocks {
		if from >= 0 && b.End > from && b.End <= len(s.Reps) && !stretched[from] && !stretched[b.End] {
			visit(b, from)
		}
		from = b.End
	}
}

// PerBlock gives the median of each block that counts, of values by repetition. Without blocks each repetition is a sample.
func (s *Samples) PerBlock(r Reading, values []time.Duration) (list []time.Duration) {
	if len(s.Blocks) == 0 {
		return values
	}
	s.Counting(r, func(b Block, from int) {
		if b.End <= len(values) {
			list = append(list, Middle(values[from:b.End]))
		}
	})
	return list
}

// Unit names what a sample is.
func (s *Samples) Unit() string {
	if len(s.Blocks) == 0 {
		return "samples"
	}
	return "blocks of repetitions"
}

// SoloAt gives the ops alone as they were at the time of a repetition.
func (s *Samples) SoloAt(rep int) []time.Duration {
	for _, b := range s.Blocks {
		if rep < b.End {
			return b.Solo
		}
	}
	return s.Solo
}

// PerLaunch are the samples when launches are ops of their own: of gives the op of each. The durations of ops alone go with them.
func (s Samples) PerLaunch(of []int32) Samples {
	s.Solo = EachLaunch(s.Solo, of)
	var blocks []Block
	for _, b := range s.Blocks {
		blocks = append(blocks, Block{b.End, EachLaunch(b.Solo, of)})
	}
	s.Blocks = blocks
	return s
}

// EachLaunch gives each launch the duration of its op; of is the op of each.
func EachLaunch(solo []time.Duration, of []int32) (all []time.Duration) {
	for _, op := range of {
		if op >= 0 && int(op) < len(solo) {
			all = append(all, solo[op])
		}
	}
	return all
}

// Percent is p % of d, rounded to the nanosecond.
func Percent(d time.Duration, p float64) time.Duration {
	return time.Duration(float64(d)*p/100 + 0.5)
}
