package overlap_test

import (
	"context"
	"fmt"
	"log"
	"strings"
	"time"

	"github.com/gpu-overlap/overlap"
	"github.com/gpu-overlap/overlap/gpu/sim"
	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/verdict"
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

// A case may be built in Go. A verdict then names the line of the call that is guilty.
func ExampleRun() {
	s := schedule.New("late event")
	compute, comm := s.Stream("compute"), s.Stream("comm")
	s.Fork(compute, comm)
	a := compute.Computation("A", 500*time.Microsecond)
	compute.Computation("B", 500*time.Microsecond)
	comm.Wait(compute.Record("e"))
	comm.Communication("CA", 500*time.Microsecond).After(a)
	s.Join(compute, comm)
	sched, err := s.Schedule()
	if err != nil {
		log.Fatal(err)
	}
	c := overlap.Case{Name: "late_event", Schedule: *sched, Expect: verdict.Expect{Ideal: time.Millisecond}}
	res, err := overlap.Run(context.Background(), sim.Open(sim.Ideal), &c, overlap.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.Verdict)
	// Output: over-wide wait: CA waits for B through e
}
