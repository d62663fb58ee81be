package bound_test

import (
	"fmt"
	"time"

	"github.com/gpu-overlap/overlap/bound"
	"github.com/gpu-overlap/overlap/schedule"
)

// Two micro-batches compute, communicate and compute again: three slots of work for each, of which two can hide.
func Example() {
	in := &schedule.Intent{
		Engines: []schedule.Engine{{Name: "compute", Capacity: 1}, {Name: "link", Capacity: 1}},
		Ops: []schedule.Op{
			{Name: "A0", Engine: schedule.At(0), Dur: 100 * time.Millisecond},
			{Name: "A1", Engine: schedule.At(0), Dur: 100 * time.Millisecond},
			{Name: "B0", Engine: schedule.At(1), Dur: 100 * time.Millisecond, After: []int32{0}},
			{Name: "B1", Engine: schedule.At(1), Dur: 100 * time.Millisecond, After: []int32{1}},
			{Name: "C0", Engine: schedule.At(0), Dur: 100 * time.Millisecond, After: []int32{2}},
			{Name: "C1", Engine: schedule.At(0), Dur: 100 * time.Millisecond, After: []int32{3}},
		},
	}
	dur := in.Durations()
	ideal := bound.Of(in, dur)
	best, _ := bound.Optimal(in, dur)
	fmt.Println("serial ", bound.Serial(dur))
	fmt.Println("ideal  ", ideal.Bound, "by", ideal.Describe(in))
	fmt.Println("optimal", best)
	// Output:
	// serial  600ms
	// ideal   400ms by engine compute: 0s before, 400ms of work, 0s after
	// optimal 400ms
}
