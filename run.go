package overlap

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/gpu-overlap/overlap/bound"
	"github.com/gpu-overlap/overlap/gpu"
	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/graph/dot"
	"github.com/gpu-overlap/overlap/internal/preflight"
	"github.com/gpu-overlap/overlap/order"
	"github.com/gpu-overlap/overlap/schedule"
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

// Mode is what came of one way of running a schedule.
type Mode struct {
	Name    string
	Program *schedule.Program
	Setup   *gpu.Setup
	Reps    []gpu.Transcript
	Limit   Limit
	Verdict Verdict // of eager and replay; giant is not judged
	// Account says where the wall time of eager and replay went; nil when the mode did not run.
	Account *Account
}

// Wall is the wall time over the repetitions.
func (m *Mode) Wall(steady bool) Estimate {
	ev := judgement{Evidence: &Evidence{Reps: m.Reps, Steady: steady}}
	return ev.wall()
}

// Span is the time from the first start to the last end of an op, over the repetitions.
func (m *Mode) Span(steady bool) Estimate { return m.estimate(steady, (*gpu.Transcript).DeviceSpan) }

// Issue is the host time that issuing the schedule took, over the repetitions.
func (m *Mode) Issue(steady bool) Estimate {
	return m.estimate(steady, func(t *gpu.Transcript) time.Duration { return t.Issue })
}

func (m *Mode) estimate(steady bool, of func(*gpu.Transcript) time.Duration) Estimate {
	samples := make([]time.Duration, len(m.Reps))
	for i := range m.Reps {
		samples[i] = of(&m.Reps[i])
	}
	return estimate(samples, steady)
}

// Result is all that came of running a case on a device.
type Result struct {
	Case    *Case
	Info    gpu.Info
	Nominal Times           // of the durations that the case gives
	Times   Times           // of durations measured alone in this run
	Solo    []time.Duration // by op
	Giant   Mode
	Eager   Mode     // of a program with a timed part: not run, and met
	Replay  Mode     // or the timed part of a program
	Costs   [2]Costs // eager, replay
	Verdict Verdict  // the first of eager and replay that is not met
	// Preflight is what stands out about the environment, what makes overlap impossible first.
	Preflight []preflight.Finding
	// Effort is what it took to get here. No verdict depends on it.
	Effort Effort
	// Failures are the expectations of the case that do not hold, each a line that starts with file:line. It is empty
	// when the case gave what it expects, be that a miss.
	Failures []string
}

// Effort is time of the host: of all since the case was prepared, and of what would not be needed were the device known to be
// quiet: looking at the environment, canaries, and judging. Of a case that is repeated, All and Canaries are of this repetition
// and Preflight of the first.
type Effort struct{ All, Preflight, Canaries, Judging time.Duration }

// Run runs a case on a device, giant, eager and replayed, interleaved with each op alone and with probes of what a
// launch and a hand-off cost, and judges it. An error means that the device failed, not the schedule.
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
	if c.Raw && !c.Timed.Some() {
		return nil, fmt.Errorf("%s: a program of driver calls none of which is timed; want `timed` before those that are", c.File)
	}
	if len(c.Env) > 0 {
		own, err := dev.WithEnv(ctx, c.Env)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.File, err)
		}
		defer own.Close()
		dev = own
	}
	start := time.Now()
	r := &runner{ctx: ctx, dev: dev, c: c, info: dev.Info()}
	r.preflight = environment(r.info, c.Env)
	r.effort.Preflight = time.Since(start)
	defer r.close()
	if err := r.prepare(); err != nil {
		return nil, err
	}
	results := make([]*Result, n)
	for i := range results {
		var err error
		if results[i], err = r.once(opt); err != nil {
			return nil, err
		}
		r.effort.All = time.Since(start)
		results[i].Effort = r.effort
		start, r.effort = time.Now(), Effort{}
	}
	return results, nil
}

// Inconclusive says whether the samples of a mode did not decide.
func (r *Result) Inconclusive() bool {
	return r.Eager.Verdict.Cause == Inconclusive || r.Replay.Verdict.Cause == Inconclusive
}

func (r *runner) result() *Result {
	defer spend(&r.effort.Judging)()
	res := &Result{Case: r.c, Info: r.info, Preflight: r.preflight, Solo: r.soloDurations()}
	calls, of := order.Inline(r.judged()[0].run.Program())
	imposed := order.Of(calls)
	res.Nominal = timesOf(calls.Intent, imposed, calls.Intent.Durations())
	res.Times = timesOf(calls.Intent, imposed, again(res.Solo, of))
	res.Giant = Mode{Name: schedule.GiantName, Program: r.giant.run.Program(), Setup: r.giant.run.Setup(), Reps: r.giant.reps}
	for i, p := range r.probes {
		res.Costs[i] = p.costs()
	}
	var giant []time.Duration
	for i := range r.giant.reps {
		giant = append(giant, r.giant.reps[i].Wall)
	}
	golden, err := goldenGraph(r.c)
	e := &r.c.Expect
	res.Eager = Mode{Name: schedule.EagerName, Setup: &gpu.Setup{}, Verdict: Verdict{Cause: Met}}
	if r.eager != nil {
		res.Eager = r.judge(r.eager, res, &Evidence{Target: e.Eager, Line: e.Lines.Eager, Costs: res.Costs[0],
			Gated: r.gated, Wide: r.wide, Giant: giant, Impossible: preflight.Stop(r.preflight)})
	}
	res.Replay = r.judge(r.replay, res, &Evidence{Target: e.Replay, Line: e.Lines.Replay, Costs: res.Costs[1], Golden: golden, Giant: giant})
	if res.Eager.Verdict.Met() && res.Replay.Verdict.Cause == Missed {
		res.Replay.Verdict.Cause = LostInGraph
	}
	res.Verdict = res.Eager.Verdict
	if res.Verdict.Met() {
		res.Verdict = res.Replay.Verdict
	}
	if err != nil {
		res.Failures = append(res.Failures, err.Error())
	}
	res.Failures = append(res.Failures, unmet(res)...)
	return res
}

// judge completes what differs between the modes with what they share.
func (r *runner) judge(s *sampled, res *Result, ev *Evidence) Mode {
	m := Mode{Name: s.run.Program().Name, Program: s.run.Program(), Setup: s.run.Setup(), Reps: s.reps}
	ev.Intent, ev.Program, ev.Expect = &r.c.Schedule.Intent, m.Program, &r.c.Expect
	ev.Setup, ev.Reps, ev.Solo = m.Setup, m.Reps, res.Solo
	ev.Exact, ev.Steady = r.info.Exact, r.steady()
	r.evidence(ev, func(b taken) int {
		if s == r.replay {
			return b.replay
		}
		return b.eager
	})
	m.Verdict, m.Account, m.Limit = judge(ev)
	return m
}

func (r *runner) soloDurations() []time.Duration {
	byClass := make([]time.Duration, len(r.solo))
	for c, s := range r.solo {
		byClass[c] = estimate(durations(s.reps), r.steady()).Median
	}
	return r.byOp(byClass)
}

func timesOf(in *schedule.Intent, imposed *order.Order, dur []time.Duration) Times {
	t := Times{Serial: bound.Serial(dur), Ideal: bound.Ideal(in, dur)}
	if best, ok := bound.Optimal(in, dur); ok {
		t.Optimal = best
	}
	t.Scheduled = bound.Scheduled(imposed, dur).Makespan
	return t
}

// goldenGraph is the graph that the case records; nil when it records none. Its nodes carry the names of ops.
func goldenGraph(c *Case) (*graph.Graph, error) {
	if c.Graph == "" {
		return nil, nil
	}
	g, err := dot.Read(strings.NewReader(c.Graph))
	if err != nil {
		return nil, fmt.Errorf("%s: graph.dot: %w", c.File, err)
	}
	return g, nil
}
