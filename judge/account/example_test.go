package account_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/gpu-overlap/overlap/gpu/sim"
	"github.com/gpu-overlap/overlap/judge/account"
	"github.com/gpu-overlap/overlap/judge/sample"
	"github.com/gpu-overlap/overlap/order"
	"github.com/gpu-overlap/overlap/schedule"
)

// Ops of 2 µs that a slow host launches: most of the wall time is not theirs.
func Example() {
	ctx := context.Background()
	slow := sim.Ideal
	slow.Calls[schedule.Launch] = 10 * time.Microsecond
	p := schedule.Chain(4, 2*time.Microsecond, 2).Eager()
	run, err := sim.Open(slow).Prepare(ctx, p)
	if err != nil {
		log.Fatal(err)
	}
	transcript, err := run.Rep(ctx)
	if err != nil {
		log.Fatal(err)
	}
	a := account.Of(account.Input{Intent: p.Intent, Program: p, Order: order.Of(p), Run: &transcript,
		Solo: p.Intent.Durations(), Costs: sample.Costs{Launch: 10 * time.Microsecond}})
	fmt.Println(a.Wall)
	fmt.Println(a.Line())
	// Output:
	// 42µs
	// issue 40µs, ops 2µs
}
