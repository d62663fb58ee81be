package gpu_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/gpu-overlap/overlap/gpu"
	"github.com/gpu-overlap/overlap/gpu/sim"
	"github.com/gpu-overlap/overlap/schedule/text"
)

// A device prepares a program and runs it. B's stream is not joined, and the capture cannot be ended.
func Example() {
	c, err := text.ParseCase("unjoined.txtar", []byte(`B is not joined.
-- schedule --
main: fork a b
a: computation A 1ms
b: communication B 1ms
main: join a
-- expect --
`))
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	var dev gpu.Device = sim.Open(sim.Ideal)
	defer dev.Close()

	eager, err := dev.Prepare(ctx, c.Schedule.Eager())
	if err != nil {
		log.Fatal(err)
	}
	defer eager.Close()
	transcript, err := eager.Rep(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("eager:", transcript.Wall)

	p := c.Schedule.Replay()
	replay, err := dev.Prepare(ctx, p)
	if err != nil {
		log.Fatal(err)
	}
	defer replay.Close()
	var bad *gpu.Error
	if errors.As(gpu.Check(p, p.Setup, replay.Setup().Codes), &bad) {
		fmt.Println("replay:", bad.Call, "gave", bad.Code)
	}
	// Output:
	// eager: 1ms
	// replay: cuStreamEndCapture gave 904 CUDA_ERROR_STREAM_CAPTURE_UNJOINED
}
