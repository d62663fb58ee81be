package schedule

import (
	"fmt"
	"math"
	"slices"
	"time"
)

// Names of the programs that a schedule gives.
const (
	GiantName  = "giant"
	EagerName  = "eager"
	ReplayName = "replay"
	SoloName   = "solo"
)

// RangeName is what a profiler's range and a report call a program: for giant, eager and replay the names that the
// reference experiment gives them.
func RangeName(program string) string {
	switch program {
	case GiantName:
		return "one_giant_batch"
	case EagerName:
		return "microbatch_overlapping"
	case ReplayName:
		return "microbatch_overlapping (cudagraph mode)"
	}
	return program
}

// Eager issues the schedule call by call. Of a schedule that Validate refuses, the programs here are none that a device
// takes. Setup creates streams and events; the Body ends when the origin is idle.
func (s *Schedule) Eager() *Program {
	p := s.program(EagerName)
	p.Body = append(append([]Instr{}, s.Issue...), call(SyncStream, Origin))
	return p
}

// Replay captures the same calls in Setup, with a private non-blocking stream in the place of main, since the legacy
// stream cannot be captured, and instantiates and uploads the graph; the Body launches it on main and waits.
//
// Where the host is intended to wait the schedule is cut: what is before and what is after go into a graph of their
// own, and between their launches the host waits, for main instead of another stream or an event. A wait for an event
// of an earlier graph is left out: the host has waited for all of that.
func (s *Schedule) Replay() *Program {
	p := s.program(ReplayName)
	origin := int32(len(p.Streams))
	p.Streams = append(append([]Stream{}, p.Streams...), Stream{Name: "capture", Kind: NonBlocking})
	p.Setup = append(p.Setup, call(CreateStream, origin))
	p.Body = []Instr{}
	recorded := make([]int, len(s.Events)) // by event: the graph that records it
	for i := range recorded {
		recorded[i] = -1
	}
	for rest := s.Issue; ; {
		cut := slices.IndexFunc(rest, func(in Instr) bool { return in.Intended })
		part := rest
		if cut >= 0 {
			part = rest[:cut]
		}
		p.capture(part, origin, recorded)
		if cut < 0 {
			break
		}
		wait := rest[cut]
		if wait.Verb != SyncContext {
			wait.Verb, wait.Stream, wait.Event = SyncStream, At(Origin), Ref{}
		}
		p.Body = append(p.Body, wait)
		rest = rest[cut+1:]
	}
	p.Setup = append(p.Setup, call(SyncStream, Origin))
	p.Body = append(p.Body, call(SyncStream, Origin))
	return p
}

// capture adds a graph: its capture to the Setup, its launch to the Body.
func (p *Program) capture(calls []Instr, origin int32, recorded []int) {
	graph := int32(len(p.Graphs))
	name := "graph"
	if graph > 0 {
		name = fmt.Sprintf("graph%d", graph+1)
	}
	p.Graphs = append(p.Graphs, name)
	on := func(v Verb, stream int32) Instr {
		in := call(v, stream)
		in.Graph = At(graph)
		return in
	}
	p.Setup = append(p.Setup, on(BeginCapture, origin))
	for _, in := range calls {
		switch {
		case !in.Event.Within(len(recorded)):
		case in.Verb == Record:
			recorded[in.Event.Index()] = int(graph)
		case in.Verb == Wait && recorded[in.Event.Index()] >= 0 && recorded[in.Event.Index()] < int(graph):
			continue
		}
		if in.Stream.Index() == Origin {
			in.Stream = At(origin)
		}
		p.Setup = append(p.Setup, in)
	}
	p.Setup = append(p.Setup, on(EndCapture, origin), on(Instantiate, None), on(Upload, Origin))
	p.Body = append(p.Body, on(Replay, Origin))
}

// Giant runs the same work unsplit, one op after the other on the origin. Of a pipeline, each stage is one op of the
// sum of its micro-batches' durations, or of the duration that the stage gives for it; of a spelled-out schedule, the
// ops as they are.
func (s *Schedule) Giant() *Program {
	in := s.giantIntent()
	g := Schedule{Name: s.Name, File: s.File, Intent: in, Streams: s.Streams[:min(len(s.Streams), 1)]}
	for op := range in.Ops {
		g.Issue = append(g.Issue, launchOn(&in, Origin, int32(op)))
	}
	p := g.Eager()
	p.Name = GiantName
	return p
}

func (s *Schedule) giantIntent() Intent {
	in := Intent{Engines: s.Intent.Engines}
	if s.Intent.Micro > 0 {
		for i := range s.Intent.Ops {
			op := s.Intent.Ops[i]
			if !op.Micro.Is(0) {
				continue
			}
			op.Name, op.After = StageName(int(op.Stage.Index())), nil
			op.Bytes *= int64(s.Intent.Micro)
			if op.Whole > 0 {
				op.Dur = op.Whole
			} else {
				for k := 1; k < int(s.Intent.Micro) && i+k < len(s.Intent.Ops); k++ {
					op.Dur = plus(op.Dur, s.Intent.Ops[i+k].Dur)
				}
			}
			in.Ops = append(in.Ops, op)
		}
		return in
	}
	for _, call := range s.Issue {
		if call.Op.Within(len(s.Intent.Ops)) {
			op := s.Intent.Ops[call.Op.Index()]
			op.After, op.Reads, op.Writes = nil, nil, nil
			in.Ops = append(in.Ops, op)
		}
	}
	return in
}

// plus is a + b, or the largest duration when that overflows: the parser refuses such a case.
func plus(a, b time.Duration) time.Duration {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

func (s *Schedule) program(name string) *Program {
	p := &Program{Name: name, File: s.File, Intent: &s.Intent, Streams: s.Streams, Events: s.Events, Origin: Origin,
		Args: s.Args, Nodes: s.Nodes, HostDelay: s.HostDelay}
	for i, st := range s.Streams {
		if st.Kind.Created() {
			p.Setup = append(p.Setup, call(CreateStream, int32(i)))
		}
	}
	for e := range s.Events {
		in := call(CreateEvent, None)
		in.Event = At(int32(e))
		p.Setup = append(p.Setup, in)
	}
	return p
}

func call(v Verb, stream int32) Instr {
	return Instr{Verb: v, Stream: At(stream)}
}

func launchOn(in *Intent, stream, op int32) Instr {
	c := call(in.Ops[op].Kind.Verb(), stream)
	c.Op, c.Line = At(op), in.Ops[op].Line
	return c
}

// Raw makes the calls as they stand, capture and replay among them, and adds none but the creation of the streams and
// events that they do not create themselves. The calls before timed are done once, in the Setup.
func (s *Schedule) Raw(name string, graphs []string, timed Ref) *Program {
	p := s.program(name)
	p.Graphs = graphs
	type made struct {
		verb          Verb
		stream, event Ref
	}
	own := map[made]bool{}
	for _, in := range s.Issue {
		if in.Verb == CreateStream || in.Verb == CreateEvent {
			own[made{in.Verb, in.Stream, in.Event}] = true
		}
	}
	p.Setup = slices.DeleteFunc(p.Setup, func(in Instr) bool { return own[made{in.Verb, in.Stream, in.Event}] })
	from := min(max(int(timed.Index()), 0), len(s.Issue))
	p.Setup = append(p.Setup, s.Issue[:from]...)
	p.Body = append([]Instr{}, s.Issue[from:]...)
	return p
}
