package judge

import (
	"math"
	"slices"
	"time"

	"github.com/gpu-overlap/overlap/judge/sample"
)

// pair gives the wall time of each repetition as if the ops alone had taken at that time what they take over all: in
// proportion to the limits. Those of blocks that do not count are 0, unless none counts.
func (f *facts) pair() []time.Duration {
	walls := make([]time.Duration, len(f.Reps))
	if len(f.Blocks) > 0 {
		f.Counting(f.reading, func(b sample.Block, from int) { f.pairBlock(b, from, walls) })
		if len(walls) > 0 && slices.Max(walls) > 0 {
			return walls
		}
	}
	for rep := range f.Reps {
		walls[rep] = f.Reps[rep].Wall
	}
	return walls
}

func (f *facts) pairBlock(b sample.Block, from int, walls []time.Duration) {
	limit, then := float64(f.limit.Total()), max(f.limitOf(f.imposed(), b.Solo).Total(), 1)
	for rep := from; rep < b.End; rep++ {
		walls[rep] = sample.Round(float64(f.Reps[rep].Wall) * limit / float64(then))
	}
}

// overAnyway says of samples that do not decide because blocks were set aside that they do all the same: a load only
// adds time, so that without it no block was faster than the fastest of all, less what the most stretched canary was
// stretched by. When even that is over the limit, the load is not why.
func (f *facts) overAnyway(limit time.Duration) bool {
	if !f.reading.Disturbed() || len(f.Blocks) < sample.Enough {
		return false
	}
	walls, from, fastest := make([]time.Duration, len(f.Reps)), 0, time.Duration(math.MaxInt64)
	for _, b := range f.Blocks {
		if b.End <= from || b.End > len(f.Reps) {
			return false
		}
		f.pairBlock(b, from, walls)
		fastest = min(fastest, slices.Min(walls[from:b.End]))
		from = b.End
	}
	return float64(fastest) > float64(limit)*f.reading.Most
}

// withinAnyway says the opposite of such samples: with the load, all blocks together are within what the ops alone
// allow at their fastest. What is granted for launches and hand-offs is left out, for a load may have stretched what
// measured that.
func (f *facts) withinAnyway() bool {
	if !f.reading.Disturbed() || len(f.Blocks) < sample.Enough {
		return false
	}
	var walls []time.Duration
	fastest, from := slices.Clone(f.Blocks[0].Solo), 0
	for _, b := range f.Blocks {
		if b.End <= from || b.End > len(f.Reps) {
			return false
		}
		block := make([]time.Duration, 0, b.End-from)
		for _, t := range f.Reps[from:b.End] {
			block = append(block, t.Wall)
		}
		walls = append(walls, sample.Middle(block))
		for op, d := range b.Solo {
			fastest[op] = min(fastest[op], d)
		}
		from = b.End
	}
	l := f.limitOf(f.imposed(), fastest)
	return sample.Of(walls, false).AtMost(l.Base+sample.Percent(l.Base, l.Percent)) == sample.Within
}
