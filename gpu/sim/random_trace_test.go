package sim

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/gpu"
	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/timeline"
)

// randomProgram makes calls of all kinds, sensible or not, on few streams, events, graphs and nodes.
func randomProgram(r *rand.Rand, calls int) *schedule.Program {
	in := &schedule.Intent{Engines: schedule.DefaultEngines()}
	p := &schedule.Program{Name: "random", File: "random", Intent: in, Events: []string{"e", "f", "g"},
		Graphs: []string{"x", "y", "z"},
		Nodes:  []string{"N", "M", "L"}, Streams: []schedule.Stream{{Name: "main", Kind: schedule.Legacy}, {Name: "s0"},
			{Name: "s1"},
			{Name: "s2", Priority: -3}, {Name: "b0", Kind: schedule.Blocking}, {Name: "pt", Kind: schedule.PerThread}}}
	for i := range 8 {
		op := schedule.Op{Name: fmt.Sprintf("op%d", i), Dur: time.Duration(1+r.IntN(9)) * time.Millisecond,
			SMs: int32(r.IntN(2) * 60)}
		if i == 6 {
			op.Kind, op.SMs = schedule.Host, 0
		} else if i == 7 {
			op.Kind, op.Bytes, op.Pageable, op.SMs = schedule.H2D, 1, r.IntN(2) == 0, 0
		}
		if i > 0 && r.IntN(2) == 0 {
			op.After = []int32{int32(r.IntN(i))}
		}
		in.Ops = append(in.Ops, op)
	}
	for range calls {
		p.Body = append(p.Body, randomCall(r, p))
	}
	return p
}

func randomCall(r *rand.Rand, p *schedule.Program) schedule.Instr {
	pick := func(n int) int32 { return int32(r.IntN(n)) }
	null := func(n int) schedule.Ref {
		if r.IntN(20) == 0 {
			return schedule.Null
		}
		return schedule.At(pick(n))
	}
	nodes := len(p.Intent.Ops) + len(p.Nodes)
	c := schedule.Instr{Verb: schedule.Verb(r.IntN(int(schedule.NumVerbs))), Stream: schedule.At(1 + pick(4)),
		Event: schedule.At(pick(3)), Graph: schedule.At(pick(3)), Thread: pick(8) / 6}
	if r.IntN(8) == 0 {
		c.Stream = schedule.At(pick(len(p.Streams)))
	}
	if r.IntN(3) > 0 { // what makes captures
		c.Verb = []schedule.Verb{schedule.BeginCapture, schedule.EndCapture, schedule.Launch, schedule.Launch,
			schedule.Record, schedule.Wait,
			schedule.Instantiate, schedule.Replay, schedule.AddNode, schedule.CaptureInfo}[r.IntN(10)]
	}
	a := schedule.Args{Number: int32(r.IntN(3)), Node: null(nodes), Event: null(3), Graph: null(3),
		Dur: time.Millisecond}
	for range r.IntN(4) {
		a.Nodes = append(a.Nodes, null(nodes))
	}
	c.Mode = schedule.CaptureMode(min(r.IntN(12), 2)) // most relaxed: the others are soon lost
	switch c.Verb {
	case schedule.Launch, schedule.LaunchWith:
		c.Op, a.Number = schedule.At(pick(6)), 1+pick(4)
	case schedule.HostFunc:
		c.Op = schedule.At(6)
	case schedule.Copy:
		c.Op = schedule.At(7)
	case schedule.CreateStream:
		c.Stream, a.Priority, a.Prioritized = schedule.At(1+pick(4)), -pick(6), true
	case schedule.Invoke:
		a.API = schedule.NoAPI + 1 + schedule.API(r.IntN(int(schedule.NumAPIs)-1))
	case schedule.Burst:
		a.Number = pick(20)
	case schedule.AddNode:
		c.Op, a.Number = schedule.At(pick(8)), []int32{schedule.AddOp, 1, 2, 4, 5, 6, 7}[r.IntN(7)]
		a.Node = schedule.At(int32(len(p.Intent.Ops)) + pick(len(p.Nodes)))
	}
	if c.Verb.Role() == schedule.OfProbe || c.Verb == schedule.CreateStream || c.Verb == schedule.CreateEvent {
		p.Args = append(p.Args, a)
		c.Arg = int32(len(p.Args))
	}
	return c
}

// Whatever the calls, a trace ends, is whole, and is the same each time; an op that ran has lasted as long as it must.
func TestRandomTraces(t *testing.T) {
	shared := H200
	shared.Connections = 2
	var codes [1000]int
	for seed := range uint64(3000) {
		p := randomProgram(rand.New(rand.NewPCG(seed, 4)), 60)
		for _, m := range []Machine{Ideal, shared} {
			got, err := Open(m).Trace(t.Context(), p)
			require.NoError(t, err, "seed %d", seed)
			again, err := Open(m).Trace(t.Context(), p)
			require.NoError(t, err)
			require.Equal(t, got, again, "seed %d", seed)
			checkTrace(t, p, got, seed)
			for _, s := range got.Steps {
				codes[s.Code]++
			}
		}
	}
	for _, code := range []schedule.Code{0, 1, 400, 401, 600, 900, 901, 902, 903, 904, 905, 906, 907, 908, 910} {
		assert.NotZero(t, codes[code], "no call gave %v: the programs are too tame", code)
	}
}

// Nothing waits for ever: when the device is idle all works have ended.
func TestRandomTracesEnd(t *testing.T) {
	shared := H200
	shared.Connections = 2
	for seed := range uint64(1000) {
		p := randomProgram(rand.New(rand.NewPCG(seed, 5)), 60)
		for _, m := range []Machine{Ideal, shared} {
			h, err := (&device{m: m}).host(t.Context(), p)
			require.NoError(t, err)
			h.chip.Reset(make([]timeline.Span, len(p.Intent.Ops)))
			for _, in := range p.Body {
				h.traced(in, &gpu.Step{})
			}
			h.chip.Drain()
			for id := range int32(h.chip.Len()) {
				if !h.chip.Finished([]int32{id}, 0) {
					t.Fatalf("seed %d: work %d of class %d never ends", seed, id, h.chip.Work(id).Class)
				}
			}
		}
	}
}

func checkTrace(t *testing.T, p *schedule.Program, got *gpu.Trace, seed uint64) {
	for op, s := range got.Spans {
		if s.Ran && s.Dur() < p.Intent.Ops[op].Dur {
			t.Errorf("seed %d: op %d ran for %v", seed, op, s.Dur())
		}
	}
	for i, s := range got.Steps {
		reads := p.Body[i].Verb == schedule.ListGraph || p.Body[i].Verb == schedule.PrintGraph
		if refused := s.Code != 0 && s.Code != 600 && !(reads && s.Code == 1); (refused ||
			p.Body[i].Verb == schedule.EndCapture) != (s.Status != nil) {
			t.Errorf("seed %d, call %d: code %v with statuses %v", seed, i, s.Code, s.Status)
		}
		if s.Took < 0 {
			t.Errorf("seed %d, call %d took %v", seed, i, s.Took)
		}
		if s.List == nil {
			continue
		}
		n := len(s.List.Graph.Nodes)
		deps := 0
		for k := range n {
			deps += len(s.List.Deps[k])
		}
		if len(s.List.Nodes) != n || len(s.List.Dependents) != n || len(s.List.Priorities) != n ||
			deps != len(s.List.Graph.Edges) {
			t.Errorf("seed %d, call %d: a listing that is not whole", seed, i)
		}
		for _, e := range s.List.Graph.Edges {
			if e.From < 0 || e.To < 0 || int(e.From) >= n || int(e.To) >= n {
				t.Errorf("seed %d, call %d: edge %v of %d nodes", seed, i, e, n)
			}
		}
	}
}
