package bound

import (
	"fmt"
	"testing"

	"github.com/gpu-overlap/overlap/order"
	"github.com/gpu-overlap/overlap/schedule"
)

// sizes are numbers of ops: of a pipeline of 8 micro-batches on 8 streams and 2 engines.
var sizes = []int{1e3, 1e4, 1e5, 1e6}

func BenchmarkIdeal(b *testing.B) {
	for _, n := range sizes {
		in, dur := pipeline(8, alternating(n/8, 3*ms, 2*ms)...)
		b.Run(fmt.Sprintf("ops=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Ideal(in, dur)
			}
		})
	}
}

func BenchmarkScheduled(b *testing.B) {
	for _, n := range sizes {
		in, dur := pipeline(8, alternating(n/8, 3*ms, 2*ms)...)
		o := order.Of(eightStreams(in))
		b.Run(fmt.Sprintf("ops=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Scheduled(o, dur)
			}
		})
	}
}

// eightStreams issues stage by stage; each micro-batch waits until the one before it has finished the stage.
func eightStreams(in *schedule.Intent) *schedule.Program {
	c := program(in, 8, 8)
	for op := range int32(len(in.Ops)) {
		s := op % 8
		if s > 0 {
			c.wait(s, s-1)
		}
		c.launch(s, op)
		c.record(s, s)
	}
	return c.p
}

func BenchmarkOptimal(b *testing.B) {
	for _, c := range []struct{ micro, stages int }{{2, 4}, {4, 4}, {6, 4}} {
		in, dur := pipeline(c.micro, alternating(c.stages, 3*ms, 2*ms)...)
		b.Run(fmt.Sprintf("%dx%d", c.micro, c.stages), func(b *testing.B) {
			for b.Loop() {
				if _, ok := Optimal(in, dur); !ok {
					b.Fatal("gave up")
				}
			}
		})
	}
}
