package sample

import (
	"fmt"
	"slices"
	"time"

	"github.com/gpu-overlap/overlap/schedule"
)

// most is the longest time that is looked at, and the longest that all ops alone may take: 73 years.
const most = time.Duration(1 << 61)

// Validate refuses samples that cannot be those of a program of that intent, p, or, where p is nil, of any.
func (s *Samples) Validate(in *schedule.Intent, p *schedule.Program) error {
	if s == nil || in == nil {
		return fmt.Errorf("samples: none, or without an intent; want both")
	}
	for i := range s.Reps {
		if err := s.Reps[i].Validate(in, p); err != nil {
			return fmt.Errorf("samples: repetition %d: %w", i, err)
		}
	}
	if err := aloneFault(s.Solo, len(in.Ops)); err != nil {
		return fmt.Errorf("samples: %w", err)
	}
	from := 0
	for i, b := range s.Blocks {
		if b.End < from || b.End > len(s.Reps) {
			return fmt.Errorf("samples: block %d ends at repetition %d; want %d to %d", i, b.End, from, len(s.Reps))
		}
		from = b.End
		if err := aloneFault(b.Solo, len(in.Ops)); err != nil {
			return fmt.Errorf("samples: block %d: %w", i, err)
		}
	}
	for i, c := range s.Canary {
		if c.Before < 0 || c.Before > len(s.Reps) || slices.ContainsFunc(c.Durs, odd) ||
			slices.ContainsFunc(c.Walls, odd) {
			return fmt.Errorf("samples: canary %d, before repetition %d; want one of %d, and times from 0 on", i,
				c.Before, len(s.Reps))
		}
	}
	for _, l := range [][]time.Duration{s.Giant, s.Gated, s.Wide, {s.Costs.Launch, s.Costs.HandOff}} {
		if i := slices.IndexFunc(l, odd); i >= 0 {
			return fmt.Errorf("samples: a wall time or cost of %v; want times from 0 on", l[i])
		}
	}
	return nil
}

func odd(d time.Duration) bool { return d < 0 || d > most }

// aloneFault looks at the durations of ops alone.
func aloneFault(solo []time.Duration, ops int) error {
	if len(solo) != ops {
		return fmt.Errorf("%d durations of ops alone; want one for each of %d", len(solo), ops)
	}
	var sum time.Duration
	for op, d := range solo {
		if d < 0 || d > most-sum {
			return fmt.Errorf("op %d takes %v alone, %v with those before it; want 0s or more, and less than 73 years in all", op, d, sum)
		}
		sum += d
	}
	return nil
}
