package measure

import (
	"fmt"
	"slices"
	"time"

	"github.com/gpu-overlap/overlap/bound"
	"github.com/gpu-overlap/overlap/gpu"
	"github.com/gpu-overlap/overlap/judge/sample"
	"github.com/gpu-overlap/overlap/schedule"
)

const (
	// mostBlocks is into how many blocks the first repetitions are divided, when there are as many: of 12 samples the third
	// to the tenth are the interval of the median.
	mostBlocks = 12
	// defaultMostReps is how many repetitions of each mode are taken at most.
	defaultMostReps = 401
	// mostTimes is how many times as long as the first samples all of them may take.
	mostTimes = 4
)

// taken is a block of repetitions: how many there were at its end.
type taken struct {
	eager, replay int
	solo          []int // by class
}

// defaultReps is how many repetitions fit into 150 ms, within limits.
func (b *Bench) defaultReps() int {
	if b.Steady() {
		return 1
	}
	per := 2 * bound.Serial(b.c.Schedule.Intent.Durations())
	return int(min(max(150*time.Millisecond/max(per, 1), sample.Enough), 101))
}

// First drops what was measured and takes the first repetitions of everything, reps of each mode; 0: one on a steady
// device, else as many as fit into 150 ms, at least 6 and at most 101. The giant batch is only run with the first block
// and the last, unless the case wants it beaten.
func (b *Bench) First(reps int) error {
	if !b.prepared() || reps > gpu.MostReps {
		return fmt.Errorf("%d repetitions; want at most %d, of a case that Prepare has prepared", reps, gpu.MostReps)
	}
	for _, s := range b.all {
		s.reps = nil
	}
	b.gated, b.wide, b.blocks, b.canaries, b.spent = nil, nil, nil, nil, 0
	if reps <= 0 {
		reps = b.defaultReps()
	}
	b.reps = reps
	if b.Steady() {
		if err := b.sample(append(b.measures(), b.giant), 1); err != nil {
			return err
		}
		return b.sample(b.modes(), reps)
	}
	if err := b.runCanary(); err != nil {
		return err
	}
	n := min(reps, mostBlocks)
	for i := range n {
		if err := b.block((i+1)*reps/n-i*reps/n, i == 0 || i == n-1); err != nil {
			return err
		}
	}
	b.first, b.firstN, b.size = b.spent, n, reps/n
	return nil
}

// prepared says whether Prepare made the bench.
func (b *Bench) prepared() bool { return b.replay != nil }

// Bounds limit what is taken when the first repetitions do not decide.
type Bounds struct {
	Reps int           // of each mode, at most; 0: 401
	Time time.Duration // of all that is run, on the device's clock; 0: four times as long as the first took
}

// More takes further blocks, as many as would settle it, but at most as many again as there are; within the bounds. needs
// is about how many samples would settle it, 0 when that is not known. more is false when nothing was taken.
func (b *Bench) More(needs int, most Bounds) (more bool, err error) {
	if !b.prepared() || b.Steady() || b.firstN == 0 {
		return false, nil
	}
	if most.Reps <= 0 {
		most.Reps = defaultMostReps
	}
	if most.Time <= 0 {
		most.Time = mostTimes * b.first
	}
	n := len(b.blocks)
	further := n
	if needs > 0 {
		further = min(n, max(needs-n, 2))
	}
	further = min(further, (most.Reps-b.reps)/b.size, int((most.Time-b.spent)/max(b.first/time.Duration(b.firstN), 1)))
	for range further {
		if err := b.block(b.size, false); err != nil {
			return false, err
		}
		b.reps += b.size
	}
	return further > 0, nil
}

// modes are what is judged.
func (b *Bench) modes() []*sampled {
	if b.eager == nil {
		return []*sampled{b.replay}
	}
	return []*sampled{b.eager, b.replay}
}

// measures are what the modes are held against.
func (b *Bench) measures() []*sampled {
	list := slices.Clone(b.solo)
	for _, p := range b.costs {
		list = append(list, p.launch, p.chain)
	}
	return list
}

// block takes a block of repetitions of the modes, half as many of the measures in its middle, and a canary after it.
func (b *Bench) block(reps int, giant bool) error {
	half := max(1, reps/2)
	before := (reps - half) / 2
	all := append(b.modes(), b.measures()...)
	if giant || b.c.Expect.Beats.Given {
		if err := b.sample([]*sampled{b.giant}, 1); err != nil {
			return err
		}
	}
	for _, part := range []struct {
		runs []*sampled
		reps int
	}{{b.modes(), before}, {all, half}, {b.modes(), reps - half - before}} {
		if err := b.sample(part.runs, part.reps); err != nil {
			return err
		}
	}
	t := taken{replay: len(b.replay.reps)}
	if b.eager != nil {
		t.eager = len(b.eager.reps)
	}
	for _, s := range b.solo {
		t.solo = append(t.solo, len(s.reps))
	}
	b.blocks = append(b.blocks, t)
	return b.runCanary()
}

// runCanary runs it a few times in a row.
func (b *Bench) runCanary() error {
	start := time.Now()
	defer func() { b.effort.Canaries += time.Since(start) }()
	b.canary.reps = nil
	if err := b.sample([]*sampled{b.canary}, sample.CanaryRuns); err != nil {
		return err
	}
	c := sample.Canary{Before: len(b.blocks)}
	for _, t := range b.canary.reps {
		c.Durs, c.Walls = append(c.Durs, t.Spans[0].Dur()), append(c.Walls, t.Wall)
	}
	b.canaries = append(b.canaries, c)
	return nil
}

// canaryProgram launches the longest op that is short enough for a canary; when all are longer, one of its own.
func canaryProgram(s *schedule.Schedule, first []int32) *schedule.Program {
	in, longest := &s.Intent, schedule.None
	for _, op := range first {
		o := &in.Ops[op]
		if o.Kind != schedule.Host && o.Dur <= sample.LongestCanary && (longest == schedule.None || o.Dur > in.Ops[longest].Dur) {
			longest = op
		}
	}
	if longest == schedule.None || slices.Max(in.Durations()) > sample.LongestCanary {
		return schedule.Chain(1, sample.LongestCanary, 2).Eager()
	}
	return s.Solo(longest).Eager()
}
