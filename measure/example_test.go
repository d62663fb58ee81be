package measure_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/gpu-overlap/overlap/gpu/sim"
	"github.com/gpu-overlap/overlap/measure"
	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/schedule/text"
)

// A case is prepared, and everything is run once: its modes, each op alone, and what measures costs.
func Example() {
	c, err := text.ParseCase("pair.txtar", []byte(`A and B are independent.
-- schedule --
main: fork a b
a: computation A 1ms
b: communication B 2ms
main: join a b
-- expect --
`))
	if err != nil {
		log.Fatal(err)
	}
	slow := sim.Ideal
	slow.Calls[schedule.Launch] = 10 * time.Microsecond
	slow.CrossStream = 2 * time.Microsecond
	b, err := measure.Prepare(context.Background(), sim.Open(slow), c)
	if err != nil {
		log.Fatal(err)
	}
	defer b.Close()
	if err := b.First(1); err != nil {
		log.Fatal(err)
	}
	for _, mode := range []measure.Mode{measure.Giant, measure.Eager, measure.Replay} {
		p, _, reps, _ := b.Ran(mode)
		fmt.Println(p.Name, reps[0].Wall)
	}
	fmt.Println("alone", b.Solo())
	fmt.Println("a launch", b.Costs()[0].Launch, "a hand-off", b.Costs()[0].HandOff)
	// Output:
	// giant 3.01ms
	// eager 2.02ms
	// replay 2ms
	// alone [1ms 2ms]
	// a launch 10µs a hand-off 2µs
}
