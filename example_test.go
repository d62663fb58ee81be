package overlap_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/gpu-overlap/overlap"
)

// lateEvent is a case with a fault: the event is recorded behind B, so CA waits for B too.
const lateEvent = `CA needs A alone, so it should run beside B.

-- schedule --
main:    fork compute comm
compute: computation A 500us
compute: computation B 500us
compute: record e
comm:    wait e
comm:    communication CA 500us after A
main:    join compute comm
-- expect --
ideal  1ms
eager  within 2% of ideal
replay within 2% of ideal
`

// One case on the simulated device. README shows this function.
func Example() {
	ctx := context.Background()
	dev, err := overlap.Open(ctx, overlap.Sim, "ideal")
	if err != nil {
		log.Fatal(err)
	}
	defer dev.Close()
	c, err := overlap.ParseCase("late_event.txtar", []byte(lateEvent))
	if err != nil {
		log.Fatal(err)
	}
	res, err := overlap.Run(ctx, dev, c, overlap.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.Verdict.At())
	fmt.Println(res.Verdict.Change)
	fmt.Println(strings.Contains(overlap.Report(res), "costs: 500µs of 1.5ms as scheduled"))
	// Output:
	// over-wide wait: CA waits for B through e (late_event.txtar:8)
	// record e right after A
	// true
}

// Check needs no device: it finds what the calls alone show.
func ExampleCheck() {
	c, err := overlap.ParseCase("late_event.txtar", []byte(lateEvent))
	if err != nil {
		log.Fatal(err)
	}
	v, err := overlap.Check(c.Schedule.Eager())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(v)
	// Output: over-wide wait: CA waits for B through e
}
