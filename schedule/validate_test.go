package schedule

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// pair is a valid schedule of two ops on two streams, with a buffer.
func pair(t *testing.T) *Schedule {
	t.Helper()
	s := New("pair")
	a, b := s.Stream("a"), s.Stream("b")
	s.Fork(a, b)
	first := a.Computation("A", time.Millisecond).Writes("x")
	b.Wait(a.Record("e"))
	b.Communication("B", time.Millisecond).After(first).Reads("x")
	s.Join(a, b)
	sched, err := s.Schedule()
	require.NoError(t, err)
	return sched
}

func TestScheduleValidate(t *testing.T) {
	require.NoError(t, pair(t).Validate())
	for want, spoil := range map[string]func(s *Schedule){
		"no ops":           func(s *Schedule) { s.Intent.Ops = nil },
		"op 0 has no name": func(s *Schedule) { s.Intent.Ops[0].Name = "" },
		"a second op A":    func(s *Schedule) { s.Intent.Ops[1].Name = "A" },
		"duration 0s; want more than 0s and at most 24h0m0s": func(s *Schedule) { s.Intent.Ops[1].Dur = 0 },
		"at most 1h0m0s":               func(s *Schedule) { s.Intent.Ops[1].Dur = 2 * time.Hour },
		"after 7 of 2":                 func(s *Schedule) { s.Intent.Ops[1].After = []int32{7} },
		"a cycle: A after B after A":   func(s *Schedule) { s.Intent.Ops[0].After = []int32{1} },
		"reads -1 of 1":                func(s *Schedule) { s.Intent.Ops[1].Reads = []int32{-1} },
		"engine 5 of 5":                func(s *Schedule) { s.Intent.Ops[1].Engine = At(5) },
		"engine 0 of 0":                func(s *Schedule) { s.Intent.Engines = nil },
		"engine link: capacity 0":      func(s *Schedule) { s.Intent.Engines[1].Capacity = 0 },
		"a second engine compute":      func(s *Schedule) { s.Intent.Engines[1].Name = "compute" },
		"kind 9":                       func(s *Schedule) { s.Intent.Ops[0].Kind = 9 },
		"sms 101%":                     func(s *Schedule) { s.Intent.Ops[0].SMs = 101 },
		"waves 2":                      func(s *Schedule) { s.Intent.Ops[0].Waves = 2 },
		"bytes of a computation":       func(s *Schedule) { s.Intent.Ops[0].Bytes = 1 },
		"a copy of 0 bytes":            func(s *Schedule) { s.Intent.Ops[0].Kind = H2D },
		"sms or bandwidth of a host":   func(s *Schedule) { s.Intent.Ops[0].Kind, s.Intent.Ops[0].SMs = Host, 1 },
		"the first is not the origin":  func(s *Schedule) { s.Streams[0].Kind = Blocking },
		"a second stream a":            func(s *Schedule) { s.Streams[2].Name = "a" },
		"stream b: kind 7":             func(s *Schedule) { s.Streams[2].Kind = 7 },
		"stream b: priority 101":       func(s *Schedule) { s.Streams[2].Priority = 101 },
		"slow host: -1ns":              func(s *Schedule) { s.HostDelay = -1 },
		"cuLaunchKernel needs an op":   func(s *Schedule) { s.Issue[3].Op = Ref{} },
		"needs a stream":               func(s *Schedule) { s.Issue[3].Stream = Ref{} },
		"cuStreamWaitEvent of event 9": func(s *Schedule) { s.Issue[5].Event = At(9) },
		"cuEventRecord needs an event": func(s *Schedule) { s.Issue[4].Event = Ref{} },
		"op A is issued a second time": func(s *Schedule) { s.Issue = append(s.Issue, s.Issue[3]) },
		"nothing records event e":      func(s *Schedule) { s.Issue = slices.Delete(s.Issue, 4, 5) },
		"cuGraphLaunch stands in no":   func(s *Schedule) { s.Issue[3].Verb = Replay },
		"cuLaunchHostFunc of op A":     func(s *Schedule) { s.Issue[3].Verb = HostFunc },
		"2 ops of 3 micro-batches":     func(s *Schedule) { s.Intent.Micro = 3 },
		"op A: stage none":             func(s *Schedule) { s.Intent.Micro = 2 },
		"thread 8":                     func(s *Schedule) { s.Issue[3].Thread = 8 },
		"cuLaunchKernel is intended":   func(s *Schedule) { s.Issue[3].Intended = true },
		"a second event fork1":         func(s *Schedule) { s.Events[1] = "fork1" },
		"up to here the durations of all ops add up": func(s *Schedule) {
			for i := range 30 {
				s.Intent.Ops = append(s.Intent.Ops, Op{Name: StageName(26 + i), Dur: time.Hour})
			}
		},
	} {
		s := pair(t)
		spoil(s)
		err := s.Validate()
		if assert.ErrorContains(t, err, want) {
			assert.ErrorContains(t, err, "; want ")
			assert.ErrorContains(t, err, "validate_test.go")
			assert.NotContains(t, err.Error(), "\n")
		}
	}
	assert.Error(t, (*Schedule)(nil).Validate())
	assert.Error(t, (&Schedule{}).Validate())
}

func TestProgramValidate(t *testing.T) {
	for _, of := range []func(*Schedule) *Program{(*Schedule).Eager, (*Schedule).Replay, (*Schedule).Giant} {
		require.NoError(t, of(pair(t)).Validate())
		for want, spoil := range map[string]func(p *Program){
			"without an intent":         func(p *Program) { p.Intent = nil },
			"the origin is stream 9 of": func(p *Program) { p.Origin = 9 },
			"verb 99":                   func(p *Program) { p.Body[0].Verb = 99 },
			"stream 9; want":            func(p *Program) { p.Body[0].Stream = At(9) },
			"has arguments 1 of 0":      func(p *Program) { p.Body[0].Arg = 1 },
			"device -1":                 func(p *Program) { p.Body[0].Device = -1 },
			"code 10000":                func(p *Program) { p.Body[0].Want = 10000 },
			"slow host: 1h0m0s":         func(p *Program) { p.HostDelay = time.Hour },
			"which is always there":     func(p *Program) { p.Body[0] = call(CreateStream, Origin) },
			"less than 32 years": func(p *Program) {
				p.Args, p.Body = []Args{{Dur: MaxTotal}}, slices.Repeat([]Instr{{Verb: Pause, Arg: 1}}, 12_000)
			},
			"a call of what?": func(p *Program) { p.Body[0] = Instr{Verb: Invoke} },
			"a burst of -1": func(p *Program) {
				p.Args, p.Body = []Args{{Number: -1}},
					[]Instr{{Verb: Burst, Stream: At(0), Arg: 1}}
			},
			"cuGraphLaunch needs a graph": func(p *Program) { p.Body = []Instr{call(Replay, Origin)} },
			"cuGraphExecUpdate needs":     func(p *Program) { p.Body = []Instr{{Verb: UpdateExec, Graph: Null}} },
		} {
			p := of(pair(t))
			spoil(p)
			assert.ErrorContains(t, p.Validate(), want, p.Name)
		}
	}
	assert.Error(t, (*Program)(nil).Validate())
}

func TestPipelineValidate(t *testing.T) {
	good := func() *Pipeline {
		return &Pipeline{Micro: 2, Layout: PerEngine, Stages: []Stage{{Dur: 1},
			{Kind: Communication, Dur: 1, Started: true}}}
	}
	require.NoError(t, good().Validate())
	for want, spoil := range map[string]func(pl *Pipeline){
		"0 micro-batches":           func(pl *Pipeline) { pl.Micro = 0 },
		"no stage":                  func(pl *Pipeline) { pl.Stages = nil },
		"layout 3":                  func(pl *Pipeline) { pl.Layout = 3 },
		"rounds":                    func(pl *Pipeline) { pl.Repeat = -1 },
		"ops; want at most":         func(pl *Pipeline) { pl.Micro, pl.Repeat = MaxMicro, MaxRepeat },
		"an offset of -1":           func(pl *Pipeline) { pl.Offset = -1 },
		"stage A: duration 0s":      func(pl *Pipeline) { pl.Stages[0].Dur = 0 },
		"3 durations":               func(pl *Pipeline) { pl.Stages[0].Durs = []time.Duration{1, 1, 1} },
		"stage B: engine 9 of 5":    func(pl *Pipeline) { pl.Stages[1].Engine = At(9) },
		"engine 1 of 0":             func(pl *Pipeline) { pl.Engines = []Engine{{"a", 1}}; pl.Stages = pl.Stages[1:] },
		"nothing starts it":         func(pl *Pipeline) { pl.Stages = pl.Stages[1:] },
		"streams per micro-batch":   func(pl *Pipeline) { pl.Layout = PerMicrobatch },
		"on its own engine":         func(pl *Pipeline) { pl.Stages[1].Kind = Computation },
		"a sum of at most 24h":      func(pl *Pipeline) { pl.Repeat, pl.Stages[0].Dur = 30, time.Hour },
		"bytes of a communication":  func(pl *Pipeline) { pl.Stages[1].Bytes = 1 },
		"sms or bandwidth of a d2h": func(pl *Pipeline) { pl.Stages[1] = Stage{Kind: D2H, Dur: 1, Bytes: 1, SMs: 1} },
	} {
		pl := good()
		spoil(pl)
		if want == "engine 1 of 0" {
			want = "engine 1 of 1"
		}
		assert.ErrorContains(t, pl.Validate(), want)
		s := pl.Schedule("x", "x")
		assert.Error(t, s.Validate(), want)
	}
	s := good().Schedule("x", "x")
	assert.NoError(t, s.Validate())
}

func TestNames(t *testing.T) {
	n := newNames(1000)
	for i := range 1000 {
		require.False(t, n.add(StageName(i)))
		require.True(t, n.add(StageName(i/2)))
	}
}

func BenchmarkValidate(b *testing.B) {
	pl := Pipeline{Micro: 8, Stages: []Stage{{Dur: 1}, {Kind: Communication, Dur: 1}}, Repeat: 62_500}
	s := pl.Schedule("bench", "bench")
	p := s.Eager()
	b.ReportAllocs()
	for b.Loop() {
		if err := p.Validate(); err != nil {
			b.Fatal(err)
		}
	}
}
