package timeline_test

import (
	"fmt"
	"log"
	"os"
	"time"

	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/timeline"
)

// Half of the communication lies under computation.
func Example() {
	const ms = time.Millisecond
	in := &schedule.Intent{
		Engines: []schedule.Engine{{Name: "compute", Capacity: 1}, {Name: "link", Capacity: 1}},
		Ops: []schedule.Op{
			{Name: "A", Kind: schedule.Computation, Engine: schedule.At(0)},
			{Name: "B", Kind: schedule.Communication, Engine: schedule.At(1)},
		},
	}
	spans := []timeline.Span{{Start: 0, End: 3 * ms, Ran: true}, {Start: 2 * ms, End: 4 * ms, Ran: true}}
	communicates := func(op int32) bool { return in.Ops[op].Kind == schedule.Communication }
	computes := func(op int32) bool { return !communicates(op) }
	hidden, total := timeline.Hidden(in, spans, communicates, computes)
	fmt.Println(hidden, "of", total)
	if err := timeline.WriteText(os.Stdout, timeline.ByEngine(in, "measured", spans), 60); err != nil {
		log.Fatal(err)
	}
	// Output:
	// 1ms of 2ms
	// compute |########A########|
	// link                |=====B=====|
	//         0ms   1ms   2ms   3ms   4ms
}
