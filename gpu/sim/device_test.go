package sim

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/gpu"
	"github.com/gpu-overlap/overlap/gpu/sim/hardware"
	"github.com/gpu-overlap/overlap/schedule"
)

func TestInfo(t *testing.T) {
	assert.Equal(t, gpu.Info{Device: "sim", Name: "ideal", Simulated: true, SMs: 132, Exact: true, Connections: 8},
		Open(Ideal).Info())
	assert.Equal(t, gpu.Info{Device: "sim", Name: "h200", Simulated: true, SMs: 132, Connections: 8}, Open(H200).Info())
	oneCost := Ideal
	oneCost.GraphEdge = 1
	assert.False(t, Open(oneCost).Info().Exact)
}

func TestMachineNamed(t *testing.T) {
	m, err := MachineNamed("h200")
	require.NoError(t, err)
	assert.Equal(t, H200, m)
	_, err = MachineNamed("h2")
	assert.EqualError(t, err, `no simulated machine is named "h2"; there are: ideal, h200`)
}

func TestSetupStopsAtTheFirstUnexpectedCode(t *testing.T) {
	p := program(t, "Bg s0; Sy s0; End s0 g; Inst g", "GL g s0")
	r, err := Open(Ideal).Prepare(t.Context(), p)
	require.NoError(t, err)
	assert.Equal(t, []schedule.Code{0, 900}, r.Setup().Codes)
	_, err = r.Rep(t.Context())
	var unexpected *gpu.Error
	require.ErrorAs(t, err, &unexpected)
	assert.Equal(t, schedule.CaptureUnsupported, unexpected.Code)

	p.Setup[1].Want, p.Setup[2].Want, p.Setup[3].Want = 900, 901, 1 // as expected: no error
	r, err = Open(Ideal).Prepare(t.Context(), p)
	require.NoError(t, err)
	tr, err := r.Rep(t.Context())
	require.NoError(t, err)
	assert.Equal(t, []schedule.Code{1}, tr.Codes)
}

func TestPrepareRefusesWhatPointsToNothing(t *testing.T) {
	for name, spoil := range map[string]func(p *schedule.Program){
		"none":            func(p *schedule.Program) {},
		"stream":          func(p *schedule.Program) { p.Body[0].Stream = schedule.At(9) },
		"stream none":     func(p *schedule.Program) { p.Body[0].Stream = schedule.Ref{} },
		"event":           func(p *schedule.Program) { p.Body[1].Event = schedule.At(1) },
		"op":              func(p *schedule.Program) { p.Body[0].Op = schedule.At(-2) },
		"graph":           func(p *schedule.Program) { p.Setup[1].Graph = schedule.At(1) },
		"verb":            func(p *schedule.Program) { p.Body[0].Verb = schedule.NumVerbs },
		"device":          func(p *schedule.Program) { p.Body[0].Device = 1 },
		"stream's device": func(p *schedule.Program) { p.Streams[0].Device = 1 },
		"stream's kind":   func(p *schedule.Program) { p.Streams[0].Kind = 7 },
		"create legacy": func(p *schedule.Program) {
			p.Streams[0].Kind, p.Body[0].Verb = schedule.Legacy,
				schedule.CreateStream
		},
		"kind of op":       func(p *schedule.Program) { p.Intent.Ops[0].Kind = 9 },
		"kernel of op":     func(p *schedule.Program) { p.Intent.Ops[0].Kernel = 9 },
		"duration":         func(p *schedule.Program) { p.Intent.Ops[0].Dur = 0 },
		"host op launched": func(p *schedule.Program) { p.Intent.Ops[0].Kind = schedule.Host },
		"too long":         func(p *schedule.Program) { p.Intent.Ops[0].Dur = 1 << 62 },
		"no intent":        func(p *schedule.Program) { p.Intent = nil },
	} {
		p := program(t, "Bg s0; End s0 g; Inst g", "K s0; R e s0; GL g s0")
		spoil(p)
		_, err := Open(Ideal).Prepare(t.Context(), p)
		assert.Equal(t, name == "none", err == nil, "%s: %v", name, err)
	}
	_, err := Open(Ideal).Prepare(t.Context(), nil)
	assert.Error(t, err)
}

// A field that a verb does not use means nothing, but must not point to what is not there.
func TestUnusedFields(t *testing.T) {
	p := program(t, "", "K s0")
	p.Body = append(p.Body, schedule.Instr{Verb: schedule.SyncContext, Stream: schedule.At(0)})
	assert.Equal(t, unit, rep(t, Ideal, p).Wall)
	for _, unused := range []schedule.Instr{{Stream: schedule.At(7)}, {Event: schedule.At(7)}, {Op: schedule.At(0)},
		{Graph: schedule.At(7)}} {
		unused.Verb = schedule.SyncContext
		p.Body[1] = unused
		_, err := Open(Ideal).Prepare(t.Context(), p)
		assert.Error(t, err, "%+v", unused)
	}
}

func TestContext(t *testing.T) {
	p := program(t, "K s0", "K s0; Sy s0")
	ctx, cancel := context.WithCancel(t.Context())
	d := Open(Ideal)
	r, err := d.Prepare(ctx, p)
	require.NoError(t, err)
	_, err = d.Sample(ctx, []gpu.Run{r, r}, 3)
	require.NoError(t, err)
	cancel()
	_, err = d.Sample(ctx, []gpu.Run{r}, 1)
	assert.ErrorIs(t, err, context.Canceled)
	_, err = d.Prepare(ctx, p)
	assert.ErrorIs(t, err, context.Canceled)
	_, err = r.Rep(ctx)
	assert.ErrorIs(t, err, context.Canceled)
	_, err = r.Rep(t.Context())
	assert.ErrorContains(t, err, "did not end")

	_, err = d.Sample(t.Context(), nil, 0)
	assert.Error(t, err)
	require.NoError(t, r.Close())
	_, err = r.Rep(t.Context())
	assert.Error(t, err)
	assert.False(t, errors.Is(err, context.Canceled))
}

// large is a pipeline of n ops on 8 streams.
func large(n int) schedule.Schedule {
	pl := schedule.Pipeline{Micro: 8, Engines: schedule.DefaultEngines()}
	for s := range n / 8 {
		pl.Stages = append(pl.Stages, schedule.Stage{Kind: schedule.Kind(s % 2), Engine: schedule.At(int32(s % 2)),
			Dur: time.Millisecond})
	}
	return pl.Schedule("large", "large")
}

// 100 000 ops take less than 150 MB; how long they take is BenchmarkRep's to say.
func TestLarge(t *testing.T) {
	s := large(100_000)
	for _, p := range []*schedule.Program{s.Eager(), s.Replay()} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		tr := rep(t, Ideal, p)
		runtime.ReadMemStats(&after)
		mb := float64(after.TotalAlloc-before.TotalAlloc) / 1e6
		t.Logf("%s: %.0f MB allocated", p.Name, mb)
		assert.Equal(t, (100_000/8+7)*time.Millisecond, tr.Wall)
		assert.Less(t, mb, 150.0)
	}
}

func BenchmarkRep(b *testing.B) {
	s := large(100_000)
	for _, p := range []*schedule.Program{s.Eager(), s.Replay()} {
		b.Run(p.Name, func(b *testing.B) {
			r, err := Open(H200).Prepare(b.Context(), p)
			require.NoError(b, err)
			b.ReportAllocs()
			for b.Loop() {
				_, err := r.Rep(b.Context())
				require.NoError(b, err)
			}
		})
	}
}

// priced is a machine of some costs, which no calibration changes.
var priced = Machine{
	Name: "priced",
	Spec: hardware.Spec{
		SMs: 132, Grids: 128, Connections: hardware.DefaultConnections, SameStream: 1600, CrossStream: 2700,
		GraphEdge: 1030,
		Waited:    300, ThirdStream: 1300, GraphFork: 200, GraphRoot: 900,
		Sleep: [5]hardware.Sleep{{Asked: 1000, Took: 1010}, {Asked: 10_000, Took: 16_000},
			{Asked: 100_000, Took: 128_000}, {Asked: 500_000, Took: 509_000}, {Asked: 1_000_000, Took: 1_045_900}},
	},
	Calls: [schedule.NumVerbs]time.Duration{schedule.Launch: 3450, schedule.Record: 180, schedule.Wait: 190,
		schedule.Replay: 1500, schedule.Copy: 3450},
	LaunchToStart: 3000, ReplayToStart: 2650, EndToReturn: 2500,
}
