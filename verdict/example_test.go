package verdict_test

import (
	"fmt"

	"github.com/gpu-overlap/overlap/verdict"
)

// What the checks found makes a verdict: the first finding that decides.
func Example() {
	v := verdict.Of([]verdict.Finding{
		verdict.Note("e is recorded again before anything waited for its record"),
		verdict.Found(verdict.OverWideWait, "mine.txtar:9", "CA waits for B through e"),
	})
	fmt.Println(v.At())
	fmt.Println(v.Matches(verdict.Outcome{Cause: verdict.OverWideWait}))
	// Output:
	// over-wide wait: CA waits for B through e (mine.txtar:9)
	// true
}
