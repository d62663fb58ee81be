package tables_test

import (
	"fmt"
	"log"

	"github.com/gpu-overlap/overlap/gpu/sim/tables"
	"github.com/gpu-overlap/overlap/schedule"
)

// What a query of another stream gives while this thread captures, in the strictest mode and in the mildest.
func Example() {
	all, err := tables.Read()
	if err != nil {
		log.Fatal(err)
	}
	for _, mode := range []schedule.CaptureMode{schedule.Global, schedule.Relaxed} {
		cell := all.Unsafe.Cell(tables.QueryOther, tables.Meets(tables.Owner, mode))
		fmt.Printf("%s: %v, the capture is lost: %v\n", mode, cell.Code, cell.Lost)
	}
	// Output:
	// global: 900 CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, the capture is lost: true
	// relaxed: 0 CUDA_SUCCESS, the capture is lost: false
}
