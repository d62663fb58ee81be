package measure

import (
	"time"

	"github.com/gpu-overlap/overlap/gpu"
	"github.com/gpu-overlap/overlap/judge/sample"
	"github.com/gpu-overlap/overlap/schedule"
)

// Mode is one of the ways in which a case is run.
type Mode uint8

// Modes. A program with a timed part has no eager mode: it is run in the place of a replay.
const (
	Giant Mode = iota
	Eager
	Replay
)

// Ran is what came of one mode so far: the program, its setup and its repetitions. ok is false for a mode that the case
// does not have.
func (b *Bench) Ran(m Mode) (p *schedule.Program, setup *gpu.Setup, reps []gpu.Transcript, ok bool) {
	if m > Replay {
		return nil, nil, nil, false
	}
	s := [...]*sampled{b.giant, b.eager, b.replay}[m]
	if s == nil {
		return nil, nil, nil, false
	}
	return s.run.Program(), s.run.Setup(), s.reps, true
}

// Samples are what the judgement on a mode, eager or replay, rests on.
func (b *Bench) Samples(m Mode) sample.Samples {
	_, _, reps, ok := b.Ran(m)
	if !ok || m == Giant {
		return sample.Samples{}
	}
	s := sample.Samples{Reps: reps, Solo: b.Solo(), Costs: b.Costs()[m-Eager], Exact: b.info.Exact, Steady: b.Steady()}
	if m == Eager {
		s.Gated, s.Wide = b.gated, b.wide
	}
	for i := range b.giant.reps {
		s.Giant = append(s.Giant, b.giant.reps[i].Wall)
	}
	end := func(t taken) int {
		if m == Replay {
			return t.replay
		}
		return t.eager
	}
	b.divide(&s, end)
	return s
}

// divide gives the blocks of one mode, and the canaries between them. The ops alone are those of the block and the two
// beside it: of few samples with scatter, the larger of two ends of a path would be larger than it is.
func (b *Bench) divide(s *sample.Samples, end func(taken) int) {
	ends := []int{0} // of as many blocks
	for i, t := range b.blocks {
		byClass := make([]time.Duration, len(b.solo))
		for c, solo := range b.solo {
			from := 0
			if i > 1 {
				from = b.blocks[i-2].solo[c]
			}
			next := b.blocks[min(i+1, len(b.blocks)-1)].solo[c]
			byClass[c] = sample.Middle(durations(solo.reps[from:next]))
		}
		s.Blocks = append(s.Blocks, sample.Block{End: end(t), Solo: b.byOp(byClass)})
		ends = append(ends, end(t))
	}
	for _, c := range b.canaries {
		c.Before = ends[c.Before]
		s.Canary = append(s.Canary, c)
	}
}

// Solo is, by op, how long it takes alone: the median of all so far.
func (b *Bench) Solo() []time.Duration {
	byClass := make([]time.Duration, len(b.solo))
	for c, s := range b.solo {
		byClass[c] = sample.Of(durations(s.reps), b.Steady()).Median
	}
	return b.byOp(byClass)
}

// Costs are those of eager and replay.
func (b *Bench) Costs() (costs [2]sample.Costs) {
	for i, p := range b.costs {
		costs[i] = p.costs()
	}
	return costs
}

// durations are those of the one op of a program.
func durations(reps []gpu.Transcript) (list []time.Duration) {
	for i := range reps {
		list = append(list, reps[i].Spans[0].Dur())
	}
	return list
}

// byOp gives each op what its class has.
func (b *Bench) byOp(byClass []time.Duration) []time.Duration {
	list := make([]time.Duration, len(b.class))
	for op, c := range b.class {
		list[op] = byClass[c]
	}
	return list
}
