package schedule_test

import (
	"fmt"
	"time"

	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/schedule/text"
)

// A schedule is built call by call, in the order in which the host makes the calls.
func ExampleNew() {
	s := schedule.New("dual batch")
	compute, comm := s.Stream("compute"), s.Stream("comm").Priority(-1)
	s.Fork(compute, comm)
	a := compute.Computation("A", 500*time.Microsecond)
	done := compute.Record()
	comm.Wait(done)
	comm.Communication("CA", 500*time.Microsecond).After(a).SMs(10)
	compute.Computation("B", 500*time.Microsecond).SMs(90)
	s.Join(compute, comm)

	sched, err := s.Schedule()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(text.Schedule(sched))
	// Output:
	// stream compute
	// stream comm priority -1
	// main: record fork1
	// compute: wait fork1
	// comm: wait fork1
	// compute: computation A 500us
	// compute: record e1
	// comm: wait e1
	// comm: communication CA 500us sms 10% after A
	// compute: computation B 500us sms 90%
	// compute: record join1
	// main: wait join1
	// comm: record join2
	// main: wait join2
}

// What is wrong is said once, with the line of the call that made it.
func ExampleBuilder_Schedule() {
	s := schedule.New("halves")
	left := s.Stream("left")
	s.Fork(left)
	left.Computation("A", time.Millisecond).On("nvlink")
	s.Join(left)
	_, err := s.Schedule()
	fmt.Println(err)
	// Output: example_test.go:51: op A: unknown engine nvlink; want a built-in engine, or one that Engine declares
}

// A pipeline is a struct: what is left out has its default.
func ExamplePipeline() {
	pl := schedule.Pipeline{Micro: 2, Stages: []schedule.Stage{
		{Kind: schedule.Computation, Dur: 10 * time.Millisecond},
		{Kind: schedule.Communication, Dur: 10 * time.Millisecond},
	}}
	if err := pl.Validate(); err != nil {
		fmt.Println(err)
		return
	}
	sched := pl.Schedule("two stages", "")
	for _, op := range sched.Intent.Ops {
		fmt.Println(op.Name, "on", sched.Intent.Engines[op.On()].Name)
	}
	// Output:
	// A0 on compute
	// A1 on compute
	// B0 on link
	// B1 on link
}
