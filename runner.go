package overlap

import (
	"context"
	"fmt"
	"time"

	"github.com/gpu-overlap/overlap/gpu"
	"github.com/gpu-overlap/overlap/internal/preflight"
	"github.com/gpu-overlap/overlap/order"
	"github.com/gpu-overlap/overlap/schedule"
)

// runner holds what is prepared for one case.
type runner struct {
	ctx  context.Context
	dev  gpu.Device
	c    *Case
	info gpu.Info

	giant, eager, replay *sampled   // eager is nil for a program with a timed part, which is run in the place of a replay
	class                []int32    // of each op
	solo                 []*sampled // by class
	probes               [2]probe   // eager, replay
	all                  []*sampled
	canary               *sampled // one op alone; nil on a steady device

	blocks   []taken
	canaries []Canary      // Before counts blocks
	spent    time.Duration // wall times of all that was sampled

	preflight []preflight.Finding
	effort    Effort

	gated, wide []time.Duration // of twins of the eager program; see Evidence
	gate        *sampled        // the gated twin, once it was needed
	wider       gpu.Device      // with more connections, likewise
	widerRun    gpu.Run
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
	if r.widerRun != nil {
		r.widerRun.Close()
	}
	if r.wider != nil {
		r.wider.Close()
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
	if r.c.Raw {
		p := r.c.Program()
		calls, _ := order.Inline(p)
		whole := schedule.Schedule{Name: r.c.Name, File: r.c.File, Intent: *calls.Intent, Streams: sch.Streams, Issue: calls.Body}
		r.giant, r.replay = add(whole.Giant()), add(p)
	} else {
		r.giant, r.eager, r.replay = add(sch.Giant()), add(sch.Eager()), add(sch.Replay())
	}
	first, class := sch.Intent.SoloClasses()
	r.class = class
	for _, op := range first {
		solo := sch.Solo(op).Eager()
		solo.Name = schedule.SoloName
		r.solo = append(r.solo, add(solo))
	}
	for i, replay := range []bool{false, true} {
		launch, chain := probePrograms(replay, probeStreams(sch))
		r.probes[i] = probe{launch: add(launch), chain: add(chain)}
	}
	if !r.steady() {
		r.canary = add(r.canaryProgram(first))
	}
	return err
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
		for k := range got[i] {
			r.spent += got[i][k].Wall
		}
	}
	return nil
}
