package overlap

import (
	"context"
	"fmt"
	"time"

	"github.com/gpu-overlap/overlap/gpu"
	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/judge"
	"github.com/gpu-overlap/overlap/judge/calls"
	"github.com/gpu-overlap/overlap/judge/sample"
	"github.com/gpu-overlap/overlap/measure"
	"github.com/gpu-overlap/overlap/order"
	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/verdict"
)

// Options say how a case is run. The zero value is the default.
type Options struct {
	// Reps is how many repetitions of each mode are run before judging. 0: one on a simulated device; on a GPU, what
	// fits into 150 ms, at least 6 and at most 101.
	Reps int
	// MaxReps is how many repetitions of each mode are taken at most when fewer do not decide. 0: 401. A device without
	// noise is never asked for more.
	MaxReps int
	// MaxTime is how long all that is run for a case may take, on the device's clock, when the first samples do not decide.
	// 0: four times as long as these took.
	MaxTime time.Duration
}

// Run runs a case on a device, giant, eager and replayed, interleaved with each op alone and with what measures a launch and
// a hand-off, and judges it. An error means that the case is not valid or that the device failed, not the schedule.
func Run(ctx context.Context, dev gpu.Device, c *Case, opt Options) (*Result, error) {
	all, err := Repeat(ctx, dev, c, opt, 1)
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

// Repeat runs a case n times, each time with fresh samples and a judgement of its own, on programs that are prepared
// once: it shows how often a verdict would be another.
func Repeat(ctx context.Context, dev gpu.Device, c *Case, opt Options, n int) ([]*Result, error) {
	switch {
	case c == nil:
		return nil, c.Validate()
	case dev == nil:
		return nil, fmt.Errorf("%s: no device; want one that Open gave", c.Place())
	case n < 1 || n > gpu.MostReps:
		return nil, fmt.Errorf("%s: %d runs; want 1 to %d", c.Place(), n, gpu.MostReps)
	case opt.Reps < 0 || opt.Reps > gpu.MostReps || opt.MaxReps < 0 || opt.MaxTime < 0:
		return nil, fmt.Errorf("%s: %d repetitions, at most %d in %v; want 0 for the default, or more, up to %d",
			c.Place(), opt.Reps, opt.MaxReps, opt.MaxTime, gpu.MostReps)
	case c.Raw && !c.Timed.Some():
		return nil, fmt.Errorf("%s: a program of driver calls none of which is timed; want `timed` before those that are", c.Place())
	}
	start := time.Now()
	b, err := measure.Prepare(ctx, dev, c)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	var results []*Result
	for range n {
		res, judging, err := once(ctx, b, c, opt)
		if err != nil {
			return nil, err
		}
		spent := b.Effort()
		res.Effort = Effort{All: time.Since(start), Preflight: spent.Preflight, Canaries: spent.Canaries, Judging: judging}
		results, start = append(results, res), time.Now()
	}
	return results, nil
}

// once takes fresh samples and judges them, again for as long as more samples or a twin of the schedule would say more.
func once(ctx context.Context, b *measure.Bench, c *Case, opt Options) (res *Result, judging time.Duration, err error) {
	if err := b.First(opt.Reps); err != nil {
		return nil, 0, err
	}
	for more := true; more; {
		start := time.Now()
		if res, err = resultOf(ctx, b, c); err != nil {
			return nil, 0, err
		}
		judging += time.Since(start)
		if more, err = sayMore(b, res, opt); err != nil {
			return nil, 0, err
		}
	}
	return res, judging, nil
}

// sayMore measures what the judgement lacks: samples for what is inconclusive, a twin for a cause that one confirms or
// refutes. It says whether it did.
func sayMore(b *measure.Bench, res *Result, opt Options) (more bool, err error) {
	if res.Inconclusive() {
		if more, err = b.More(res.needs(), measure.Bounds{Reps: opt.MaxReps, Time: opt.MaxTime}); more || err != nil {
			return more, err
		}
	}
	switch {
	case res.Eager.is(verdict.LaunchBound):
		return b.RunGated()
	case res.Eager.is(verdict.FalseDep):
		return b.RunWide()
	}
	return false, nil
}

// resultOf judges what was measured so far. It looks at ctx before each mode: what is being judged is judged to its end, which
// takes a second only of hundreds of thousands of ops.
func resultOf(ctx context.Context, b *measure.Bench, c *Case) (*Result, error) {
	res := &Result{Case: c, Info: b.Info(), Solo: b.Solo(), Costs: b.Costs()}
	environment, impossible := b.Environment()
	res.Environment = environment
	golden, err := goldenGraph(c)
	if err != nil {
		res.Failures = append(res.Failures, Failure{Where: c.Place(), What: err.Error()})
	}
	for _, m := range []struct {
		into *Mode
		mode measure.Mode
		ev   *judge.Evidence // nil: it is not judged
	}{
		{&res.Giant, measure.Giant, nil},
		{&res.Eager, measure.Eager, &judge.Evidence{Target: c.Expect.Eager, Line: c.Expect.Lines.Eager, Impossible: impossible}},
		{&res.Replay, measure.Replay, &judge.Evidence{Target: c.Expect.Replay, Line: c.Expect.Lines.Replay, Golden: golden}},
	} {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if *m.into, err = judged(b, c, m.mode, m.ev); err != nil {
			return nil, err
		}
	}
	if !res.Eager.missed() && res.Replay.is(verdict.Missed) && res.Eager.Verdict != nil {
		res.Replay.Verdict.Cause = verdict.LostInGraph
	}
	res.Verdict = *res.guilty().Verdict

	first := res.Replay.Program
	if res.Eager.Program != nil {
		first = res.Eager.Program
	}
	calls, of := order.Inline(first)
	imposed := order.Of(calls)
	res.Nominal = timesOf(calls.Intent, imposed, calls.Intent.Durations())
	res.Times = timesOf(calls.Intent, imposed, sample.EachLaunch(res.Solo, of))
	res.Failures = append(res.Failures, unmet(res, golden)...)
	return res, nil
}

// judged is one mode of the case; without evidence it is not judged.
func judged(b *measure.Bench, c *Case, mode measure.Mode, ev *judge.Evidence) (Mode, error) {
	m := Mode{Name: [...]string{schedule.GiantName, schedule.EagerName, schedule.ReplayName}[mode]}
	p, setup, reps, ok := b.Ran(mode)
	if !ok {
		return m, nil
	}
	m.Name, m.Program, m.Setup, m.Reps = p.Name, p, setup, reps
	if ev == nil {
		return m, nil
	}
	ev.Intent, ev.Program, ev.Expect, ev.Setup, ev.Samples = &c.Schedule.Intent, p, &c.Expect, setup, b.Samples(mode)
	a, err := judge.Judge(ev)
	m.Verdict, m.Account, m.Limit = &a.Verdict, a.Account, a.Limit
	return m, err
}

// captured is the graph that the replay captured; nil when there is none.
func (r *Result) captured() *graph.Graph {
	if r.Replay.Setup == nil {
		return nil
	}
	return r.Replay.Setup.Graph
}

// Check judges a program by its calls and nominal durations alone: no device is needed, and no target plays a part. What
// depends on how a device runs the calls it cannot find. An error says that the program is not valid.
func Check(p *schedule.Program) (verdict.Verdict, error) { return calls.Check(p) }
