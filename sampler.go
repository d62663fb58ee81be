package overlap

import (
	"slices"
	"time"

	"github.com/gpu-overlap/overlap/bound"
	"github.com/gpu-overlap/overlap/gpu"
	"github.com/gpu-overlap/overlap/schedule"
)

const (
	// maxBlocks is into how many blocks the first repetitions are divided, when there are as many: of 12 samples the third
	// to the tenth are the interval of the median.
	maxBlocks = 12
	// defaultMaxReps is how many repetitions of each mode are taken at most.
	defaultMaxReps = 401
	// maxTimes is how many times as long as the first samples all of them may take.
	maxTimes = 4
)

// taken is a block of repetitions as the runner counts them: how many there were at its end.
type taken struct {
	eager, replay int
	solo          []int // by class
}

// steady says that the device has no noise: one repetition tells it all.
func (r *runner) steady() bool { return r.info.Simulated && !r.info.Noisy }

// defaultReps is how many repetitions fit into 150 ms, within limits.
func (r *runner) defaultReps() int {
	if r.steady() {
		return 1
	}
	per := 2 * bound.Serial(r.c.Schedule.Intent.Durations())
	return int(min(max(150*time.Millisecond/max(per, 1), enough), 101))
}

// canaryProgram launches the longest op that is short enough for a canary; when all are longer, one of its own.
func (r *runner) canaryProgram(first []int32) *schedule.Program {
	in, longest := &r.c.Schedule.Intent, schedule.None
	for _, op := range first {
		if o := &in.Ops[op]; o.Kind != schedule.Host && o.Dur <= canaryOp && (longest == schedule.None || o.Dur > in.Ops[longest].Dur) {
			longest = op
		}
	}
	if longest == schedule.None || slices.Max(in.Durations()) > canaryOp {
		return schedule.Chain(1, canaryOp, 2).Eager()
	}
	return r.c.Schedule.Solo(longest).Eager()
}

// once takes fresh samples and judges them. Samples that do not decide are added to.
func (r *runner) once(opt Options) (*Result, error) {
	for _, s := range r.all {
		s.reps = nil
	}
	r.gated, r.wide, r.blocks, r.canaries, r.spent = nil, nil, nil, nil, 0
	reps := opt.Reps
	if reps <= 0 {
		reps = r.defaultReps()
	}
	if err := r.first(reps); err != nil {
		return nil, err
	}
	res := r.result()
	if !r.steady() {
		var err error
		if res, err = r.settle(res, reps, opt); err != nil {
			return nil, err
		}
	}
	return r.withTwins(res)
}

// first takes the first repetitions of everything. The giant batch is only run with the first block and the last, unless
// the case wants it beaten.
func (r *runner) first(reps int) error {
	if r.steady() {
		if err := r.sample(append(r.measures(), r.giant), 1); err != nil {
			return err
		}
		return r.sample(r.judged(), reps)
	}
	if err := r.sing(); err != nil {
		return err
	}
	n := min(reps, maxBlocks)
	for i := range n {
		if err := r.block((i+1)*reps/n-i*reps/n, i == 0 || i == n-1); err != nil {
			return err
		}
	}
	return nil
}

func (r *runner) judged() []*sampled {
	if r.eager == nil {
		return []*sampled{r.replay}
	}
	return []*sampled{r.eager, r.replay}
}

// measures are what the modes are held against.
func (r *runner) measures() []*sampled {
	list := slices.Clone(r.solo)
	for _, p := range r.probes {
		list = append(list, p.launch, p.chain)
	}
	return list
}

// block takes a block of repetitions of the modes that are judged, half as many of the measures in its middle, and a
// canary after it.
func (r *runner) block(reps int, giant bool) error {
	half := max(1, reps/2)
	before := (reps - half) / 2
	all := append(r.judged(), r.measures()...)
	if giant || r.c.Expect.Beats.Given {
		if err := r.sample([]*sampled{r.giant}, 1); err != nil {
			return err
		}
	}
	for _, part := range []struct {
		runs []*sampled
		reps int
	}{{r.judged(), before}, {all, half}, {r.judged(), reps - half - before}} {
		if err := r.sample(part.runs, part.reps); err != nil {
			return err
		}
	}
	b := taken{replay: len(r.replay.reps)}
	if r.eager != nil {
		b.eager = len(r.eager.reps)
	}
	for _, s := range r.solo {
		b.solo = append(b.solo, len(s.reps))
	}
	r.blocks = append(r.blocks, b)
	return r.sing()
}

// sing runs the canary.
func (r *runner) sing() error {
	defer spend(&r.effort.Canaries)()
	r.canary.reps = nil
	if err := r.sample([]*sampled{r.canary}, canaryRuns); err != nil {
		return err
	}
	c := Canary{Before: len(r.blocks)}
	for _, t := range r.canary.reps {
		c.Durs, c.Walls = append(c.Durs, t.Spans[0].Dur()), append(c.Walls, t.Wall)
	}
	r.canaries = append(r.canaries, c)
	return nil
}

// spend adds the time until its result is called to a sum.
func spend(sum *time.Duration) func() {
	start := time.Now()
	return func() { *sum += time.Since(start) }
}

// settle takes further blocks for as long as the samples do not decide, as many as would settle it, but at most as many
// again as there are at a time; within the limits of the options.
func (r *runner) settle(res *Result, reps int, opt Options) (*Result, error) {
	first, n := r.spent, len(r.blocks)
	size := reps / n
	limit, budget := opt.MaxReps, opt.MaxTime
	if limit <= 0 {
		limit = defaultMaxReps
	}
	if budget <= 0 {
		budget = maxTimes * first
	}
	for res.Inconclusive() {
		further := min(len(r.blocks), max(res.needs()-len(r.blocks), 2))
		if res.needs() == 0 {
			further = len(r.blocks)
		}
		further = min(further, (limit-reps)/size, int((budget-r.spent)/max(first/time.Duration(n), 1)))
		if further <= 0 {
			return res, nil
		}
		for range further {
			if err := r.block(size, false); err != nil {
				return nil, err
			}
		}
		reps += further * size
		res = r.result()
	}
	return res, nil
}

// needs is about how many samples would settle both modes; 0 when none would.
func (r *Result) needs() (n int) {
	for _, v := range []Verdict{r.Eager.Verdict, r.Replay.Verdict} {
		if v.Cause == Inconclusive && v.Needs == 0 {
			return 0
		}
		n = max(n, v.Needs)
	}
	return n
}

// evidence gives the blocks of one mode, and the canaries between them. The ops alone are those of the block and the two
// beside it: of few samples with scatter, the larger of two ends of a path would be larger than it is.
func (r *runner) evidence(ev *Evidence, end func(taken) int) {
	ends := []int{0} // of as many blocks
	for i, b := range r.blocks {
		byClass := make([]time.Duration, len(r.solo))
		for c, s := range r.solo {
			from := 0
			if i > 1 {
				from = r.blocks[i-2].solo[c]
			}
			next := r.blocks[min(i+1, len(r.blocks)-1)].solo[c]
			byClass[c] = middle(durations(s.reps[from:next]))
		}
		ev.Blocks = append(ev.Blocks, Block{End: end(b), Solo: r.byOp(byClass)})
		ends = append(ends, end(b))
	}
	for _, c := range r.canaries {
		c.Before = ends[c.Before]
		ev.Canary = append(ev.Canary, c)
	}
}

// durations are those of the one op of a program.
func durations(reps []gpu.Transcript) (list []time.Duration) {
	for i := range reps {
		list = append(list, reps[i].Spans[0].Dur())
	}
	return list
}

// byOp gives each op what its class has.
func (r *runner) byOp(byClass []time.Duration) []time.Duration {
	list := make([]time.Duration, len(r.class))
	for op, c := range r.class {
		list[op] = byClass[c]
	}
	return list
}
