package calls_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/internal/mutate"
	"github.com/gpu-overlap/overlap/schedule/text"
	"github.com/gpu-overlap/overlap/verdict"
)

var mutants = flag.Uint64("mutants", 11, "seed of the random schedules that are broken, and of how")

// row counts what became of one operator's mutants.
type row struct{ mutants, equal, benign, better, alarms, faulty, found, right int }

// TestMutation breaks random correct schedules, each operator once, and looks at what Check says of the mutant. The
// oracle sorts the mutants: same order as before; sound and no longer; faulty, and why. No faulty mutant is met.
func TestMutation(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(2026, *mutants))
	rows := make([]row, len(mutate.Operators))
	wrong := map[string]int{}
	for range 1000 {
		s := mutate.Correct(r)
		require.Equal(t, verdict.Met, check(t, s.Eager()).Cause, "a correct schedule: %s\n%s", check(t, s.Eager()),
			text.Schedule(&s))
		original := mutate.FactsOf(&s)
		for i, op := range mutate.Operators {
			m := mutate.Clone(s)
			if !op.Apply(r, m) {
				continue
			}
			rows[i].mutants++
			f, v := mutate.FactsOf(m), check(t, m.Eager())
			want := f.Fault(m)
			if want == verdict.Met && f.Makespan > original.Makespan {
				want = op.Cost
			}
			switch {
			case want != verdict.Met:
				rows[i].faulty++
				if !v.Met() {
					rows[i].found++
				}
				if v.Cause == want {
					rows[i].right++
				} else {
					wrong[fmt.Sprintf("%s: %s, not %s", op.Name, want, v.Cause)]++
				}
			case f.Same(original):
				rows[i].equal++
				if !v.Met() {
					rows[i].alarms++
				}
			default:
				rows[i].benign++
				switch {
				case v.Met():
				case mutate.Improvable(m): // no longer than before, but longer than it need be: the blame is right
					rows[i].better++
				default:
					rows[i].alarms++
					wrong[fmt.Sprintf("%s: benign, not %s", op.Name, v.Cause)]++
				}
			}
		}
	}
	report(t, rows, wrong)
}

func report(t *testing.T, rows []row, wrong map[string]int) {
	var b strings.Builder
	var all row
	fmt.Fprintf(&b, "\n%-24s %8s %6s %6s %6s %6s %6s %6s %6s\n", "operator", "mutants", "equal", "benign", "better",
		"alarms", "faulty", "found", "right")
	for i, op := range mutate.Operators {
		x := rows[i]
		fmt.Fprintf(&b, "%-24s %8d %6d %6d %6d %6d %6d %6d %6d\n", op.Name, x.mutants, x.equal, x.benign, x.better,
			x.alarms, x.faulty, x.found, x.right)
		all.faulty, all.found, all.right, all.alarms = all.faulty+x.faulty, all.found+x.found, all.right+x.right,
			all.alarms+x.alarms
		assert.Equal(t, x.faulty, x.found, "%s: a faulty mutant is met", op.Name)
		assert.Zero(t, x.alarms, "%s: a mutant without a fault is not met", op.Name)
		if x.faulty >= 30 {
			assert.GreaterOrEqual(t, float64(x.right), 0.9*float64(x.faulty), "%s: the true cause comes first", op.Name)
		}
	}
	assert.GreaterOrEqual(t, float64(all.right), 0.95*float64(all.faulty), "the true cause comes first, over all")
	fmt.Fprintf(&b, "%d of %d faulty mutants found, %d with the true cause, %d false alarms\n", all.found, all.faulty,
		all.right, all.alarms)
	var lines []string
	for what, n := range wrong {
		lines = append(lines, fmt.Sprintf("%5d %s", n, what))
	}
	slices.Sort(lines)
	t.Log(b.String() + strings.Join(lines, "\n"))
}
