package schedule

import "fmt"

// Validate refuses a program that a device could not run and nothing could judge: one that names what it does not have, calls
// without the operands that their verbs need, an intent that is not valid. Its error starts with the file, and the line where
// one says what is wrong. What a driver refuses with a code is not wrong with a program: to want that code is what some are for.
func (p *Program) Validate() error {
	if p == nil {
		return fmt.Errorf("program: none; want one")
	}
	if p.Intent == nil {
		return faulty(0, "one", "a program without an intent").in(p.File, p.Name)
	}
	f := p.Intent.fault()
	if f == nil {
		f = p.fault()
	}
	return f.in(p.File, p.Name)
}

func (p *Program) fault() *fault {
	if f := streamFaults(p.Streams); f != nil {
		return f
	}
	if p.Origin < 0 || int(p.Origin) >= len(p.Streams) {
		return faulty(0, "one of its streams", "the origin is stream %d of %d", p.Origin, len(p.Streams))
	}
	if p.HostDelay < 0 || p.HostDelay > MaxHostDelay {
		return faulty(0, fmt.Sprintf("0s to %v", MaxHostDelay), "slow host: %v for each call", p.HostDelay)
	}
	for _, l := range [...]struct {
		what  string
		names []string
	}{{"event", p.Events}, {"graph", p.Graphs}, {"node", p.Nodes}} {
		if f := namesFault(l.what, l.names); f != nil {
			return f
		}
	}
	c := checker{p.Intent, p.Streams, p.Events, p.Graphs, p.Args, p.Nodes}
	for _, part := range [...]struct {
		name  string
		calls []Instr
	}{{"setup", p.Setup}, {"body", p.Body}} {
		for i := range part.calls {
			if f := c.call(&part.calls[i], i); f != nil {
				f.text = part.name + " " + f.text
				return f
			}
		}
	}
	return p.lengthFault()
}

// lengthFault refuses a program whose work, one piece after the other, would not fit a time.Duration.
func (p *Program) lengthFault() *fault {
	const (
		gateLimit  = 1e9     // ns: a gate that nobody opens
		empty      = 1e5     // an empty kernel, at most
		mostCloned = 1 << 16 // nodes of nested children
		most       = 1e18    // about 32 years; a nanosleep takes less than twice as long as asked
	)
	replays, total := 1.0, float64(p.HostDelay)*float64(len(p.Body))
	for _, calls := range [][]Instr{p.Setup, p.Body} {
		for i := range calls {
			switch in := &calls[i]; in.Verb {
			case Replay:
				replays++
			case Pause:
				total += float64(p.ArgsOf(*in).Dur)
			case Burst:
				total += float64(p.ArgsOf(*in).Number) * empty
			case Gate:
				total += gateLimit
			case AddNode:
				if p.ArgsOf(*in).Number == AddChild {
					replays = max(replays, mostCloned)
				} else if in.Op.Some() {
					total += float64(p.Intent.Ops[in.Op.Index()].Dur)
				}
			case Launch, HostFunc, Copy, LaunchWith:
				total += float64(p.Intent.Ops[in.Op.Index()].Dur)
			}
		}
	}
	if total*replays > most {
		return faulty(0, "less than 32 years", "the ops last too long in all")
	}
	return nil
}
