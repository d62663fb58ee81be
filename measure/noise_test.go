package measure_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap"
	"github.com/gpu-overlap/overlap/bound"
	"github.com/gpu-overlap/overlap/gpu/sim"
	"github.com/gpu-overlap/overlap/internal/mutate"
	"github.com/gpu-overlap/overlap/order"
	"github.com/gpu-overlap/overlap/overlaptest"
	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/schedule/text"
	"github.com/gpu-overlap/overlap/verdict"
)

// underNoise is the noise that the suite must stand: durations that scatter by 2 % and drift by 20 % up and down, and a
// host that is late every now and then, by as much as a short op.
var underNoise = sim.Noise{Duration: 0.02, Drift: 0.2, Period: 2000, HostChance: 0.01,
	HostDelay: 200 * time.Microsecond}

// outcomes counts verdicts.
type outcomes struct{ met, inconclusive, missed int }

func (o *outcomes) count(v verdict.Verdict) {
	switch v.Cause {
	case verdict.Met:
		o.met++
	case verdict.Inconclusive:
		o.inconclusive++
	default:
		o.missed++
	}
}

func (o outcomes) all() int { return o.met + o.inconclusive + o.missed }

// target is what the schedule meets at nominal durations, and 2 % more, as a case has it unless it says otherwise.
func target(s *schedule.Schedule) verdict.Target {
	dur := s.Intent.Durations()
	makespan := bound.Scheduled(order.Of(s.Eager()), dur).Makespan
	return verdict.Target{Of: verdict.OfIdeal,
		Percent: 100*(float64(makespan)/float64(bound.Ideal(&s.Intent, dur))-1) + 2}
}

func noisyCase(s *schedule.Schedule, to verdict.Target) *overlap.Case {
	return &overlap.Case{Name: s.Name, File: s.File, Schedule: *s, Expect: verdict.Expect{Eager: to, Replay: to}}
}

// worse gives a random correct schedule and a mutant of it that is as sound and takes at least 5 % longer: only its
// times tell. longer is by what share.
func worse(r *rand.Rand) (s schedule.Schedule, mutant *schedule.Schedule, longer float64) {
	for {
		s := mutate.Correct(r)
		original := mutate.FactsOf(&s)
		for range mutate.Operators {
			m := mutate.Clone(s)
			if !mutate.Operators[r.IntN(len(mutate.Operators))].Apply(r, m) {
				continue
			}
			if f := mutate.FactsOf(m); f.Fault(m) == verdict.Met && 100*f.Makespan >= 105*original.Makespan {
				return s, m, float64(f.Makespan)/float64(original.Makespan) - 1
			}
		}
	}
}

// TestNoiseBar judges correct schedules, and mutants of them that take at least 5 % longer, one after the other on
// devices under noise. No correct schedule may miss; of the mutants 95 % must be found; and no more than 2 % of either
// may be left open. Held against the ops alone over all repetitions, instead of those of their own time, 14 % of the
// correct ones would be left open. It holds for a drift that is slow beside a case, which runs about 200 to 1,000
// repetitions of everything.
func TestNoiseBar(t *testing.T) {
	t.Parallel()
	n := 1000
	if testing.Short() {
		n = 100
	}
	const workers = 2
	var parts [workers][3]outcomes // correct; mutants; of these, those that take at most 10 % longer
	var wait sync.WaitGroup
	for w := range workers {
		wait.Go(func() {
			r := rand.New(rand.NewPCG(2026, uint64(w)))
			disturbed := underNoise
			disturbed.Seed = uint64(w)
			dev := noisy(disturbed)
			for i := w; i < n; i += workers {
				s, m, longer := worse(r)
				for k, x := range []*schedule.Schedule{&s, m} {
					res, err := overlap.Run(t.Context(), dev, noisyCase(x, target(&s)), overlap.Options{})
					if !assert.NoError(t, err) {
						return
					}
					parts[w][k].count(res.Verdict)
					if k == 1 && longer < 0.1 {
						parts[w][2].count(res.Verdict)
					}
					if k == 0 && res.Verdict.Cause != verdict.Inconclusive && !res.Verdict.Met() {
						t.Errorf("a correct schedule: %s\n%s", overlap.Report(res), text.Schedule(&s))
					}
				}
			}
		})
	}
	wait.Wait()
	var sum [3]outcomes
	var b strings.Builder
	fmt.Fprintf(&b, "\n%-22s %6s %6s %12s %6s\n", "", "of", "met", "inconclusive", "missed")
	for k, name := range []string{"correct", "at least 5 % longer", "of these, under 10 %"} {
		for _, p := range parts {
			sum[k].met += p[k].met
			sum[k].inconclusive += p[k].inconclusive
			sum[k].missed += p[k].missed
		}
		fmt.Fprintf(&b, "%-22s %6d %6d %12d %6d\n", name, sum[k].all(), sum[k].met, sum[k].inconclusive, sum[k].missed)
	}
	t.Log(b.String())
	right, mutants := sum[0], sum[1]
	assert.Equal(t, []int{n, n}, []int{right.all(), mutants.all()})
	assert.Zero(t, right.missed, "false alarms")
	assert.GreaterOrEqual(t, mutants.missed, n*95/100, "found")
	assert.LessOrEqual(t, right.inconclusive, n*2/100)
	assert.LessOrEqual(t, mutants.inconclusive, n*2/100)
}

// TestForeignLoad: a load that comes early and stays leaves too few quiet blocks: the verdict is inconclusive, unless
// the schedule loses more than the load could make it lose. One that goes again costs a few blocks, and no more.
func TestForeignLoad(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(2026, 4))
	anyway := 0
	for i := range 50 {
		s, m, _ := worse(r)
		to := target(&s)
		run := func(x *schedule.Schedule, foreign float64, from, end int) (*overlap.Result, int) {
			dev := noisy(sim.Noise{Seed: uint64(i), Duration: 0.005, Foreign: foreign, ForeignFrom: from,
				ForeignTo: end})
			res, err := overlap.Run(t.Context(), dev, noisyCase(x, to), overlap.Options{})
			require.NoError(t, err)
			return res, dev.reps
		}
		for _, x := range []*schedule.Schedule{&s, m} {
			sound := x == &s
			quiet, all := run(x, 0, 0, 0)
			decided := func(res *overlap.Result, when string) {
				assert.Equal(t, sound, res.Verdict.Met(), "%s: %s", when, res.Verdict)
				assert.NotEqual(t, verdict.Inconclusive, res.Verdict.Cause, when)
			}
			decided(quiet, "quiet")
			assert.NotContains(t, strings.Join(quiet.Verdict.Notes, ";"), "foreign load")

			stays, _ := run(x, 0.3, all/5, math.MaxInt64)
			if stays.Verdict.Cause == verdict.Inconclusive {
				assert.True(t, strings.HasPrefix(stays.Verdict.Detail, "foreign load: "), stays.Verdict.String())
			} else {
				anyway++
				assert.False(t, sound || stays.Verdict.Met(), stays.Verdict.String())
				assert.Equal(t, quiet.Verdict.Cause, stays.Verdict.Cause)
			}

			goes, _ := run(x, 0.3, all/3, all/2)
			decided(goes, "a load that goes")
			assert.Contains(t, strings.Join(goes.Verdict.Notes, ";"), "foreign load")
		}
	}
	assert.Positive(t, anyway, "misses that no load explains")
	assert.Less(t, anyway, 50, "and misses that it could")
}

// TestSamplerStops: what cannot be decided is given up, at the limits of the options.
func TestSamplerStops(t *testing.T) {
	s := overlap.ReferenceSchedule(time.Millisecond)
	run := func(opt overlap.Options, want verdict.Cause) (reps int, took time.Duration) {
		opt.Reps = 15
		dev := noisy(sim.Noise{Seed: 1, Duration: 0.3})
		c := noisyCase(&s, verdict.Target{Percent: 6, Of: verdict.OfIdeal})
		res, err := overlap.Run(t.Context(), dev, c, opt)
		require.NoError(t, err)
		assert.Equal(t, want, res.Eager.Verdict.Cause, "%s %v", res.Eager.Verdict, res.Eager.Verdict.Notes)
		return len(res.Eager.Reps), dev.took
	}
	first, once := run(overlap.Options{MaxReps: 1}, verdict.Inconclusive)
	assert.Equal(t, 15, first)
	more, long := run(overlap.Options{}, verdict.Inconclusive)
	assert.Greater(t, more, 2*first)
	assert.InDelta(t, 4, float64(long)/float64(once), 0.5)
	some, _ := run(overlap.Options{MaxReps: 25}, verdict.Inconclusive)
	assert.Equal(t, 25, some)
	_, took := run(overlap.Options{MaxTime: 2 * once}, verdict.Inconclusive)
	assert.InDelta(t, 2, float64(took)/float64(once), 0.2)
	most, _ := run(overlap.Options{MaxTime: time.Hour}, verdict.Met)
	assert.LessOrEqual(t, most, 401)
	assert.Greater(t, most, more, "given more time, it is decided")
}

// TestCasesUnderNoise: the suite's cases give what they expect under a little noise, too, or are left open.
func TestCasesUnderNoise(t *testing.T) {
	t.Parallel()
	open := 0
	list, err := filepath.Glob("../testdata/cases/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, list)
	for i, file := range list {
		dev := noisy(sim.Noise{Seed: uint64(i), Duration: 0.002, Drift: 0.1, Period: 2000, HostChance: 0.001,
			HostDelay: 50 * time.Microsecond})
		res, err := overlap.Run(t.Context(), dev, overlaptest.Parse(t, file), overlap.Options{})
		require.NoError(t, err)
		if len(res.Failures) > 0 && res.Inconclusive() {
			open++
			continue
		}
		assert.Empty(t, res.Failures, "%s", overlap.Report(res))
	}
	t.Logf("%d of %d are left open", open, len(list))
	assert.LessOrEqual(t, open, len(list)/10)
}
