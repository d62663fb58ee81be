package overlap

import (
	"slices"
	"time"

	"github.com/gpu-overlap/overlap/schedule"
)

// Block is some repetitions that were taken together, and the ops alone, measured among them. A wall time is held against
// the ops alone of its own block: when the clocks drift, both drift. One block gives one sample: its median.
type Block struct {
	End  int             // the index after its last repetition
	Solo []time.Duration // by op: medians within the block
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
		if b.End > from && !stretched[from] && !stretched[b.End] {
			do(b, from)
		}
		from = b.End
	}
}

// samples gives the median of each block that counts. Without blocks each repetition is a sample.
func (j *judgement) samples(of func(rep int) time.Duration) (list []time.Duration) {
	all := func(from, end int) (values []time.Duration) {
		for rep := from; rep < end; rep++ {
			values = append(values, of(rep))
		}
		return values
	}
	if len(j.Blocks) == 0 {
		return all(0, len(j.Reps))
	}
	j.eachBlock(func(b Block, from int) { list = append(list, middle(all(from, b.End))) })
	return list
}

// unit names what a sample is.
func (j *judgement) unit() string {
	if len(j.Blocks) == 0 {
		return "samples"
	}
	return "blocks of repetitions"
}

// walls are the samples of the wall time, each as if the ops alone had taken at that time what they take over all: in
// proportion to the limits.
func (j *judgement) walls() []time.Duration {
	wall := func(rep int) time.Duration { return j.Reps[rep].Wall }
	list := j.samples(wall)
	if len(j.Blocks) == 0 {
		return list
	}
	limit, i := float64(j.limit(j.order).Total()), 0
	j.eachBlock(func(b Block, _ int) {
		then := j.limitOf(j.order, b.Solo).Total()
		list[i] = nanoseconds(float64(list[i]) * limit / float64(max(then, 1)))
		i++
	})
	return list
}

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
