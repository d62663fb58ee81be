package order

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/schedule"
)

// clashing finds two ops of one engine that the calls leave unordered.
func clashing(s *schedule.Schedule) (a, b int32, found bool) {
	o := Of(s.Eager())
	for x := range int32(len(s.Intent.Ops)) {
		for y := range x {
			if s.Intent.Ops[x].On() == s.Intent.Ops[y].On() && !o.Before(x, y) && !o.Before(y, x) {
				return y, x, true
			}
		}
	}
	return 0, 0, false
}

// randomPipeline has whatever layout, offset and rounds, and micro-batches of unequal durations.
func randomPipeline(r *rand.Rand) schedule.Pipeline {
	pl := schedule.Pipeline{Micro: 2 + r.Int32N(4), Layout: schedule.Layout(r.IntN(3)), Offset: r.Int32N(4),
		Repeat: r.Int32N(3), Engines: schedule.DefaultEngines()}
	for range 1 + r.IntN(5) {
		kind := schedule.Kind(r.IntN(2))
		st := schedule.Stage{Kind: kind, Engine: schedule.At(int32(kind)), Dur: time.Millisecond}
		for range pl.Micro {
			st.Durs = append(st.Durs, time.Duration(1+r.IntN(9))*time.Millisecond)
		}
		st.Dur = st.Durs[0]
		pl.Stages = append(pl.Stages, st)
	}
	return pl
}

// With whatever offset, rounds and unequal micro-batches, the exclusive layouts order every two ops of an engine, and
// all keep the order of the stages.
func TestOffsetKeepsEnginesExclusive(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	loose := 0
	for range 400 {
		pl := randomPipeline(r)
		s := pl.Schedule("x", "x")
		require.Len(t, s.Intent.Ops, int(pl.Micro)*len(pl.Stages)*int(max(pl.Repeat, 1)))
		o := Of(s.Eager())
		require.Empty(t, o.Missing)
		for op := range s.Intent.Ops {
			for _, before := range s.Intent.Ops[op].After {
				require.True(t, o.Before(before, int32(op)), "%+v", pl)
			}
		}
		a, b, found := clashing(&s)
		if pl.Layout == schedule.PerMicrobatch {
			if found {
				loose++
			}
			continue
		}
		require.False(t, found, "%s and %s of %+v", s.Intent.Ops[a].Name, s.Intent.Ops[b].Name, pl)
	}
	require.Greater(t, loose, 50, "the other layout shows what a clash looks like")
}
