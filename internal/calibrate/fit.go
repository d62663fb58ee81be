package calibrate

import (
	"fmt"
	"slices"
	"time"

	"github.com/gpu-overlap/overlap/gpu/sim"
	"github.com/gpu-overlap/overlap/gpu/sim/hardware"
	"github.com/gpu-overlap/overlap/schedule"
)

// Constant is one constant of a machine: the median over the repetitions, and where the fifth and the ninety-fifth of a
// hundred lie. One that was given has no benchmark.
type Constant struct {
	Name           string
	Value, Lo, Hi  time.Duration
	Bench, Meaning string
}

// Fitted is a machine and how its constants came about.
type Fitted struct {
	Machine   sim.Machine
	Constants []Constant
}

// What no microbenchmark gives: as documented by default, and for nearly all devices since compute capability 7.0.
const (
	connections = 8
	grids       = 128
)

// Fit gives the machine that measurements speak of. It depends on nothing but them.
func Fit(m *Measurements, name string) (*Fitted, error) {
	f := &fitter{out: &Fitted{Machine: sim.Machine{Name: name, Spec: spec(m)}}, given: m.Given,
		reps: map[string][]Rep{}, programs: map[string]*schedule.Program{}}
	list, err := Benches()
	if err != nil {
		return nil, err
	}
	for _, s := range m.Samples {
		p, ok := named(list, s.Bench)
		if !ok {
			return nil, fmt.Errorf("no microbenchmark is named %q", s.Bench)
		}
		for i, r := range s.Reps {
			if len(r.Issued) != len(p.Body) || len(r.Start) != len(p.Intent.Ops) || len(r.End) != len(r.Start) {
				return nil, fmt.Errorf("%s, repetition %d: %d calls and %d ops; the microbenchmark has %d and %d",
					s.Bench, i+1, len(r.Issued),
					len(r.Start), len(p.Body), len(p.Intent.Ops))
			}
		}
		f.reps[s.Bench], f.programs[s.Bench] = s.Reps, p
	}
	f.calls()
	f.latencies()
	f.sleeps()
	return f.out, f.err
}

// spec is what no constant says of the hardware.
func spec(m *Measurements) hardware.Spec {
	return hardware.Spec{SMs: m.SMs, Connections: connections, Grids: grids}
}

// fitter adds constants one by one. The first error stays.
type fitter struct {
	out      *Fitted
	given    []Given
	reps     map[string][]Rep
	programs map[string]*schedule.Program
	err      error
}

// constant is the median of what each repetition of a benchmark gives, less an offset.
func (f *fitter) constant(name, bench string, of func(p *schedule.Program, r *Rep) time.Duration, less time.Duration,
	meaning string) time.Duration {
	given := slices.IndexFunc(f.given, func(g Given) bool { return g.Name == name })
	if f.err == nil && len(f.reps[bench]) == 0 && given >= 0 {
		g := &f.given[given]
		f.out.Constants = append(f.out.Constants, Constant{name, g.Value, g.Value, g.Value, "", g.From})
		return g.Value
	}
	if f.err == nil && len(f.reps[bench]) == 0 {
		f.err = fmt.Errorf("%s: the microbenchmark %q was not run", name, bench)
	}
	if f.err != nil {
		return 0
	}
	var list []time.Duration
	for i := range f.reps[bench] {
		list = append(list, of(f.programs[bench], &f.reps[bench][i])-less)
	}
	c := Constant{name, max(median(list), 0), quantile(list, 0.05), quantile(list, 0.95), bench, meaning}
	f.out.Constants = append(f.out.Constants, c)
	return c.Value
}

// calls are what driver calls take the host.
func (f *fitter) calls() {
	for _, c := range []struct {
		verb  schedule.Verb
		name  string
		bench string
	}{
		{schedule.Launch, "Launch", "launches"},
		{schedule.Record, "Record", "alternate 50µs"},
		{schedule.Wait, "Wait", "alternate 50µs"},
		{schedule.Replay, "Replay", "solo replay 50µs"},
		{schedule.HostFunc, "HostFunc", "host functions"},
		{schedule.Copy, "Copy", "copies"},
		{schedule.Gate, "Gate", "gate"},
		{schedule.OpenGate, "OpenGate", "gate"},
		{schedule.Upload, "Upload", "uploads"},
		{schedule.QueryStream, "QueryStream", "queries"},
		{schedule.QueryEvent, "QueryEvent", "queries"},
		{schedule.SyncStream, "SyncStream", "idle syncs"},
		{schedule.SyncEvent, "SyncEvent", "idle syncs"},
		{schedule.SyncContext, "SyncContext", "idle syncs"},
		{schedule.CreateEvent, "CreateEvent", "creating"},
		{schedule.DestroyEvent, "DestroyEvent", "creating"},
	} {
		f.out.Machine.Calls[c.verb] = f.constant("Calls["+c.name+"]", c.bench, meanCall(c.verb), 0,
			"the mean of its "+c.verb.Call()+" calls")
	}
}

// meanCall is the mean time from the issue of a call of the verb to the issue of the next call.
func meanCall(v schedule.Verb) func(*schedule.Program, *Rep) time.Duration {
	return func(p *schedule.Program, r *Rep) time.Duration {
		var sum time.Duration
		n := 0
		for i := range len(p.Body) - 1 {
			if p.Body[i].Verb == v {
				sum += r.Issued[i+1] - r.Issued[i]
				n++
			}
		}
		return sum / time.Duration(max(n, 1))
	}
}

// latencies are what passes between the host and the device, and from op to op.
func (f *fitter) latencies() {
	m := &f.out.Machine
	for _, bench := range []string{"solo 50µs", "host functions"} {
		if f.err == nil && slices.ContainsFunc(f.reps[bench], func(r Rep) bool { return !r.Known }) {
			f.err = fmt.Errorf("%s: the device does not relate its clock to the host's", bench)
		}
	}
	m.EndToReturn = f.constant("EndToReturn", "solo 50µs", func(_ *schedule.Program, r *Rep) time.Duration {
		return r.Wall - (r.End[0] - r.Offset)
	}, 0, "wall − end, by what is known of the two clocks")
	rest := func(_ *schedule.Program, r *Rep) time.Duration { return r.Wall - r.Issued[1] - (r.End[0] - r.Start[0]) }
	m.LaunchToStart = f.constant("LaunchToStart", "solo 50µs", rest, m.EndToReturn, "wall − launch − op − EndToReturn")
	m.ReplayToStart = f.constant("ReplayToStart", "solo replay 50µs", rest, m.EndToReturn,
		"wall − graph launch − op − EndToReturn")
	m.SameStream = f.constant("SameStream", "line 50µs", gaps(1), 0, "the mean gap of a chain in one stream")
	m.CrossStream = f.constant("CrossStream", "alternate 50µs", gaps(1), 0,
		"the mean gap of a chain on two streams in turn")
	m.GraphEdge = f.constant("GraphEdge", "graph line 8", gaps(1), 0, "the mean gap of a graph that is a chain")
	m.Waited = f.constant("Waited", "line held", gaps(2), m.SameStream,
		"the mean gap of a chain in one stream that waits in between − SameStream")
	m.ThirdStream = f.constant("ThirdStream", "layers 4 50µs", lateness(m, 4), 0,
		"what ops on four streams start later than two streams' would, on average")
	m.HostStart = f.constant("HostStart", "host functions", func(_ *schedule.Program, r *Rep) time.Duration {
		return r.Start[1] - (r.End[0] - r.Offset)
	}, m.SameStream, "end of an op to host function, by what is known of the two clocks − SameStream")
	m.GraphFork = f.constant("GraphFork", "graph diamonds 2", between(1, 2), 0, "from branch to branch of a diamond")
	m.GraphRoot = f.constant("GraphRoot", "graph rows 4", between(0, 3), 0,
		"the mean from root to root of a graph with four")
}

// lateness is how much later than its hand-offs say an op of a benchmark of layers starts, on average; w is the width
// of a layer. Each waits for one in its own stream and for one in another.
func lateness(m *sim.Machine, w int) func(*schedule.Program, *Rep) time.Duration {
	return func(_ *schedule.Program, r *Rep) time.Duration {
		var sum time.Duration
		for i := w; i < len(r.Start); i++ {
			above := i/w*w - w
			sum += r.Start[i] - max(r.End[above+i%w]+m.SameStream+m.Waited, r.End[above+(i+1)%w]+m.CrossStream)
		}
		return sum / time.Duration(max(len(r.Start)-w, 1))
	}
}

// between is the mean time from the start of an op to the start of the next, from op a to op b.
func between(a, b int) func(*schedule.Program, *Rep) time.Duration {
	return func(_ *schedule.Program, r *Rep) time.Duration { return (r.Start[b] - r.Start[a]) / time.Duration(b-a) }
}

// gaps gives the mean time from the end of an op to the start of the step-th after it, of every step-th op.
func gaps(step int) func(*schedule.Program, *Rep) time.Duration {
	return func(_ *schedule.Program, r *Rep) time.Duration {
		var sum time.Duration
		n := 0
		for i := step; i < len(r.Start); i += step {
			sum += r.Start[i] - r.End[i-step]
			n++
		}
		return sum / time.Duration(max(n, 1))
	}
}

// sleeps are how long nanosleeps take.
func (f *fitter) sleeps() {
	for i, s := range sleeps {
		n := time.Duration(s.steps)
		meaning := "how long it takes"
		if n > 1 {
			meaning = fmt.Sprintf("of a loop, one of %d", n)
		}
		took := f.constant(fmt.Sprintf("Sleep[%d]", i), sleeping(n*s.asked),
			func(_ *schedule.Program, r *Rep) time.Duration {
				return (r.End[0] - r.Start[0]) / n
			}, 0, meaning)
		f.out.Machine.Sleep[i] = hardware.Sleep{Asked: s.asked, Took: took}
	}
}
