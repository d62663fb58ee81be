package measure

import (
	"context"
	"fmt"
	"time"

	"github.com/gpu-overlap/overlap/gpu"
	"github.com/gpu-overlap/overlap/judge/sample"
	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/schedule/text"
)

// What measures hand-offs is a chain of ops that go round two streams, or three for what has more, each long enough for the
// host to have issued the next before it ends. On an H200 a hand-off takes nearly twice as long with three streams as with
// two, and with four or six not much longer than with three.
const (
	chainOps = 5
	chainOp  = 50 * time.Microsecond

	fewStreams, manyStreams = 2, 3
)

// costStreams is on how many streams to measure hand-offs for a schedule.
func costStreams(s *schedule.Schedule) int {
	used := map[int32]bool{}
	for _, in := range s.Issue {
		switch in.Verb {
		case schedule.Launch, schedule.HostFunc, schedule.Copy:
			used[in.Stream.Index()] = true
		}
	}
	return min(max(len(used), fewStreams), manyStreams)
}

// costRuns measures what a device needs beyond the ops, in one mode.
type costRuns struct {
	launch *sampled // one op
	chain  *sampled // chainOps ops
}

// costPrograms are the two programs of a costRuns: one op alone, and the chain.
func costPrograms(replay bool, streams int) (launch, chain *schedule.Program) {
	build := (*schedule.Schedule).Eager
	if replay {
		build = (*schedule.Schedule).Replay
	}
	return build(schedule.Chain(1, chainOp, streams)), build(schedule.Chain(chainOps, chainOp, streams))
}

// CostsOf measures what one mode costs on a device: the medians of reps repetitions.
func CostsOf(ctx context.Context, dev gpu.Device, replay bool, reps int) (sample.Costs, error) {
	if dev == nil || reps < 1 || reps > gpu.MostReps {
		return sample.Costs{}, fmt.Errorf("%d repetitions on a device; want 1 to %d, and a device", reps, gpu.MostReps)
	}
	launch, chain := costPrograms(replay, fewStreams)
	b := &Bench{ctx: ctx, dev: dev, info: dev.Info(), c: &text.Case{File: launch.File}}
	defer b.Close()
	var p costRuns
	var err error
	if p.launch, err = b.add(launch); err != nil {
		return sample.Costs{}, err
	}
	if p.chain, err = b.add(chain); err != nil {
		return sample.Costs{}, err
	}
	if !p.launch.ok() || !p.chain.ok() {
		return sample.Costs{}, fmt.Errorf("what measures launch and hand-off failed in their setup")
	}
	if err := b.sample([]*sampled{p.launch, p.chain}, reps); err != nil {
		return sample.Costs{}, err
	}
	return p.costs(), nil
}

func (p costRuns) costs() sample.Costs {
	if p.launch == nil || p.chain == nil {
		return sample.Costs{}
	}
	var launch, handOff []time.Duration
	for i := range p.launch.reps {
		t := &p.launch.reps[i]
		launch = append(launch, t.Wall-t.DeviceSpan())
	}
	for i := range p.chain.reps {
		handOff = append(handOff, meanGap(&p.chain.reps[i]))
	}
	return sample.Costs{Launch: max(sample.Of(launch, false).Median, 0), HandOff: max(sample.Of(handOff, false).Median, 0)}
}

// meanGap is the mean time from the end of an op to the start of the next.
func meanGap(t *gpu.Transcript) time.Duration {
	var sum time.Duration
	for i := 1; i < len(t.Spans); i++ {
		sum += t.Spans[i].Start - t.Spans[i-1].End
	}
	return sum / time.Duration(max(len(t.Spans)-1, 1))
}
