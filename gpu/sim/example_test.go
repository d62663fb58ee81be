package sim_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/gpu-overlap/overlap/gpu/sim"
	"github.com/gpu-overlap/overlap/schedule"
)

// Two ops on two streams, the second behind the first, on a machine without costs and on one where launches are slow.
func Example() {
	slow := sim.Ideal
	slow.Name = "slow"
	slow.Calls[schedule.Launch] = 10 * time.Microsecond // of the host
	slow.CrossStream = 2 * time.Microsecond             // from stream to stream
	s := schedule.Chain(2, time.Millisecond, 2)
	ctx := context.Background()
	for _, m := range []sim.Machine{sim.Ideal, slow} {
		run, err := sim.Open(m).Prepare(ctx, s.Eager())
		if err != nil {
			log.Fatal(err)
		}
		transcript, err := run.Rep(ctx)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(m.Name, transcript.Wall)
	}
	// Output:
	// ideal 2ms
	// slow 2.012ms
}
