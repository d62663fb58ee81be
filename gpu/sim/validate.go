package sim

import (
	"fmt"
	"math"

	"github.com/gpu-overlap/overlap/gpu/sim/hardware"
	"github.com/gpu-overlap/overlap/schedule"
)

// validate refuses a program that names what it does not have; a program need not come from a file.
func validate(p *schedule.Program) error {
	if p == nil || p.Intent == nil {
		return fmt.Errorf("sim: a program without an intent")
	}
	for i, s := range p.Streams {
		if s.Kind > schedule.PerThread {
			return fmt.Errorf("sim: %s: stream %d is of no known kind (%d)", p.File, i, s.Kind)
		}
		if s.Device != 0 {
			return fmt.Errorf("sim: %s: stream %d is on device %d; the machine has device 0", p.File, i, s.Device)
		}
	}
	for i := range p.Intent.Ops {
		if err := validateOp(&p.Intent.Ops[i]); err != nil {
			return fmt.Errorf("sim: %s: op %d (%s) %w", p.File, i, p.Intent.Ops[i].Name, err)
		}
	}
	for _, part := range []struct {
		name   string
		instrs []schedule.Instr
	}{{"setup", p.Setup}, {"body", p.Body}} {
		for i := range part.instrs {
			if err := validateInstr(p, &part.instrs[i]); err != nil {
				return fmt.Errorf("sim: %s: %s instruction %d: %w", p.Where(part.instrs[i]), part.name, i, err)
			}
		}
	}
	return validateLength(p)
}

func validateOp(op *schedule.Op) error {
	switch {
	case op.Dur <= 0 || op.Kind > schedule.D2H || op.Kernel > schedule.Nanosleep:
		return fmt.Errorf("needs a known kind and kernel, and a duration above 0")
	case op.Kind.Copies() && op.Bytes <= 0:
		return fmt.Errorf("is a copy of %d bytes; at least 1 is needed", op.Bytes)
	case op.SMs < 0 || op.SMs > 100 || op.Bandwidth < 0 || op.Bandwidth > 100:
		return fmt.Errorf("needs %d %% of the SMs and %d %% of the memory bandwidth; both go from 0 to 100",
			op.SMs, op.Bandwidth)
	}
	return nil
}

// validateInstr looks only at the fields that the verb uses; so does the host.
func validateInstr(p *schedule.Program, in *schedule.Instr) error {
	if in.Verb >= schedule.NumVerbs {
		return fmt.Errorf("verb %d is not known", in.Verb)
	}
	if in.Thread < 0 || in.Thread >= mostThreads {
		return fmt.Errorf("thread %d; want one from 0 to %d", in.Thread, mostThreads-1)
	}
	if in.Device != 0 {
		return fmt.Errorf("device %d; the machine has device 0", in.Device)
	}
	takes := in.Verb.Takes()
	for _, f := range []struct {
		takes schedule.Takes
		what  string
		ref   schedule.Ref
		n     int
	}{
		{schedule.TakesStream, "stream", in.Stream, len(p.Streams)},
		{schedule.TakesEvent, "event", in.Event, len(p.Events)},
		{schedule.TakesOp, "op", in.Op, len(p.Intent.Ops)}, {schedule.TakesGraph, "graph", in.Graph, len(p.Graphs)},
	} {
		mayBeNull := f.takes&(schedule.TakesEvent|schedule.TakesGraph) != 0 && takes&schedule.MayBeNull != 0
		null := mayBeNull && f.ref == schedule.Null
		if takes&f.takes != 0 && !null && !f.ref.Within(f.n) {
			return fmt.Errorf("%s needs a %s: index %d of %d", in.Verb.Call(), f.what, f.ref.Index(), f.n)
		}
	}
	switch in.Verb {
	case schedule.Launch, schedule.HostFunc, schedule.Copy:
		if op := &p.Intent.Ops[in.Op.Index()]; op.Kind.Verb() != in.Verb {
			return fmt.Errorf("%s of op %s, which is of kind %s", in.Verb.Call(), op.Name, op.Kind)
		}
	case schedule.CreateStream:
		if !p.Streams[in.Stream.Index()].Kind.Created() {
			return fmt.Errorf("a default stream is never created")
		}
	}
	return validateArgs(p, in)
}

// mostThreads bounds the threads of a program.
const mostThreads = 64

// validateLength refuses a program whose work, in sequence, would not fit virtual time.
func validateLength(p *schedule.Program) error {
	if p.HostDelay < 0 {
		return fmt.Errorf("sim: %s: the host's delay is %s; it must not be negative", p.File, p.HostDelay)
	}
	replays, total := 1.0, float64(p.HostDelay)*float64(len(p.Body))
	for _, instrs := range [][]schedule.Instr{p.Setup, p.Body} {
		for _, in := range instrs {
			switch in.Verb {
			case schedule.Replay:
				replays++
			case schedule.Pause:
				total += float64(p.ArgsOf(in).Dur)
			case schedule.Burst:
				total += float64(p.ArgsOf(in).Number) * float64(short)
			case schedule.AddNode:
				if p.ArgsOf(in).Number == schedule.AddChild {
					replays = max(replays, mostCloned)
				} else if in.Op.Within(len(p.Intent.Ops)) {
					total += float64(p.Intent.Ops[in.Op.Index()].Dur)
				}
			case schedule.Launch, schedule.HostFunc, schedule.Copy, schedule.LaunchWith:
				total += float64(p.Intent.Ops[in.Op.Index()].Dur)
			case schedule.Gate:
				total += float64(hardware.GateLimit)
			}
		}
	}
	if total*replays > math.MaxInt64/4 { // a nanosleep takes less than twice as long as asked; costs are small
		return fmt.Errorf("sim: %s: the ops last too long in all for virtual time", p.File)
	}
	return nil
}
