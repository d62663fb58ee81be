package overlap

import (
	"context"
	"fmt"
	"time"

	"github.com/gpu-overlap/overlap/gpu"
	"github.com/gpu-overlap/overlap/schedule"
)

// The probe of hand-offs is a chain of ops that go round two streams, or three for what has more, each long enough for the
// host to have issued the next before it ends. On an H200 a hand-off takes nearly twice as long with three streams as with
// two, and with four or six not much longer than with three.
const (
	probeOps = 5
	probeOp  = 50 * time.Microsecond

	fewStreams, manyStreams = 2, 3
)

// probeStreams is on how many streams to probe hand-offs for a schedule.
func probeStreams(s *schedule.Schedule) int {
	used := map[int32]bool{}
	for _, in := range s.Issue {
		switch in.Verb {
		case schedule.Launch, schedule.HostFunc, schedule.Copy:
			used[in.Stream.Index()] = true
		}
	}
	return min(max(len(used), fewStreams), manyStreams)
}

// probe measures what a device needs beyond the ops, in one mode.
type probe struct {
	launch *sampled // one op
	chain  *sampled // probeOps ops
}

// probePrograms are the two programs of a probe: one op alone, and the chain.
func probePrograms(replay bool, streams int) (launch, chain *schedule.Program) {
	build := (*schedule.Schedule).Eager
	if replay {
		build = (*schedule.Schedule).Replay
	}
	return build(schedule.Chain(1, probeOp, streams)), build(schedule.Chain(probeOps, probeOp, streams))
}

// MeasureCosts runs the probes of one mode: the medians of reps repetitions.
func MeasureCosts(ctx context.Context, dev gpu.Device, replay bool, reps int) (Costs, error) {
	launch, chain := probePrograms(replay, fewStreams)
	r := &runner{ctx: ctx, dev: dev, info: dev.Info(), c: &Case{File: launch.File}}
	defer r.close()
	var p probe
	var err error
	if p.launch, err = r.add(launch); err != nil {
		return Costs{}, err
	}
	if p.chain, err = r.add(chain); err != nil {
		return Costs{}, err
	}
	if !p.launch.ok() || !p.chain.ok() {
		return Costs{}, fmt.Errorf("the probes of launch and hand-off failed in their setup")
	}
	if err := r.sample([]*sampled{p.launch, p.chain}, reps); err != nil {
		return Costs{}, err
	}
	return p.costs(), nil
}

func (p probe) costs() Costs {
	var launch, handOff []time.Duration
	for i := range p.launch.reps {
		t := &p.launch.reps[i]
		launch = append(launch, t.Wall-t.DeviceSpan())
	}
	for i := range p.chain.reps {
		handOff = append(handOff, meanGap(&p.chain.reps[i]))
	}
	return Costs{Launch: max(estimate(launch, false).Median, 0), HandOff: max(estimate(handOff, false).Median, 0)}
}

// meanGap is the mean time from the end of an op to the start of the next.
func meanGap(t *gpu.Transcript) time.Duration {
	var sum time.Duration
	for i := 1; i < len(t.Spans); i++ {
		sum += t.Spans[i].Start - t.Spans[i-1].End
	}
	return sum / time.Duration(max(len(t.Spans)-1, 1))
}
