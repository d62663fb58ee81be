package judge_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/gpu-overlap/overlap/gpu"
	"github.com/gpu-overlap/overlap/gpu/sim"
	"github.com/gpu-overlap/overlap/judge"
	"github.com/gpu-overlap/overlap/judge/sample"
	"github.com/gpu-overlap/overlap/schedule"
)

// Evidence that comes from anywhere is judged: values in, a verdict out.
func Example() {
	ctx := context.Background()
	pl := schedule.Pipeline{Micro: 2, Engines: schedule.DefaultEngines(), Stages: []schedule.Stage{
		{Kind: schedule.Computation, Dur: time.Millisecond}, {Kind: schedule.Communication, Dur: time.Millisecond}}}
	s := pl.Schedule("two stages", "two.txtar")
	p := s.Eager()
	run, err := sim.Open(sim.Ideal).Prepare(ctx, p)
	if err != nil {
		log.Fatal(err)
	}
	transcript, err := run.Rep(ctx)
	if err != nil {
		log.Fatal(err)
	}
	ev := &judge.Evidence{Intent: p.Intent, Program: p, Setup: run.Setup(), Samples: sample.Samples{
		Reps: []gpu.Transcript{transcript}, Solo: p.Intent.Durations(), Exact: true, Steady: true}}
	for _, wall := range []time.Duration{transcript.Wall, 3500 * time.Microsecond} { // as it was, and had it taken longer
		ev.Reps[0].Wall = wall
		answer, err := judge.Judge(ev)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(answer.String(), "at most", answer.Limit)
	}
	// Output:
	// met at most 3ms + 2% = 3.06ms
	// missed: wall time is over its target at most 3ms + 2% = 3.06ms
}
