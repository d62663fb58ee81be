// Package measure runs a case on a device and keeps what a judgement rests on: repetitions of the modes, interleaved with
// each op alone, what a launch and a hand-off cost, canaries, and twins of the schedule that confirm a cause or refute it.
// It knows nothing of verdicts.
package measure

import (
	"context"
	"fmt"
	"time"

	"github.com/gpu-overlap/overlap/gpu"
	"github.com/gpu-overlap/overlap/internal/preflight"
	"github.com/gpu-overlap/overlap/judge/sample"
	"github.com/gpu-overlap/overlap/order"
	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/schedule/text"
)

// Bench holds what is prepared for one case, and what was measured of it so far. It is used from one goroutine at a time.
type Bench struct {
	ctx  context.Context
	dev  gpu.Device
	c    *text.Case
	info gpu.Info
	own  gpu.Device // with the case's variables; nil when it has none

	giant, eager, replay *sampled    // eager is nil for a program with a timed part, which is run in the place of a replay
	class                []int32     // by op: its class
	solo                 []*sampled  // by class
	costs                [2]costRuns // of eager and replay
	all                  []*sampled
	canary               *sampled // one op alone; nil on a steady device

	blocks   []taken
	canaries []sample.Canary // Before counts blocks
	spent    time.Duration   // wall times of all that was sampled
	first    time.Duration   // of the first repetitions alone
	firstN   int             // blocks of them
	size     int             // repetitions of a block
	reps     int             // of each mode so far

	gated, wide []time.Duration // of twins of the eager program; see sample.Samples
	gate        *sampled        // the gated twin, once it was needed
	wider       gpu.Device      // with more connections, likewise
	widerRun    gpu.Run

	effort Effort
	looked []preflight.Finding
}

// Effort is time of the host for what would not be needed were the device known to be quiet: looking at the environment,
// and canaries. No verdict depends on it.
type Effort struct{ Preflight, Canaries time.Duration }

// Prepare readies a case on a device: every mode, each op alone, and what measures costs. A device whose variables the
// case sets is another one; Close gives it back. An error means that the device failed, not the schedule.
func Prepare(ctx context.Context, dev gpu.Device, c *text.Case) (*Bench, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := c.Validate(); err != nil {
		return nil, err
	}
	if dev == nil {
		return nil, fmt.Errorf("%s: no device; want one", c.Place())
	}
	b := &Bench{ctx: ctx, dev: dev, c: c}
	if len(c.Env) > 0 {
		own, err := dev.WithEnv(ctx, c.Env)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.File, err)
		}
		b.dev, b.own = own, own
	}
	b.info = b.dev.Info()
	start := time.Now()
	b.looked = environment(b.info, c.Env)
	b.effort.Preflight = time.Since(start)
	if err := b.prepare(); err != nil {
		b.Close()
		return nil, err
	}
	return b, nil
}

// Close gives back what was prepared.
func (b *Bench) Close() {
	for _, s := range b.all {
		s.run.Close()
	}
	if b.widerRun != nil {
		b.widerRun.Close()
	}
	if b.wider != nil {
		b.wider.Close()
	}
	if b.own != nil {
		b.own.Close()
	}
}

// Info is that of the device that runs the case.
func (b *Bench) Info() gpu.Info { return b.info }

// Steady says that the device has no noise: one repetition tells it all.
func (b *Bench) Steady() bool { return b.info.Simulated && !b.info.Noisy }

// Effort gives what was spent since it was last asked.
func (b *Bench) Effort() Effort {
	e := b.effort
	b.effort = Effort{}
	return e
}

// Environment is what stands out about it, the worst first; impossible is why no schedule that is issued call by call can
// overlap there, empty when one can.
func (b *Bench) Environment() (lines []string, impossible string) {
	for _, f := range b.looked {
		lines = append(lines, f.String())
	}
	return lines, preflight.Stop(b.looked)
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

func (b *Bench) add(p *schedule.Program) (*sampled, error) {
	run, err := b.dev.Prepare(b.ctx, p)
	if err != nil {
		return nil, fmt.Errorf("%s: %s: %w", p.File, p.Name, err)
	}
	s := &sampled{run: run}
	b.all = append(b.all, s)
	return s, nil
}

func (b *Bench) prepare() error {
	var err error
	add := func(build func() *schedule.Program) *sampled {
		if err == nil {
			err = b.ctx.Err() // of a large case a program takes a while to build
		}
		if err != nil {
			return nil
		}
		var s *sampled
		s, err = b.add(build())
		return s
	}
	built := func(p *schedule.Program) func() *schedule.Program { return func() *schedule.Program { return p } }
	sch := &b.c.Schedule
	if b.c.Raw && !b.c.Timed.Some() {
		return fmt.Errorf("%s: a program of driver calls none of which is timed; want `timed` before those that are", b.c.Place())
	}
	if b.c.Raw {
		p := b.c.Program()
		calls, _ := order.Inline(p)
		whole := schedule.Schedule{Name: b.c.Name, File: b.c.File, Intent: *calls.Intent, Streams: sch.Streams, Issue: calls.Body}
		b.giant, b.replay = add(whole.Giant), add(built(p))
	} else {
		b.giant, b.eager, b.replay = add(sch.Giant), add(sch.Eager), add(sch.Replay)
	}
	if err != nil {
		return err
	}
	first, class := sch.Intent.SoloClasses()
	b.class = class
	for _, op := range first {
		solo := sch.Solo(op).Eager()
		solo.Name = schedule.SoloName
		b.solo = append(b.solo, add(built(solo)))
	}
	for i, replay := range []bool{false, true} {
		launch, chain := costPrograms(replay, costStreams(sch))
		b.costs[i] = costRuns{launch: add(built(launch)), chain: add(built(chain))}
	}
	if !b.Steady() {
		b.canary = add(built(canaryProgram(sch, first)))
	}
	return err
}

// sample takes repetitions of several programs, interleaved. Programs whose Setup failed are left out.
func (b *Bench) sample(runs []*sampled, reps int) error {
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
	got, err := b.dev.Sample(b.ctx, ready, reps)
	if err != nil {
		return fmt.Errorf("%s: %w", b.c.File, err)
	}
	for i, s := range into {
		s.reps = append(s.reps, got[i]...)
		for k := range got[i] {
			b.spent += got[i][k].Wall
		}
	}
	return nil
}
