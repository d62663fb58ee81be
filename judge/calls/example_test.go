package calls_test

import (
	"fmt"
	"log"

	"github.com/gpu-overlap/overlap/judge/calls"
	"github.com/gpu-overlap/overlap/schedule/text"
)

// CA reads what A writes, and no call orders the two.
func Example() {
	c, err := text.ParseCase("unordered.txtar", []byte(`Nothing orders A and CA.
-- schedule --
main:    fork compute comm
compute: computation A 1ms writes b
comm:    communication CA 1ms reads b
main:    join compute comm
-- expect --
`))
	if err != nil {
		log.Fatal(err)
	}
	v, err := calls.Check(c.Schedule.Eager())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(v.At())
	fmt.Println(v.Change)
	// Output:
	// missing order: CA does not wait for A: both touch buffer b (unordered.txtar:5)
	// let CA wait for an event that is recorded right after A
}
