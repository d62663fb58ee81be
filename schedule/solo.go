package schedule

import (
	"fmt"
	"time"
)

// Solo is one op alone on the origin of an idle device: what its solo duration is measured with. Without such an op it
// is a schedule without ops, which Validate refuses.
func (s *Schedule) Solo(op int32) *Schedule {
	if op < 0 || int(op) >= len(s.Intent.Ops) {
		return &Schedule{Name: s.Name, File: s.File, Streams: []Stream{{Name: mainName, Kind: Legacy}}}
	}
	o := s.Intent.Ops[op]
	o.After, o.Reads, o.Writes = nil, nil, nil
	in := Intent{Ops: []Op{o}, Engines: s.Intent.Engines}
	return &Schedule{Name: s.Name, File: s.File, Intent: in, Streams: []Stream{{Name: mainName, Kind: Legacy}},
		Issue: []Instr{launchOn(&in, Origin, 0)}}
}

// SoloClasses sorts the ops into classes that last equally long alone: the first op of each class, and the class of
// each op.
func (in *Intent) SoloClasses() (first []int32, class []int32) {
	type key struct {
		kind                  Kind
		kernel                Kernel
		dur                   time.Duration
		sms, waves, bandwidth int32
		bytes                 int64
		pageable              bool
	}
	classes := map[key]int32{}
	class = make([]int32, len(in.Ops))
	for i := range in.Ops {
		op := &in.Ops[i]
		k := key{op.Kind, op.Kernel, op.Dur, op.SMs, op.Waves, op.Bandwidth, op.Bytes, op.Pageable}
		c, ok := classes[k]
		if !ok {
			c = int32(len(first))
			classes[k] = c
			first = append(first, int32(i))
		}
		class[i] = c
	}
	return first, class
}

// Chain is n ops of duration d on some streams in turn, each waiting for the one before: a probe of what handing over
// from stream to stream costs. There is at least one op, and one stream.
func Chain(n int, d time.Duration, streams int) *Schedule {
	n, streams = min(max(n, 1), MaxOps), min(max(streams, 1), MaxMicro)
	b := builder{Schedule: Schedule{Name: "chain", File: "chain probe",
		Streams: []Stream{{Name: "main", Kind: Legacy}}}}
	b.Intent = Intent{Engines: DefaultEngines()}
	var turn []int32
	for i := range streams {
		turn = append(turn, b.stream(fmt.Sprintf("chain%d", i)))
	}
	for i := range n {
		op := Op{Name: StageName(i), Kind: Computation, Dur: d}
		if i > 0 {
			op.After = []int32{int32(i - 1)}
		}
		b.Intent.Ops = append(b.Intent.Ops, op)
	}
	b.fork(Origin, turn)
	for i := range int32(n) {
		at := turn[int(i)%streams]
		if i > 0 {
			b.wait(at, i-1)
		}
		b.launch(at, i)
		b.record(at, i)
	}
	b.join(Origin, turn)
	return &b.Schedule
}
