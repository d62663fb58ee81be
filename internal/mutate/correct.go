// Package mutate makes random schedules without a fault, and breaks them, each in one way; an oracle that shares no
// code with order, judge or simulator says what is wrong with the result. Tests use it to measure how well causes are
// named.
package mutate

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/verdict"
)

// Correct is a random schedule without a fault: 2 to 6 micro-batches, 2 to 8 stages, 2 to 4 engines, unequal durations,
// all layouts.
func Correct(r *rand.Rand) schedule.Schedule {
	for {
		engines := schedule.DefaultEngines()
		for e := range r.IntN(3) {
			engines = append(engines, schedule.Engine{Name: fmt.Sprintf("engine%d", e), Capacity: 1})
		}
		pl := schedule.Pipeline{Micro: 2 + r.Int32N(5), Layout: schedule.Layout(r.IntN(3)), Engines: engines}
		usable := []int32{0, 1}
		for e := 3; e < len(engines); e++ {
			usable = append(usable, int32(e))
		}
		for range 2 + r.IntN(7) {
			e := usable[r.IntN(len(usable))]
			kind := schedule.Computation
			if e == 1 {
				kind = schedule.Communication
			}
			pl.Stages = append(pl.Stages, schedule.Stage{Kind: kind, Engine: schedule.At(e),
				Dur: time.Duration(1+r.IntN(20)) * 50 * time.Microsecond})
		}
		s := pl.Schedule("random", "random")
		if len(s.Streams) > 2 && FactsOf(&s).Fault(&s) == verdict.Met {
			return s
		}
	}
}

// Clone is a schedule whose calls and streams can be changed.
func Clone(s schedule.Schedule) *schedule.Schedule {
	s.Streams, s.Issue = slices.Clone(s.Streams), slices.Clone(s.Issue)
	return &s
}
