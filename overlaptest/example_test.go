package overlaptest_test

import (
	"context"
	"fmt"
	"log"
	"testing"

	"github.com/gpu-overlap/overlap"
	"github.com/gpu-overlap/overlap/overlaptest"
)

// A folder of cases as subtests. README shows this function.
func TestSchedules(t *testing.T) {
	dev := overlaptest.Open(t, overlap.DefaultDevice(), "h200") // the GPU with -tags gpu
	overlaptest.Cases(t, dev, "testdata/*.txtar")
}

// printer stands for the *testing.T of a test.
type printer struct{ testing.TB }

func (printer) Helper()                {}
func (printer) Attr(key, value string) { fmt.Println(key, value) }

// What a test of one case puts into its attributes, which JUnit reports keep.
func Example() {
	ctx := context.Background()
	var t printer // in a test, its *testing.T
	c := overlaptest.Parse(t, "testdata/event_in_time.txtar")
	dev, err := overlap.Open(ctx, overlap.Sim, "ideal")
	if err != nil {
		log.Fatal(err)
	}
	defer dev.Close()
	r, err := overlap.Run(ctx, dev, c, overlap.Options{})
	if err != nil {
		log.Fatal(err)
	}
	overlaptest.Attributes(t, r)
	// Output:
	// verdict met
	// serial_ns 1500000
	// ideal_ns 1000000
	// scheduled_ns 1000000
	// giant_ns 1500000
	// eager_ns 1000000
	// replay_ns 1000000
}
