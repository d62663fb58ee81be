package order_test

import (
	"fmt"
	"log"

	"github.com/gpu-overlap/overlap/order"
	"github.com/gpu-overlap/overlap/schedule/text"
)

// The event is recorded behind B, so CA waits for B too, and through it for A.
func Example() {
	c, err := text.ParseCase("late_event.txtar", []byte(`CA needs A alone.
-- schedule --
main:    fork compute comm
compute: computation A 1ms
compute: computation B 1ms
compute: record e
comm:    wait e
comm:    communication CA 1ms after A
main:    join compute comm
-- expect --
`))
	if err != nil {
		log.Fatal(err)
	}
	const a, b, ca = 0, 1, 2
	imposed := order.Of(c.Schedule.Eager())
	fmt.Println("A before CA:", imposed.Before(a, ca))
	fmt.Println("B before CA:", imposed.Before(b, ca))
	fmt.Println("CA before B:", imposed.Before(ca, b))
	fmt.Println("directly before CA:", imposed.Preds(ca))
	// Output:
	// A before CA: true
	// B before CA: true
	// CA before B: false
	// directly before CA: [1]
}
