package overlap

import (
	"math"
	"slices"
	"time"

	"github.com/gpu-overlap/overlap/schedule"
)

// Block is some repetitions that were taken together, and the ops alone as they were then. A wall time is held against
// the ops alone of its own block: when the clocks drift, both drift. One block gives one sample: its median.
type Block struct {
	End  int             // the index after its last repetition
	Solo []time.Duration // by op: medians within the block and the two beside it
}

// reading is what the canaries say, read once.
func (j *judgement) reading() reading {
	if j.canaries == nil {
		r := readCanaries(j.Canary)
		j.canaries = &r
	}
	return *j.canaries
}

// eachBlock goes through the blocks, without those beside a stretched canary.
func (j *judgement) eachBlock(do func(b Block, from int)) {
	stretched := map[int]bool{}
	for i, s := range j.reading().stretched {
		if s {
			stretched[j.Canary[i].Before] = true
		}
	}
	from := 0
	for _, b := range j.Blocks {
		if b.End > from && b.End <= len(j.Reps) && !stretched[from] && !stretched[b.End] {
			do(b, from)
		}
		from = b.End
	}
}

// samples gives the median of each block that counts. Without blocks each repetition is a sample.
func (j *judgement) samples(values []time.Duration) (list []time.Duration) {
	if len(j.Blocks) == 0 {
		return values
	}
	j.eachBlock(func(b Block, from int) { list = append(list, middle(values[from:b.End])) })
	return list
}

// unit names what a sample is.
func (j *judgement) unit() string {
	if len(j.Blocks) == 0 {
		return "samples"
	}
	return "blocks of repetitions"
}

// pairedReps gives the wall time of each repetition as if the ops alone had taken at that time what they take over all:
// in proportion to the limits. Those of blocks that do not count are 0, unless none counts.
func (j *judgement) pairedReps() []time.Duration {
	if j.paired == nil {
		j.paired = j.pair()
	}
	return j.paired
}

func (j *judgement) pair() []time.Duration {
	walls := make([]time.Duration, len(j.Reps))
	if len(j.Blocks) > 0 {
		j.eachBlock(func(b Block, from int) { j.pairBlock(b, from, walls) })
		if len(walls) > 0 && slices.Max(walls) > 0 {
			return walls
		}
	}
	for rep := range j.Reps {
		walls[rep] = j.Reps[rep].Wall
	}
	return walls
}

func (j *judgement) pairBlock(b Block, from int, walls []time.Duration) {
	limit, then := float64(j.limit().Total()), max(j.limitOf(j.order, b.Solo).Total(), 1)
	for rep := from; rep < b.End; rep++ {
		walls[rep] = nanoseconds(float64(j.Reps[rep].Wall) * limit / float64(then))
	}
}

// overAnyway says of samples that do not decide because blocks were set aside that they do all the same: a load only adds
// time, so that without it no block was faster than the fastest of all, less what the most stretched canary was stretched
// by. When even that is over the limit, the load is not why.
func (j *judgement) overAnyway(limit time.Duration) bool {
	if !j.reading().disturbed() || len(j.Blocks) < enough {
		return false
	}
	walls, from, fastest := make([]time.Duration, len(j.Reps)), 0, time.Duration(math.MaxInt64)
	for _, b := range j.Blocks {
		if b.End <= from || b.End > len(j.Reps) {
			return false
		}
		j.pairBlock(b, from, walls)
		fastest = min(fastest, slices.Min(walls[from:b.End]))
		from = b.End
	}
	return float64(fastest) > float64(limit)*j.reading().most
}

// withinAnyway says the opposite of such samples: with the load, all blocks together are within what the ops alone allow at
// their fastest. What is granted for launches and hand-offs is left out, for a load may have stretched what measured that.
func (j *judgement) withinAnyway() bool {
	if !j.reading().disturbed() || len(j.Blocks) < enough {
		return false
	}
	var walls []time.Duration
	fastest, from := slices.Clone(j.Blocks[0].Solo), 0
	for _, b := range j.Blocks {
		if b.End <= from || b.End > len(j.Reps) {
			return false
		}
		block := make([]time.Duration, 0, b.End-from)
		for _, t := range j.Reps[from:b.End] {
			block = append(block, t.Wall)
		}
		walls = append(walls, middle(block))
		for op, d := range b.Solo {
			fastest[op] = min(fastest[op], d)
		}
		from = b.End
	}
	l := j.limitOf(j.order, fastest)
	return estimate(walls, false).atMost(l.Base+percent(l.Base, l.Percent)) == within
}

// walls are the samples of the wall time, paired with the ops alone of their time.
func (j *judgement) walls() []time.Duration { return j.samples(j.pairedReps()) }

func (j *judgement) wall() Estimate { return estimate(j.walls(), j.Steady) }

// soloAt gives the ops alone as they were at the time of a repetition.
func (j *judgement) soloAt(rep int) []time.Duration {
	for _, b := range j.Blocks {
		if rep < b.End {
			return b.Solo
		}
	}
	return j.Solo
}

// again gives the durations of ops for launches that are ops of their own: of is the op of each.
func again(solo []time.Duration, of []int32) (all []time.Duration) {
	for _, op := range of {
		if op != schedule.None && int(op) < len(solo) {
			all = append(all, solo[op])
		}
	}
	return all
}

// middle is the median of a few values; of an even number the mean of the two in the middle.
func middle(values []time.Duration) time.Duration {
	return nanoseconds(quantile(slices.Sorted(slices.Values(values)), 0.5))
}
