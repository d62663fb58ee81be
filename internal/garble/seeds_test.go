package garble

import (
	"context"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap"
	"github.com/gpu-overlap/overlap/bound"
	"github.com/gpu-overlap/overlap/gpu"
	"github.com/gpu-overlap/overlap/gpu/sim"
	"github.com/gpu-overlap/overlap/graph/dot"
	"github.com/gpu-overlap/overlap/judge"
	"github.com/gpu-overlap/overlap/judge/account"
	"github.com/gpu-overlap/overlap/judge/calls"
	"github.com/gpu-overlap/overlap/judge/sample"
	"github.com/gpu-overlap/overlap/order"
	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/schedule/text"
	"github.com/gpu-overlap/overlap/timeline"
)

// probes are programs with the calls that only a probe makes.
const probes = `stream s0 s1
s0: begin capture relaxed
s0: computation A 1ms
s0: record e external
s0: call memset-d8 as M
s0: depend set A M
s0: info
s0: end capture g
instantiate g flags 0
create graph h
add to h computation B 1ms after A
add to h child C g
add edges B C to h
elapsed e null
s1: triggering e computation D 1ms
s1: burst 3
pause 1us
s0: replay g
update g from h
list h
s1: query want 600
sync context
`

// seeds are sound values of the types that large values are made of.
func seeds(t testing.TB) map[reflect.Type][]reflect.Value {
	t.Helper()
	all := map[reflect.Type][]reflect.Value{}
	add := func(values ...any) {
		for _, v := range values {
			r := reflect.ValueOf(v)
			all[r.Type()] = append(all[r.Type()], r)
			if r.Kind() == reflect.Pointer {
				all[r.Type().Elem()] = append(all[r.Type().Elem()], r.Elem())
			}
		}
	}
	for _, name := range []string{"reference", "fail_wait_too_many", "fail_host_waits", "gemm_leaves_sms", "prefetch_offload", "two_execs",
		"fail_unjoined", "unequal_stages_engines", "fail_slow_host"} {
		file := "testdata/cases/" + name + ".txtar"
		data, err := overlap.Cases.ReadFile(file)
		require.NoError(t, err)
		c, err := overlap.ParseCase(file, data)
		require.NoError(t, err)
		add(c, &c.Schedule, &c.Schedule.Intent, c.Program(), c.Schedule.Eager(), c.Schedule.Replay(), &c.Expect)
		if c.Pipeline != nil {
			add(c.Pipeline)
		}
		for _, m := range []sim.Machine{sim.Ideal, sim.H200} {
			res, err := overlap.Run(context.Background(), sim.Open(m), c, overlap.Options{})
			require.NoError(t, err)
			add(res)
			for _, mode := range []*overlap.Mode{&res.Eager, &res.Replay} {
				if mode.Program != nil {
					addMode(t, add, res, mode)
				}
			}
		}
	}
	probe, err := text.ParseProgram("probe", 0, probes)
	require.NoError(t, err)
	add(probe, probe.Program())
	add(schedule.Chain(3, time.Microsecond, 2), sim.Ideal, sim.H200)
	g, err := dot.Read(strings.NewReader(`digraph { a; b; c; d; a -> b; a -> c; b -> d; c -> d }`))
	require.NoError(t, err)
	add(g)
	devices := reflect.TypeFor[gpu.Device]()
	for _, m := range []sim.Machine{sim.Ideal, sim.H200} {
		dev := sim.Open(m)
		run, err := dev.Prepare(context.Background(), schedule.Chain(3, time.Microsecond, 2).Eager())
		require.NoError(t, err)
		all[devices] = append(all[devices], reflect.ValueOf(dev))
		all[reflect.TypeFor[gpu.Run]()] = append(all[reflect.TypeFor[gpu.Run]()], reflect.ValueOf(run))
	}
	return all
}

// addMode adds what a mode of a result is made of.
func addMode(t testing.TB, add func(...any), res *overlap.Result, m *overlap.Mode) {
	t.Helper()
	p, dur := m.Program, m.Program.Intent.Durations()
	o := order.Of(p)
	samples := sample.Samples{Reps: m.Reps, Solo: res.Solo, Steady: true, Blocks: []sample.Block{{End: len(m.Reps), Solo: res.Solo}}}
	ev := &judge.Evidence{Intent: p.Intent, Program: p, Setup: m.Setup, Expect: &res.Case.Expect, Samples: samples}
	if len(m.Reps) == 0 {
		samples.Blocks = nil
		add(o, ev)
		return
	}
	v, _, err := calls.Of(p)
	require.NoError(t, err)
	add(o, ev, v, &samples, m.Reps[0], m.Setup)
	add(bound.Of(p.Intent, dur), bound.Scheduled(o, dur), timeline.Of(p, "x", m.Reps[0].Spans), m.Account)
	add(account.Input{Intent: p.Intent, Program: p, Order: o, Run: &m.Reps[0], Solo: res.Solo})
	if m.Setup.Graph != nil {
		add(m.Setup.Graph)
	}
}
