package hardware_test

import (
	"fmt"
	"time"

	"github.com/gpu-overlap/overlap/gpu/sim/hardware"
	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/timeline"
)

// Two kernels that hold 60 % of the SMs each run one after the other, though nothing orders them.
func Example() {
	ops := []schedule.Op{{Name: "A", SMs: 60}, {Name: "B", SMs: 60}}
	chip := hardware.New(&hardware.Spec{SMs: 100}, ops, hardware.Load{Streams: 2, Issuers: 2, AtOnce: 2})
	spans := make([]timeline.Span, len(ops))
	chip.Reset(spans)
	for op := range int32(2) {
		chip.Issue(chip.Add(hardware.Work{Class: hardware.Kernel, Stream: op, Op: op, Launch: hardware.None,
			Dur: time.Millisecond}))
	}
	chip.Drain()
	for op, s := range spans {
		fmt.Println(ops[op].Name, s.Start, s.End)
	}
	// Output:
	// A 0s 1ms
	// B 1ms 2ms
}
