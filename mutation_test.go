package overlap_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap"
	"github.com/gpu-overlap/overlap/schedule"
)

var mutants = flag.Uint64("mutants", 11, "seed of the random schedules that are broken, and of how")

// correct is a random schedule without a fault: 2 to 6 micro-batches, 2 to 8 stages, 2 to 4 engines, unequal durations, all
// layouts.
func correct(r *rand.Rand) schedule.Schedule {
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
			pl.Stages = append(pl.Stages, schedule.Stage{Kind: kind, Engine: schedule.At(e), Dur: time.Duration(1+r.IntN(20)) * 50 * time.Microsecond})
		}
		s := pl.Schedule("random", "random")
		if len(s.Streams) > 2 && factsOf(&s).fault(&s) == "" {
			return s
		}
	}
}

func clone(s schedule.Schedule) *schedule.Schedule {
	s.Streams, s.Issue = slices.Clone(s.Streams), slices.Clone(s.Issue)
	return &s
}

// row counts what became of one operator's mutants.
type row struct{ mutants, equal, benign, better, alarms, faulty, found, right int }

// TestMutation breaks random correct schedules, each operator once, and looks at what Static says of the mutant. The oracle
// sorts the mutants: same order as before; sound and no longer; faulty, and why. No faulty mutant is met.
func TestMutation(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(2026, *mutants))
	rows := make([]row, len(operators))
	wrong := map[string]int{}
	for range 1000 {
		s := correct(r)
		require.Equal(t, overlap.Met, overlap.Static(s.Eager()).Cause, "a correct schedule: %s\n%s", overlap.Static(s.Eager()), s.Text())
		original := factsOf(&s)
		for i, op := range operators {
			m := clone(s)
			if !op.apply(r, m) {
				continue
			}
			rows[i].mutants++
			f, v := factsOf(m), overlap.Static(m.Eager())
			want := f.fault(m)
			if want == "" && f.makespan > original.makespan {
				want = op.cost
			}
			switch {
			case want != "":
				rows[i].faulty++
				if !v.Met() {
					rows[i].found++
				}
				if string(v.Cause) == want {
					rows[i].right++
				} else {
					wrong[fmt.Sprintf("%s: %s, not %s", op.name, want, v.Cause)]++
				}
			case f.same(original):
				rows[i].equal++
				if !v.Met() {
					rows[i].alarms++
				}
			default:
				rows[i].benign++
				switch {
				case v.Met():
				case improvable(m): // no longer than before, but longer than it need be: the blame is right
					rows[i].better++
				default:
					rows[i].alarms++
					wrong[fmt.Sprintf("%s: benign, not %s", op.name, v.Cause)]++
				}
			}
		}
	}
	report(t, rows, wrong)
}

func report(t *testing.T, rows []row, wrong map[string]int) {
	var b strings.Builder
	var all row
	fmt.Fprintf(&b, "\n%-24s %8s %6s %6s %6s %6s %6s %6s %6s\n", "operator", "mutants", "equal", "benign", "better", "alarms", "faulty", "found", "right")
	for i, op := range operators {
		x := rows[i]
		fmt.Fprintf(&b, "%-24s %8d %6d %6d %6d %6d %6d %6d %6d\n", op.name, x.mutants, x.equal, x.benign, x.better, x.alarms, x.faulty, x.found, x.right)
		all.faulty, all.found, all.right, all.alarms = all.faulty+x.faulty, all.found+x.found, all.right+x.right, all.alarms+x.alarms
		assert.Equal(t, x.faulty, x.found, "%s: a faulty mutant is met", op.name)
		assert.Zero(t, x.alarms, "%s: a mutant without a fault is not met", op.name)
		if x.faulty >= 30 {
			assert.GreaterOrEqual(t, float64(x.right), 0.9*float64(x.faulty), "%s: the true cause comes first", op.name)
		}
	}
	assert.GreaterOrEqual(t, float64(all.right), 0.95*float64(all.faulty), "the true cause comes first, over all")
	fmt.Fprintf(&b, "%d of %d faulty mutants found, %d with the true cause, %d false alarms\n", all.found, all.faulty, all.right, all.alarms)
	var lines []string
	for what, n := range wrong {
		lines = append(lines, fmt.Sprintf("%5d %s", n, what))
	}
	slices.Sort(lines)
	t.Log(b.String() + strings.Join(lines, "\n"))
}
