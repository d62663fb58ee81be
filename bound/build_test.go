package bound

import (
	"fmt"
	"time"

	"github.com/gpu-overlap/overlap/schedule"
)

const ms = time.Millisecond

// stage is one stage of a pipeline: its engine and its duration.
type stage struct {
	engine int32
	dur    time.Duration
}

// pipeline is m micro-batches that pass the same stages: op s*m+k is stage s of micro-batch k, engines are compute and
// link, and nothing but data orders the ops.
func pipeline(m int, stages ...stage) (*schedule.Intent, []time.Duration) {
	in := &schedule.Intent{Micro: int32(m), Engines: []schedule.Engine{{Name: "compute", Capacity: 1},
		{Name: "link", Capacity: 1}}}
	for s, st := range stages {
		for k := range m {
			op := schedule.Op{Name: fmt.Sprintf("%c%d", 'A'+s, k), Engine: schedule.At(st.engine), Dur: st.dur,
				Stage: schedule.At(int32(s)), Micro: schedule.At(int32(k))}
			if s > 0 {
				op.After = []int32{int32((s-1)*m + k)}
			}
			in.Ops = append(in.Ops, op)
		}
	}
	return in, in.Durations()
}

// alternating is n stages, by turns on compute and link.
func alternating(n int, compute, link time.Duration) (stages []stage) {
	for s := range n {
		stages = append(stages, stage{int32(s % 2), []time.Duration{compute, link}[s%2]})
	}
	return stages
}

// ops builds an intent of ops on engines; after[i] are the predecessors of op i.
func ops(engines []schedule.Engine, on []int32, after [][]int32) *schedule.Intent {
	in := &schedule.Intent{Engines: engines}
	for i := range on {
		in.Ops = append(in.Ops, schedule.Op{Name: fmt.Sprintf("%c", 'A'+i), Engine: schedule.At(on[i]),
			After: after[i]})
	}
	return in
}

// calls builds programs: streams[0] is the origin, all streams are non-blocking.
type calls struct{ p *schedule.Program }

func program(in *schedule.Intent, streams, events int) calls {
	p := &schedule.Program{Name: "eager", Intent: in}
	for s := range streams {
		p.Streams = append(p.Streams, schedule.Stream{Name: fmt.Sprintf("s%d", s)})
	}
	for e := range events {
		p.Events = append(p.Events, fmt.Sprintf("e%d", e))
	}
	return calls{p}
}

func (c calls) launch(stream, op int32) { c.add(schedule.Launch, stream, schedule.None, op) }
func (c calls) record(stream, e int32)  { c.add(schedule.Record, stream, e, schedule.None) }
func (c calls) wait(stream, e int32)    { c.add(schedule.Wait, stream, e, schedule.None) }

func (c calls) add(v schedule.Verb, stream, event, op int32) {
	c.p.Body = append(c.p.Body, schedule.Instr{Verb: v, Stream: schedule.At(stream), Event: schedule.At(event),
		Op: schedule.At(op)})
}
