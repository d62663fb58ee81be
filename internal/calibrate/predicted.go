package calibrate

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/gpu-overlap/overlap/gpu"
	"github.com/gpu-overlap/overlap/schedule"
)

// Predicted are schedules that took no part in the calibration, as one device ran them.
type Predicted struct {
	Date      string `json:"date"`
	Device    string `json:"device"`
	Driver    string `json:"driver"`
	Schedules []Run  `json:"schedules"`
}

// Run is one schedule and its times.
type Run struct {
	Spec
	Eager  Times `json:"eager"`
	Replay Times `json:"replay"`
}

// Spec is a pipeline as plain data, from which the schedule can be built again.
type Spec struct {
	Name   string  `json:"name"`
	Micro  int32   `json:"micro"`
	Layout string  `json:"layout"`
	Stages []Stage `json:"stages"`
}

// Stage is a stage of a pipeline: computation or communication, and the duration of each micro-batch.
type Stage struct {
	Kind string          `json:"kind"`
	Durs []time.Duration `json:"durs_ns"`
}

// Times are those of one mode, by repetition, and the medians of when each call was issued and each op started and
// ended.
type Times struct {
	Wall  []time.Duration `json:"wall_ns"`
	Issue []time.Duration `json:"issue_ns"`
	Calls []time.Duration `json:"calls_ns"`
	Start []time.Duration `json:"start_ns"`
	End   []time.Duration `json:"end_ns"`
}

var layouts = []schedule.Layout{schedule.PerMicrobatch, schedule.PerEngine}

// Schedule builds the schedule. It refuses a spec that names what is not there.
func (s *Spec) Schedule() (*schedule.Schedule, error) {
	at := slices.IndexFunc(layouts, func(l schedule.Layout) bool { return l.String() == s.Layout })
	if at < 0 {
		return nil, fmt.Errorf("%s: no layout %q", s.Name, s.Layout)
	}
	if s.Micro < 1 || len(s.Stages) == 0 {
		return nil, fmt.Errorf("%s: %d micro-batches and %d stages; want at least one of each", s.Name, s.Micro,
			len(s.Stages))
	}
	pl := schedule.Pipeline{Micro: s.Micro, Layout: layouts[at], Engines: schedule.DefaultEngines()}
	for _, st := range s.Stages {
		kind := schedule.Computation
		if st.Kind == schedule.Communication.String() {
			kind = schedule.Communication
		} else if st.Kind != kind.String() {
			return nil, fmt.Errorf("%s: no kind %q", s.Name, st.Kind)
		}
		if len(st.Durs) != int(s.Micro) || slices.Min(st.Durs) <= 0 {
			return nil, fmt.Errorf("%s: a stage has the durations %v; want %d, each over 0", s.Name, st.Durs, s.Micro)
		}
		pl.Stages = append(pl.Stages, schedule.Stage{Kind: kind, Engine: schedule.At(int32(kind)), Dur: st.Durs[0],
			Durs: st.Durs})
	}
	sch := pl.Schedule(s.Name, s.Name)
	return &sch, nil
}

// Shortest is the duration of the shortest op.
func (s *Spec) Shortest() time.Duration {
	shortest := time.Duration(math.MaxInt64)
	for _, st := range s.Stages {
		shortest = min(shortest, slices.Min(st.Durs))
	}
	return shortest
}

// numRandom is how many random pipelines are predicted, and Seed what they follow from unless another is chosen.
const (
	numRandom = 20
	Seed      = 5
)

// scales are the shortest durations of the random pipelines' ops, in turn; the longest are twice as long.
var scales = []time.Duration{5, 8, 12, 20, 32, 50, 80, 150, 400, 1000}

// references are the op durations of the reference schedule.
var references = []time.Duration{2, 5, 10, 20, 50, 100, 200, 1000, 2000, 5000, 10_000}

// Specs are the schedules to predict: the reference at several op durations, and random pipelines.
func Specs(seed uint64) []Spec {
	var list []Spec
	for _, us := range references {
		list = append(list, reference(us*time.Microsecond))
	}
	rng := rand.New(rand.NewPCG(seed, seed))
	for i := range numRandom {
		list = append(list, random(rng, i))
	}
	return list
}

// reference is the reference schedule: two micro-batches, four stages of one duration.
func reference(d time.Duration) Spec {
	s := Spec{Name: "reference " + d.String(), Micro: 2, Layout: schedule.PerMicrobatch.String()}
	for i := range 4 {
		s.Stages = append(s.Stages, Stage{schedule.Kind(i % 2).String(), []time.Duration{d, d}})
	}
	return s
}

func random(rng *rand.Rand, i int) Spec {
	scale := scales[i%len(scales)] * time.Microsecond
	s := Spec{Name: fmt.Sprintf("random %d", i+1), Micro: 2 + rng.Int32N(5),
		Layout: layouts[(i+i/len(scales))%len(layouts)].String()}
	for range 2 + rng.IntN(5) {
		st := Stage{Kind: schedule.Kind(rng.IntN(2)).String()}
		for range s.Micro {
			st.Durs = append(st.Durs, (scale + time.Duration(rng.Int64N(int64(scale)+1))).Round(100*time.Nanosecond))
		}
		s.Stages = append(s.Stages, st)
	}
	return s
}

// budget is how long the repetitions of one schedule should take; enough are taken whatever they take.
const (
	budget = 2 * time.Second
	enough = 21
)

// Predict runs the schedules, about reps repetitions of each mode, fewer of what takes long.
func Predict(ctx context.Context, dev gpu.Device, seed uint64, reps int) (*Predicted, error) {
	info := dev.Info()
	out := &Predicted{Device: info.Name, Driver: info.Driver}
	specs := Specs(seed)
	got := make([][2][]gpu.Transcript, len(specs))
	for round := range rounds {
		for i := range specs {
			if round%2 == 1 {
				i = len(specs) - 1 - i
			}
			s, err := specs[i].Schedule()
			if err != nil {
				return nil, err
			}
			some, err := sample(ctx, dev, []*schedule.Program{s.Eager(), s.Replay()}, specs[i].reps(s, reps)/rounds)
			if err != nil {
				return nil, err
			}
			for mode := range some {
				got[i][mode] = append(got[i][mode], some[mode]...)
			}
		}
	}
	for i := range specs {
		out.Schedules = append(out.Schedules, Run{specs[i], timesOf(got[i][0]), timesOf(got[i][1])})
	}
	return out, nil
}

// reps is a multiple of the rounds.
func (s *Spec) reps(sch *schedule.Schedule, most int) int {
	var sum time.Duration
	for _, d := range sch.Intent.Durations() {
		sum += d
	}
	n := min(max(int(budget/sum), min(enough, most)), most)
	return (n + rounds - 1) / rounds * rounds
}

func timesOf(reps []gpu.Transcript) Times {
	var t Times
	for i := range reps {
		t.Wall, t.Issue = append(t.Wall, reps[i].Wall), append(t.Issue, reps[i].Issue)
	}
	for call := range reps[0].Issued {
		var issued []time.Duration
		for i := range reps {
			issued = append(issued, reps[i].Issued[call])
		}
		t.Calls = append(t.Calls, median(issued))
	}
	for op := range reps[0].Spans {
		var start, end []time.Duration
		for i := range reps {
			start, end = append(start, reps[i].Spans[op].Start), append(end, reps[i].Spans[op].End)
		}
		t.Start, t.End = append(t.Start, median(start)), append(t.End, median(end))
	}
	return t
}
