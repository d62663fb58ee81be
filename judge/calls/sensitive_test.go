package calls

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/gpu-overlap/overlap/schedule"
)

// chunks are three GEMMs of which no two fit on the device, on a stream each, and a chain of communication behind them.
func chunks(sms int32) *schedule.Program {
	const ms = time.Millisecond
	s := schedule.Schedule{Name: "chunks", File: "chunks", Streams: []schedule.Stream{{Name: "main",
		Kind: schedule.Legacy}}}
	s.Intent.Engines = append(schedule.DefaultEngines(), schedule.Engine{Name: "gemms", Capacity: 3})
	call := func(v schedule.Verb, stream, event, op int32) {
		s.Issue = append(s.Issue, schedule.Instr{Verb: v, Stream: schedule.At(stream), Event: schedule.At(event),
			Op: schedule.At(op)})
	}
	s.Events = []string{"fork", "g0", "g1", "g2"}
	call(schedule.Record, 0, 0, schedule.None)
	for k := range int32(4) {
		s.Streams = append(s.Streams, schedule.Stream{Name: []string{"a", "b", "c", "comm"}[k]})
		call(schedule.Wait, k+1, 0, schedule.None)
	}
	for k := range int32(3) {
		s.Intent.Ops = append(s.Intent.Ops, schedule.Op{Name: []string{"G0", "G1", "G2"}[k], Engine: schedule.At(5),
			Dur: 2 * ms, SMs: sms})
		call(schedule.Launch, k+1, schedule.None, k)
		call(schedule.Record, k+1, k+1, schedule.None)
	}
	for k := range int32(3) {
		s.Intent.Ops = append(s.Intent.Ops, schedule.Op{Name: []string{"C0", "C1", "C2"}[k],
			Kind:   schedule.Communication,
			Engine: schedule.At(1), Dur: 2 * ms, After: []int32{k}})
		call(schedule.Wait, 4, k+1, schedule.None)
		call(schedule.Launch, 4, schedule.None, 3+k)
	}
	return s.Eager()
}

func TestOrderSensitive(t *testing.T) {
	p := chunks(60)
	_, _, best, worst, ok := sensitive(seen(p))
	assert.True(t, ok)
	assert.Equal(t, 8*time.Millisecond, best, "G0 G1 G2, and each C behind its G")
	assert.Equal(t, 12*time.Millisecond, worst, "G0 last: no C before it has ended")
	v := Sensitive(seen(p))[0]
	assert.Equal(t, "order-sensitive: nothing says whether G0 or G1 runs first", v.String())
	assert.Equal(t, 4*time.Millisecond, v.Saves)
	assert.Equal(t, []int32{1, 0}, v.Guilty)

	p = chunks(30)
	_, _, _, _, ok = sensitive(seen(p))
	assert.False(t, ok, "they fit beside one another")

	p = chunks(50)
	_, _, _, _, ok = sensitive(seen(p))
	assert.False(t, ok, "two of them just fit")
	p.Intent.Ops[0].SMs = 51
	_, _, best, worst, ok = sensitive(seen(p))
	assert.True(t, ok, "and the first does not any more")
	assert.Less(t, best, worst)

	p = chunks(60)
	p.Intent.Engines[5].Capacity = 1
	_, _, _, _, ok = sensitive(seen(p))
	assert.False(t, ok, "what must not run at once is judged as that")

	p = chunks(60)
	for op := range p.Intent.Ops[3:] {
		p.Intent.Ops[3+op].SMs = 50
	}
	_, _, best, _, _ = sensitive(seen(p))
	assert.Equal(t, 12*time.Millisecond, best, "kernels that hold SMs are in the way of GEMMs")
	for op := range p.Intent.Ops[3:] {
		o := &p.Intent.Ops[3+op]
		o.Kind, o.Engine, o.SMs, o.Bytes = schedule.H2D, schedule.At(3), 0, 1<<20
	}
	for i := range p.Body {
		if op := p.Body[i].Op; op.Some() && op.Index() >= 3 {
			p.Body[i].Verb = schedule.Copy
		}
	}
	_, _, best, _, _ = sensitive(seen(p))
	assert.Equal(t, 8*time.Millisecond, best, "copies are not")

	p = chunks(60)
	p.Body = p.Body[:0:0]
	for _, in := range chunks(60).Body { // each GEMM in the stream of the first
		if in.Op.Index() >= 0 && in.Op.Index() < 3 || in.Verb == schedule.Record && in.Event.Index() > 0 {
			in.Stream = schedule.At(1)
		}
		p.Body = append(p.Body, in)
	}
	_, _, _, _, ok = sensitive(seen(p))
	assert.False(t, ok, "ordered")
}

// seen is the view of a program.
func seen(p *schedule.Program) *View {
	v, _, _ := Of(p)
	return v
}
