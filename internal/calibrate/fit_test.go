package calibrate

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/gpu/sim"
	"github.com/gpu-overlap/overlap/gpu/sim/hardware"
	"github.com/gpu-overlap/overlap/schedule"
)

// measurable are the calls that a benchmark times.
var measurable = []schedule.Verb{schedule.Launch, schedule.Record, schedule.Wait, schedule.Replay, schedule.HostFunc,
	schedule.Copy,
	schedule.Gate, schedule.OpenGate, schedule.Upload, schedule.QueryStream, schedule.QueryEvent, schedule.SyncStream,
	schedule.SyncEvent,
	schedule.SyncContext, schedule.CreateEvent, schedule.DestroyEvent}

// random is a machine of random constants. The host is fast enough to have issued a chain before its second op ends.
func machine(rng *rand.Rand) sim.Machine {
	up := func(most int64) time.Duration { return time.Duration(1 + rng.Int64N(most)) }
	m := sim.Machine{Name: "random", LaunchToStart: up(9000), ReplayToStart: up(9000), EndToReturn: up(9000)}
	m.Spec = hardware.Spec{SMs: int(up(200)), SameStream: up(5000), CrossStream: up(5000), GraphEdge: up(5000),
		Waited:      up(2000),
		ThirdStream: up(2000), HostStart: up(60_000), GraphFork: up(2000), GraphRoot: up(2000),
		Connections: connections, Grids: grids}
	for _, v := range measurable {
		m.Calls[v] = up(1000)
	}
	for i, s := range sleeps {
		m.Sleep[i] = hardware.Sleep{Asked: s.asked, Took: s.asked + up(int64(s.asked))}
	}
	return m
}

// Of a simulated machine, whatever its constants, the fit finds every one.
func TestFitFindsTheMachine(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 25 {
		want := machine(rng)
		m, err := Measure(t.Context(), sim.Open(want), 1)
		require.NoError(t, err)
		got, err := Fit(m, want.Name)
		require.NoError(t, err)
		require.Equal(t, want, got.Machine)
	}
}

// A benchmark that gives other times gives another machine: nothing of it comes from elsewhere.
func TestFitFollowsEachConstant(t *testing.T) {
	base := sim.H200
	m, err := Measure(t.Context(), sim.Open(base), 1)
	require.NoError(t, err)
	fitted, err := Fit(m, base.Name)
	require.NoError(t, err)
	for _, c := range fitted.Constants {
		for i := range m.Samples {
			if m.Samples[i].Bench != c.Bench {
				continue
			}
			changed := *m
			changed.Samples = append([]Samples{}, m.Samples...)
			changed.Samples[i].Reps = stretched(m.Samples[i].Reps)
			other, err := Fit(&changed, base.Name)
			require.NoError(t, err)
			assert.NotEqual(t, fitted.Machine, other.Machine, c.Name)
		}
	}
}

// stretched are repetitions in which everything takes twice as long, and a little more.
func stretched(reps []Rep) []Rep {
	twice := func(list []time.Duration) (out []time.Duration) {
		for i, d := range list {
			out = append(out, 2*d+time.Duration(100*i))
		}
		return out
	}
	var out []Rep
	for _, r := range reps {
		out = append(out, Rep{Wall: 2*r.Wall + 500, Issued: twice(r.Issued), Start: twice(r.Start), End: twice(r.End),
			Offset: 2 * r.Offset, Known: r.Known})
	}
	return out
}

func TestFitRefuses(t *testing.T) {
	whole := func() *Measurements {
		m, err := Measure(t.Context(), sim.Open(sim.H200), 1)
		require.NoError(t, err)
		return m
	}
	at := func(m *Measurements, bench string) *Samples {
		for i := range m.Samples {
			if m.Samples[i].Bench == bench {
				return &m.Samples[i]
			}
		}
		t.Fatal(bench)
		return nil
	}
	for name, row := range map[string]struct {
		spoil func(*Measurements)
		says  string
	}{
		"a benchmark is missing": {func(m *Measurements) { at(m, "copies").Reps = nil },
			`Calls[Copy]: the microbenchmark "copies" was not run`},
		"an unknown benchmark": {func(m *Measurements) { m.Samples[0].Bench = "x" },
			`no microbenchmark is named "x"`},
		"another number of calls": {func(m *Measurements) { at(m, "gate").Reps[0].Issued = nil },
			"gate, repetition 1: 0 calls and 1 ops; the microbenchmark has 4 and 1"},
		"clocks without a relation": {func(m *Measurements) { at(m, "solo 50µs").Reps[0].Known = false },
			"solo 50µs: the device does not relate its clock to the host's"},
	} {
		t.Run(name, func(t *testing.T) {
			m := whole()
			row.spoil(m)
			_, err := Fit(m, "x")
			assert.EqualError(t, err, row.says)
		})
	}
}
