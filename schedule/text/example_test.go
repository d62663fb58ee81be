package text_test

import (
	"fmt"

	"github.com/gpu-overlap/overlap/schedule/text"
)

const late = `The event is recorded one op too late.

-- schedule --
main:    fork compute comm
compute: computation A 2ms
compute: computation B 2ms
compute: record e
comm:    wait e
comm:    communication CA 2ms after A
main:    join compute comm
-- expect --
ideal     4ms
scheduled 6ms
verdict over-wide wait: CA waits for B through e
`

func ExampleParseCase() {
	c, err := text.ParseCase("testdata/cases/late.txtar", []byte(late))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(c.Name, c.Kind, len(c.Schedule.Intent.Ops), "ops")
	fmt.Println(c.Expect.Verdict)
	// Output:
	// late spelled 3 ops
	// over-wide wait: CA waits for B through e
}

func ExampleSyntaxError() {
	_, err := text.ParseCase("x.txtar", []byte("-- schedule --\nmain: recrod e\n-- expect --\n"))
	fmt.Println(err)
	// Output:
	// x.txtar:2: unknown verb "recrod"; want record (one of computation, communication, host, h2d, d2h, record, wait, fork, join, sync, query)
	//     main: recrod e
	//           ^
}

func ExampleSchedule() {
	c, err := text.ParseCase("x.txtar", []byte("-- schedule --\nmain: fork a\na: host H 1ms\nmain: join a\n-- expect --\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(text.Schedule(&c.Schedule))
	// Output:
	// stream a
	// main: record fork1
	// a: wait fork1
	// a: host H 1ms
	// a: record join1
	// main: wait join1
}
