package timeline

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/schedule"
)

const ms = time.Millisecond

// reference is the timetable of the reference pipeline, every op of duration d.
func reference(d time.Duration) Timeline {
	tl := Timeline{Title: "scheduled"}
	for mb := range 2 {
		l := Lane{Name: fmt.Sprintf("mb%d", mb)}
		for stage := range 4 {
			at := time.Duration(mb+stage) * d
			l.Bars = append(l.Bars, Bar{fmt.Sprintf("%c%d", 'A'+stage, mb), schedule.Kind(stage % 2), int32(stage % 2),
				at, at + d})
		}
		tl.Lanes = append(tl.Lanes, l)
	}
	return tl
}

// lane makes a lane of bars given as name, start, end in milliseconds: "A 0 10, B 10 20".
func lane(name, bars string) Lane {
	l := Lane{Name: name}
	for _, text := range strings.Split(bars, ",") {
		var b Bar
		if n, _ := fmt.Sscan(text, &b.Name, &b.Start, &b.End); n == 3 {
			b.Start, b.End = b.Start*ms, b.End*ms
			b.Kind = schedule.Kind(strings.IndexByte("KCH", b.Name[0]))
			if b.Kind > schedule.Host {
				b.Kind = schedule.Computation
			}
			l.Bars = append(l.Bars, b)
		}
	}
	return l
}

func text(t testing.TB, tl Timeline, width int) string {
	var b strings.Builder
	require.NoError(t, WriteText(&b, tl, width))
	return b.String()
}

// randomRun is up to 8 ops on up to 3 engines with spans on a small grid, so that ends meet starts.
func randomRun(r *rand.Rand) (*schedule.Intent, []Span) {
	in := &schedule.Intent{Engines: make([]schedule.Engine, 1+r.IntN(3))}
	for e := range in.Engines {
		in.Engines[e] = schedule.Engine{Name: fmt.Sprintf("e%d", e), Capacity: int32(1 + r.IntN(2))}
	}
	var spans []Span
	for i := range r.IntN(9) {
		in.Ops = append(in.Ops, schedule.Op{Name: fmt.Sprintf("op%d", i),
			Engine: schedule.At(int32(r.IntN(len(in.Engines))))})
		start := time.Duration(r.IntN(12))
		s := Span{Start: start, End: start + time.Duration(r.IntN(6)), Ran: r.IntN(8) > 0}
		if r.IntN(8) == 0 {
			s.Clock = HostClock
		}
		spans = append(spans, s)
	}
	return in, spans
}

// broken is a writer that fails.
type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("pipe broken") }
