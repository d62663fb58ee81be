package calls

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/gpu-overlap/overlap/bound"
	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/verdict"
)

// TestNeighboursAreThoseInTime, whatever their ids.
func TestNeighboursAreThoseInTime(t *testing.T) {
	table := bound.Timetable{Start: []time.Duration{20, 0, 10}, End: []time.Duration{30, 10, 20}}
	assert.Equal(t, []int32{1, 2, 0}, byStart([]int32{0, 1, 2}, table))
	table.Start[2] = 0
	assert.Equal(t, []int32{1, 2, 0}, byStart([]int32{0, 2, 1}, table), "of two at once the lower id comes first")
}

// An exec that is launched twice on one stream, or after the host has waited, shares nothing.
func TestSharedExec(t *testing.T) {
	launch := func(stream int32) schedule.Instr {
		return schedule.Instr{Verb: schedule.Replay, Stream: schedule.At(stream), Graph: schedule.At(0)}
	}
	sync := schedule.Instr{Verb: schedule.SyncContext}
	for name, c := range map[string]struct {
		body []schedule.Instr
		want verdict.Cause
	}{
		"two streams":            {[]schedule.Instr{launch(0), launch(1)}, verdict.SharedExec},
		"one stream":             {[]schedule.Instr{launch(0), launch(0)}, verdict.Met},
		"the host waits between": {[]schedule.Instr{launch(0), sync, launch(1)}, verdict.Met},
	} {
		p := &schedule.Program{Intent: &schedule.Intent{}, Graphs: []string{"g"},
			Streams: []schedule.Stream{{Name: "a"}, {Name: "b"}}, Body: c.body}
		assert.Equal(t, c.want, verdict.Of(SharedExec(&View{Given: p, made: true})).Cause, name)
	}
}
