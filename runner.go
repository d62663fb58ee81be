package overlap

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/gpu-overlap/overlap/bound"
	"github.com/gpu-overlap/overlap/gpu"
	"github.com/gpu-overlap/overlap/schedule"
)

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

	gated, wide []time.Duration // of twins of the eager program; see Evidence
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

// once takes fresh samples and judges them. Samples that do not decide are added to, up to four times as many.
func (r *runner) once(reps int) (*Result, error) {
	for _, s := range r.all {
		s.reps = nil
	}
	r.gated, r.wide = nil, nil
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
	return r.withTwins(res)
}
