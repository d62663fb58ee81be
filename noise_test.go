package overlap_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap"
	"github.com/gpu-overlap/overlap/bound"
	"github.com/gpu-overlap/overlap/gpu"
	"github.com/gpu-overlap/overlap/gpu/sim"
	"github.com/gpu-overlap/overlap/schedule"
)

// noise is what disturbs a device of the test.
type noise struct {
	seed                   uint64
	duration               float64       // relative standard deviation of an op's duration
	drift                  float64       // amplitude of a slow sine
	period                 time.Duration // of the sine
	hostChance             float64       // by driver call
	hostDelay              time.Duration
	foreign                float64 // how much longer ops take
	foreignFrom, foreignTo time.Duration
}

type noisyDevice struct {
	gpu.Device
	noise
	rand *rand.Rand
	now  time.Duration
}

func (n noise) open() gpu.Device {
	return &noisyDevice{Device: sim.Open(sim.H200), noise: n, rand: rand.New(rand.NewPCG(n.seed, 5))}
}

func (d *noisyDevice) Info() gpu.Info {
	i := d.Device.Info()
	i.Noisy, i.Exact = true, false
	return i
}

type noisyRun struct {
	gpu.Run
	d       *noisyDevice
	program *schedule.Program
	ops     []schedule.Op
}

func (d *noisyDevice) Prepare(ctx context.Context, p *schedule.Program) (gpu.Run, error) {
	own, in := *p, *p.Intent
	in.Ops = append([]schedule.Op{}, in.Ops...)
	own.Intent = &in
	run, err := d.Device.Prepare(ctx, &own)
	return &noisyRun{run, d, p, in.Ops}, err
}

func (r *noisyRun) Program() *schedule.Program { return r.program }

func (r *noisyRun) Rep(ctx context.Context) (gpu.Transcript, error) {
	d := r.d
	level := 1.0
	if d.period > 0 {
		level += d.drift * math.Sin(2*math.Pi*float64(d.now)/float64(d.period))
	}
	if d.foreignFrom <= d.now && d.now < d.foreignTo {
		level += d.foreign
	}
	for i, op := range r.program.Intent.Ops {
		r.ops[i].Dur = time.Duration(float64(op.Dur) * level * (1 + d.duration*d.rand.NormFloat64()))
	}
	t, err := r.Run.Rep(ctx)
	for range t.Codes {
		if d.rand.Float64() < d.hostChance {
			t.Wall += d.hostDelay
		}
	}
	d.now += t.Wall
	return t, err
}

func (d *noisyDevice) Sample(ctx context.Context, runs []gpu.Run, reps int) ([][]gpu.Transcript, error) {
	return gpu.Interleave(ctx, runs, reps)
}

// outcomes counts verdicts.
type outcomes struct{ met, inconclusive, missed, vacuous int }

func (o *outcomes) count(v overlap.Verdict) {
	switch v.Cause {
	case overlap.Met:
		o.met++
	case overlap.Inconclusive:
		o.inconclusive++
	case overlap.Vacuous:
		o.vacuous++
	default:
		o.missed++
	}
}

func (o outcomes) all() int { return o.met + o.inconclusive + o.missed + o.vacuous }

// noiseBar is what the noise of the test is.
var noiseBar = noise{duration: 0.02, drift: 0.2, period: 2 * time.Second, hostChance: 0.002, hostDelay: 200 * time.Microsecond}

// grant is the target over what a schedule takes at nominal durations. Under noise, where paths meet, the slower of them
// counts, so that a schedule takes 1 to 2 % longer.
var grant = 3.0

// target is what the original meets at nominal durations, and the grant.
func target(s *schedule.Schedule) schedule.Target {
	dur := s.Intent.Durations()
	makespan := bound.Scheduled(schedule.OrderOf(s.Eager()), dur).Makespan
	ideal := bound.Ideal(&s.Intent, dur)
	return schedule.Target{Of: schedule.OfIdeal, Percent: 100*(float64(makespan)/float64(ideal)-1) + grant}
}

func noisyCase(s *schedule.Schedule, to schedule.Target) *overlap.Case {
	return &overlap.Case{Name: s.Name, File: s.File, Schedule: *s, Expect: schedule.Expect{Eager: to, Replay: to, Nodes: -1, Edges: -1}}
}

// TestNoiseBar runs correct schedules, and mutants that take at least 5 % longer, under noise.
func TestNoiseBar(t *testing.T) {
	n := 1000
	if testing.Short() {
		n = 100
	}
	var lock sync.Mutex
	var right, broken outcomes
	var wait sync.WaitGroup
	notes := map[string]int{}
	const workers = 2
	for w := range workers {
		wait.Go(func() {
			r := rand.New(rand.NewPCG(2026, uint64(w)))
			for i := w; i < n; i += workers {
				s, m := worse(r)
				to := target(&s)
				for k, x := range []*schedule.Schedule{&s, m} {
					noise := noiseBar
					noise.seed = uint64(2*i + k)
					dev := noise.open()
					// Cases begin at any time of the drift.
					dev.(*noisyDevice).now = time.Duration(r.Int64N(int64(noise.period)))
					res, err := overlap.Run(t.Context(), dev, noisyCase(x, to), overlap.Options{})
					lock.Lock()
					if assert.NoError(t, err) {
						[]*outcomes{&right, &broken}[k].count(res.Verdict)
						if k == 0 && !res.Verdict.Met() || k == 1 && (res.Verdict.Met() || res.Verdict.Cause == overlap.Inconclusive) {
							notes[fmt.Sprintf("%d %s: %v n=%d eager %v limit %v replay %v limit %v", k, res.Verdict, res.Verdict.Notes, len(res.Eager.Reps), res.Eager.Wall(false), res.Eager.Limit, res.Replay.Wall(false), res.Replay.Limit)]++
						}
					}
					lock.Unlock()
				}
			}
		})
	}
	wait.Wait()
	var b strings.Builder
	fmt.Fprintf(&b, "\n%-22s %6s %6s %12s %6s %7s\n", "", "of", "met", "inconclusive", "missed", "vacuous")
	for i, o := range []outcomes{right, broken} {
		fmt.Fprintf(&b, "%-22s %6d %6d %12d %6d %7d\n", []string{"correct", "at least 5 % longer"}[i], o.all(), o.met, o.inconclusive, o.missed, o.vacuous)
	}
	for k := range notes {
		fmt.Fprintln(&b, k)
	}
	t.Log(b.String())
	assert.Zero(t, right.missed, "false alarms")
	assert.LessOrEqual(t, right.inconclusive, n/50)
	assert.GreaterOrEqual(t, broken.missed, n*95/100)
	assert.LessOrEqual(t, broken.inconclusive, n/50)
}

// worse gives a random correct schedule and a mutant of it that is sound and takes at least 5 % longer.
func worse(r *rand.Rand) (schedule.Schedule, *schedule.Schedule) {
	for {
		s := correct(r)
		original := factsOf(&s)
		for range operators {
			op := operators[r.IntN(len(operators))]
			m := clone(s)
			if !op.apply(r, m) {
				continue
			}
			if f := factsOf(m); f.fault(m) == "" && float64(f.makespan) >= 1.05*float64(original.makespan) {
				return s, m
			}
		}
	}
}

// TestForeignLoad: a load that comes early and stays leaves too few quiet blocks: whatever the schedule is, the verdict is
// inconclusive. One that goes again costs a few blocks, and no more.
func TestForeignLoad(t *testing.T) {
	r := rand.New(rand.NewPCG(2026, 4))
	for i := range 20 {
		s, m := worse(r)
		to := target(&s)
		run := func(x *schedule.Schedule, foreign float64, from, end time.Duration) (*overlap.Result, time.Duration) {
			dev := noise{seed: uint64(i), duration: 0.005, foreign: foreign, foreignFrom: from, foreignTo: end}.open()
			res, err := overlap.Run(t.Context(), dev, noisyCase(x, to), overlap.Options{})
			require.NoError(t, err)
			return res, dev.(*noisyDevice).now
		}
		for _, x := range []*schedule.Schedule{&s, m} {
			sound := x == &s
			quiet, all := run(x, 0, 0, 0)
			decided := func(res *overlap.Result, when string) {
				assert.Equal(t, sound, res.Verdict.Met(), "%s: %s", when, res.Verdict)
				assert.NotEqual(t, overlap.Inconclusive, res.Verdict.Cause, when)
			}
			decided(quiet, "quiet")
			assert.NotContains(t, strings.Join(quiet.Verdict.Notes, ";"), "foreign load")

			stays, _ := run(x, 0.3, all/5, math.MaxInt64)
			assert.Equal(t, overlap.Inconclusive, stays.Verdict.Cause, stays.Verdict.String())
			assert.True(t, strings.HasPrefix(stays.Verdict.Detail, "foreign load: "), stays.Verdict.String())

			goes, _ := run(x, 0.3, all/3, all/2)
			decided(goes, "a load that goes")
			assert.Contains(t, strings.Join(goes.Verdict.Notes, ";"), "foreign load")
		}
	}
}

// TestSamplerStops: what cannot be decided is given up, at the limits of the options.
func TestSamplerStops(t *testing.T) {
	s := overlap.ReferenceSchedule(time.Millisecond)
	run := func(opt overlap.Options, want overlap.Cause) (reps int, took time.Duration) {
		dev := noise{seed: 1, duration: 0.3}.open()
		c := noisyCase(&s, schedule.Target{Percent: 4})
		res, err := overlap.Run(t.Context(), dev, c, opt)
		require.NoError(t, err)
		assert.Equal(t, want, res.Eager.Verdict.Cause, "%s %v", res.Eager.Verdict, res.Eager.Verdict.Notes)
		return len(res.Eager.Reps), dev.(*noisyDevice).now
	}
	first, once := run(overlap.Options{MaxReps: 1}, overlap.Inconclusive)
	assert.Equal(t, 15, first)
	more, long := run(overlap.Options{}, overlap.Inconclusive)
	assert.Greater(t, more, 2*first)
	assert.InDelta(t, 4, float64(long)/float64(once), 0.5)
	some, _ := run(overlap.Options{MaxReps: 25}, overlap.Inconclusive)
	assert.Equal(t, 25, some)
	_, took := run(overlap.Options{MaxTime: 2 * once}, overlap.Inconclusive)
	assert.InDelta(t, 2, float64(took)/float64(once), 0.2)
	most, _ := run(overlap.Options{MaxTime: time.Hour}, overlap.Met)
	assert.LessOrEqual(t, most, 401)
	assert.Greater(t, most, more, "given more time, it is decided")
}
