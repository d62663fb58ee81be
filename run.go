package overlap

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gpu-overlap/overlap/bound"
	"github.com/gpu-overlap/overlap/gpu"
	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/schedule"
)

// Options say how a case is run. The zero value is the default.
type Options struct {
	// Reps is how many repetitions of each mode are run before judging. 0: one on a simulated device; on a GPU, what
	// fits into a quarter of a second, at least 6 and at most 101.
	Reps int
}

// Mode is what came of one way of running a schedule.
type Mode struct {
	Name    string
	Program *schedule.Program
	Setup   *gpu.Setup
	Reps    []gpu.Transcript
	Limit   Limit
	Verdict Verdict // of eager and replay; giant is not judged
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
	Eager   Mode
	Replay  Mode
	Costs   [2]Costs // eager, replay
	Verdict Verdict  // the first of eager and replay that is not met
	// Failures are the expectations of the case that do not hold, each a line that starts with file:line. It is empty
	// when the case gave what it expects, be that a miss.
	Failures []string
}

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
	if c.Raw {
		return nil, fmt.Errorf("%s: a program of driver calls is run by Probe, not as a case", c.File)
	}
	r := &runner{ctx: ctx, dev: dev, c: c, info: dev.Info()}
	defer r.close()
	if err := r.prepare(); err != nil {
		return nil, err
	}
	reps := opt.Reps
	if reps <= 0 {
		reps = r.defaultReps()
	}
	results := make([]*Result, n)
	for i := range results {
		var err error
		if results[i], err = r.once(reps); err != nil {
			return nil, err
		}
	}
	return results, nil
}

// once takes fresh samples and judges them. Samples that do not decide are added to, up to four times as many.
func (r *runner) once(reps int) (*Result, error) {
	for _, s := range r.all {
		s.reps = nil
	}
	if err := r.first(reps); err != nil {
		return nil, err
	}
	res := r.result()
	for taken := reps; !r.info.Simulated && res.Inconclusive() && taken < 4*reps; taken += reps {
		if err := r.more(reps); err != nil {
			return nil, err
		}
		res = r.result()
	}
	return res, nil
}

// Inconclusive says whether the samples of a mode did not decide.
func (r *Result) Inconclusive() bool {
	return r.Eager.Verdict.Cause == Inconclusive || r.Replay.Verdict.Cause == Inconclusive
}

// runner holds what is prepared for one case.
type runner struct {
	ctx  context.Context
	dev  gpu.Device
	c    *Case
	info gpu.Info

	giant, eager, replay *sampled
	class                []int32    // of each op
	solo                 []*sampled // by class
	probes               [2]probe   // eager, replay
	all                  []*sampled
}

// sampled is a prepared program and its repetitions so far.
type sampled struct {
	run  gpu.Run
	reps []gpu.Transcript
}

// ok says whether the program's Setup gave what it should, so that its Body may run.
func (s *sampled) ok() bool {
	return gpu.Check(s.run.Program(), s.run.Program().Setup, s.run.Setup().Codes) == nil
}

func (r *runner) add(p *schedule.Program) (*sampled, error) {
	run, err := r.dev.Prepare(r.ctx, p)
	if err != nil {
		return nil, fmt.Errorf("%s: %s: %w", p.File, p.Name, err)
	}
	s := &sampled{run: run}
	r.all = append(r.all, s)
	return s, nil
}

func (r *runner) close() {
	for _, s := range r.all {
		s.run.Close()
	}
}

func (r *runner) prepare() error {
	var err error
	add := func(p *schedule.Program) *sampled {
		if err != nil {
			return nil
		}
		var s *sampled
		s, err = r.add(p)
		return s
	}
	sch := &r.c.Schedule
	r.giant, r.eager, r.replay = add(sch.Giant()), add(sch.Eager()), add(sch.Replay())
	first, class := sch.Intent.SoloClasses()
	r.class = class
	for _, op := range first {
		solo := sch.Solo(op).Eager()
		solo.Name = schedule.SoloName
		r.solo = append(r.solo, add(solo))
	}
	for i, replay := range []bool{false, true} {
		launch, chain := probePrograms(replay)
		r.probes[i] = probe{launch: add(launch), chain: add(chain)}
	}
	return err
}

// defaultReps is how many repetitions fit into a quarter of a second, within limits.
func (r *runner) defaultReps() int {
	if r.info.Simulated {
		return 1
	}
	per := 2 * bound.Serial(r.c.Schedule.Intent.Durations())
	return int(min(max(250*time.Millisecond/max(per, 1), 6), 101))
}

// first takes the first repetitions of everything, interleaved. What only serves as a measure takes fewer, the giant
// batch, which is not judged, fewest.
func (r *runner) first(reps int) error {
	judged := []*sampled{r.eager, r.replay}
	measures := slices.Clone(r.solo)
	for _, p := range r.probes {
		measures = append(measures, p.launch, p.chain)
	}
	few := min(reps, max(3, reps/2))
	fewest := min(few, 2)
	if err := r.sample(slices.Concat(judged, measures, []*sampled{r.giant}), fewest); err != nil {
		return err
	}
	if err := r.sample(slices.Concat(judged, measures), few-fewest); err != nil {
		return err
	}
	return r.more(reps - few)
}

// more takes further repetitions of the modes that are judged.
func (r *runner) more(reps int) error {
	return r.sample([]*sampled{r.eager, r.replay}, reps)
}

func (r *runner) sample(runs []*sampled, reps int) error {
	var ready []gpu.Run
	var into []*sampled
	for _, s := range runs {
		if s.ok() {
			ready, into = append(ready, s.run), append(into, s)
		}
	}
	if reps <= 0 || len(ready) == 0 {
		return nil
	}
	got, err := r.dev.Sample(r.ctx, ready, reps)
	if err != nil {
		return fmt.Errorf("%s: %w", r.c.File, err)
	}
	for i, s := range into {
		s.reps = append(s.reps, got[i]...)
	}
	return nil
}

func (r *runner) result() *Result {
	in := &r.c.Schedule.Intent
	res := &Result{Case: r.c, Info: r.info, Nominal: timesOf(r.eager.run.Program(), in.Durations()), Solo: r.soloDurations()}
	res.Times = timesOf(r.eager.run.Program(), res.Solo)
	res.Giant = Mode{Name: schedule.GiantName, Program: r.giant.run.Program(), Setup: r.giant.run.Setup(), Reps: r.giant.reps}
	for i, p := range r.probes {
		res.Costs[i] = p.costs()
	}
	golden, err := goldenGraph(r.c)
	e := &r.c.Expect
	res.Eager = r.judge(r.eager, res, &Evidence{Target: e.Eager, Line: e.Lines.Eager, Costs: res.Costs[0]})
	res.Replay = r.judge(r.replay, res, &Evidence{Target: e.Replay, Line: e.Lines.Replay, Costs: res.Costs[1], Golden: golden})
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
	ev.Exact, ev.Steady = r.info.Exact, r.info.Simulated
	m.Verdict = Judge(ev)
	m.Limit = ev.limit(schedule.OrderOf(m.Program))
	return m
}

func (r *runner) soloDurations() []time.Duration {
	byClass := make([]time.Duration, len(r.solo))
	for c, s := range r.solo {
		var samples []time.Duration
		for _, t := range s.reps {
			samples = append(samples, t.Spans[0].Dur())
		}
		byClass[c] = estimate(samples, r.info.Simulated).Median
	}
	solo := make([]time.Duration, len(r.class))
	for op, c := range r.class {
		solo[op] = byClass[c]
	}
	return solo
}

func timesOf(eager *schedule.Program, dur []time.Duration) Times {
	t := Times{Serial: bound.Serial(dur), Ideal: bound.Ideal(eager.Intent, dur)}
	if best, ok := bound.Optimal(eager.Intent, dur); ok {
		t.Optimal = best
	}
	t.Scheduled = bound.Scheduled(schedule.OrderOf(eager), dur).Makespan
	return t
}

// goldenGraph is the graph that the case records; nil when it records none. Its nodes carry the names of ops.
func goldenGraph(c *Case) (*graph.Graph, error) {
	if c.Graph == "" {
		return nil, nil
	}
	g, err := graph.ParseDOT(strings.NewReader(c.Graph))
	if err != nil {
		return nil, fmt.Errorf("%s: graph.dot: %w", c.File, err)
	}
	return g, nil
}
