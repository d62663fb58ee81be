package measure

import (
	"fmt"
	"slices"
	"time"

	"github.com/gpu-overlap/overlap/gpu"
	"github.com/gpu-overlap/overlap/judge/sample"
)

// A twin is the eager program with one thing changed, run to confirm a cause or refute it. A mode that replays has
// none: its graph is issued at once, through no queue of a stream.

// RunGated runs the calls behind a gate: all of them are issued before the first op starts. ran is false when that was
// done already, or cannot be done.
func (b *Bench) RunGated() (ran bool, err error) {
	if b.gated != nil || b.eager == nil {
		return false, nil
	}
	if b.gate == nil {
		p, ok := b.c.Schedule.Gated()
		if !ok {
			return false, nil
		}
		if b.gate, err = b.add(p); err != nil {
			return false, err
		}
	}
	err = b.sample([]*sampled{b.gate}, b.twinReps())
	last := len(b.gate.run.Program().Body) - 1 // the call after the one that opens the gate
	for _, t := range b.gate.reps {
		b.gated = append(b.gated, t.Wall-t.Issued[last])
	}
	return len(b.gated) > 0, err
}

// RunWide runs the eager program in a process that asked for more connections. ran is false when that was done already,
// or when the device has as many.
func (b *Bench) RunWide() (ran bool, err error) {
	if b.wide != nil || b.eager == nil || b.info.Connections >= sample.WideConnections {
		return false, nil
	}
	if b.wider == nil {
		env := append(slices.Clone(b.c.Env), fmt.Sprintf("CUDA_DEVICE_MAX_CONNECTIONS=%d", sample.WideConnections))
		if b.wider, err = b.dev.WithEnv(b.ctx, env); err != nil {
			return false, err
		}
		if b.widerRun, err = b.wider.Prepare(b.ctx, b.c.Schedule.Eager()); err != nil {
			return false, err
		}
	}
	p := b.widerRun.Program()
	if gpu.Check(p, p.Setup, b.widerRun.Setup().Codes) != nil {
		return false, nil
	}
	got, err := b.wider.Sample(b.ctx, []gpu.Run{b.widerRun}, b.twinReps())
	if err != nil {
		return false, err
	}
	b.wide = []time.Duration{}
	for _, t := range got[0] {
		b.wide = append(b.wide, t.Wall)
	}
	return len(b.wide) > 0, nil
}

// twinReps is as many repetitions as an interval needs.
func (b *Bench) twinReps() int {
	if b.Steady() {
		return 1
	}
	return 15
}
