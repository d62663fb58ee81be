package timeline

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/gpu-overlap/overlap/schedule"
)

// run is a program of three streams, one of which carries no op, and its spans; H ran on the host's clock, L not at
// all.
func run() (*schedule.Program, []Span) {
	in := &schedule.Intent{
		Engines: []schedule.Engine{{Name: "compute", Capacity: 1}, {Name: "link", Capacity: 1},
			{Name: "host", Capacity: 1}, {Name: "idle", Capacity: 1}},
		Ops: []schedule.Op{
			{Name: "B", Kind: schedule.Communication, Engine: schedule.At(1)}, {Name: "A"}, {Name: "C"},
			{Name: "H", Kind: schedule.Host, Engine: schedule.At(2)}, {Name: "L", Engine: schedule.At(0)}},
	}
	launch := func(v schedule.Verb, s, op int32) schedule.Instr {
		return schedule.Instr{Verb: v, Stream: schedule.At(s), Op: schedule.At(op)}
	}
	p := &schedule.Program{Intent: in, Streams: []schedule.Stream{{Name: "main"}, {Name: "comm"}, {Name: "compute"}},
		Body: []schedule.Instr{launch(schedule.Launch, 2, 1), {Verb: schedule.Record, Stream: schedule.At(0)},
			launch(schedule.Launch, 1, 0),
			launch(schedule.Launch, 2, 2), launch(schedule.HostFunc, 1, 3), launch(schedule.Launch, 2, 4)}}
	spans := []Span{
		{Start: 1010, End: 1030, Ran: true}, {Start: 1000, End: 1010, Ran: true}, {Start: 1010, End: 1020, Ran: true},
		{Start: 5, End: 9, Ran: true, Clock: HostClock}, {}}
	return p, spans
}

func TestOf(t *testing.T) {
	p, spans := run()
	a, b, c := Bar{"A", schedule.Computation, 0, 0, 10}, Bar{"B", schedule.Communication, 1, 10, 30},
		Bar{"C", schedule.Computation, 0, 10, 20}
	want := Timeline{Title: "eager", Lanes: []Lane{{"comm", []Bar{b}}, {"compute", []Bar{a, c}}}}
	assert.Equal(t, want, Of(p, "eager", spans))

	p.Setup, p.Body = p.Body, []schedule.Instr{{Verb: schedule.Replay}}
	assert.Equal(t, want, Of(p, "eager", spans), "captured in Setup")

	assert.Equal(t, Timeline{Title: "eager", Lanes: []Lane{{"compute", []Bar{a, c}}, {"link", []Bar{b}},
		{"host", nil}}}, ByEngine(p.Intent, "eager", spans))
	assert.Equal(t, Timeline{Lanes: []Lane{{"comm", nil}, {"compute", nil}}}, Of(p, "", nil), "nothing ran")
	p.Setup = nil
	assert.Equal(t, Timeline{}, Of(p, "", spans), "nothing launched")
}

func TestRows(t *testing.T) {
	rows, left := lane("l", "K1 0 2, K2 1 3, K3 2 4, K4 2 3, K5 3 4").rows(2)
	assert.Equal(t, 1, left)
	names := [][]string{}
	for _, row := range rows {
		var list []string
		for _, b := range row {
			list = append(list, b.Name)
		}
		names = append(names, list)
	}
	assert.Equal(t, [][]string{{"K1", "K3"}, {"K2", "K5"}}, names)
}

func TestExtent(t *testing.T) {
	_, spans := run()
	first, last := Extent(spans)
	assert.Equal(t, []time.Duration{1000, 1030}, []time.Duration{first, last},
		"neither the host's clock nor what did not run")
	first, last = Extent(spans[3:])
	assert.Zero(t, first+last)
	assert.Equal(t, time.Duration(20), spans[0].Dur())
}
