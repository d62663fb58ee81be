package schedule

import "fmt"

// Validate refuses a program that a device could not run and nothing could judge: one that names what it does not have,
// calls without the operands that their verbs need, an intent that is not valid. Its error starts with the file, and
// the line where one says what is wrong. Names of ops and events may stand twice: devices go by ids. What a driver
// refuses with a code is not wrong with a program: to want that code is what some are for.
func (p *Program) Validate() error {
	if p == nil {
		return fmt.Errorf("program: none; want one")
	}
	if p.Intent == nil {
		return faulty(0, "one", "a program without an intent").in(p.File, p.Name)
	}
	s := &seen{issuedBy: make([]Verb, len(p.Intent.Ops))}
	f := p.Intent.faultInto(s)
	if f == nil {
		f = p.fault(s)
	}
	return f.in(p.File, p.Name)
}

func (p *Program) fault(s *seen) *fault {
	if f := streamFaults(p.Streams); f != nil {
		return f
	}
	if p.Origin < 0 || int(p.Origin) >= len(p.Streams) {
		return faulty(0, "one of its streams", "the origin is stream %d of %d", p.Origin, len(p.Streams))
	}
	if p.HostDelay < 0 || p.HostDelay > MaxHostDelay {
		return faulty(0, fmt.Sprintf("0s to %v", MaxHostDelay), "slow host: %v for each call", p.HostDelay)
	}
	c := checker{intent: p.Intent, streams: p.Streams, events: p.Events, graphs: p.Graphs, args: p.Args, nodes: p.Nodes,
		seen: s}
	replays, rest := 1.0, float64(p.HostDelay)*float64(len(p.Body))
	for _, part := range [...]struct {
		name  string
		calls []Instr
	}{{"setup", p.Setup}, {"body", p.Body}} {
		for i := range part.calls {
			in := &part.calls[i]
			if c.plain(in) {
				continue
			}
			if f := c.call(in, i); f != nil {
				f.text = part.name + " " + f.text
				return f
			}
			rest += p.lasts(in)
			if in.Verb.Takes()&TakesOp != 0 {
				c.launches++
			}
			if in.Verb == Replay {
				replays++
			} else if in.Verb == AddNode && p.ArgsOf(*in).Number == AddChild {
				replays = max(replays, mostCloned)
			}
		}
	}
	// In two steps: only where the longest an op may be would be too long, the ops are looked at again.
	if (float64(c.launches)*float64(s.longest)+rest)*replays > mostLength && (p.launched()+rest)*replays > mostLength {
		return faulty(0, "less than 32 years", "the ops last too long in all")
	}
	return nil
}

const (
	mostLength = 1e18    // ns, about 32 years: a nanosleep takes less than twice as long as asked, and that fits a time.Duration
	mostCloned = 1 << 16 // nodes of nested children
	gateLimit  = 1e9     // ns: a gate that nobody opens
	emptyLasts = 1e5     // ns: an empty kernel, at most
)

// launched is how long the ops of all launches take, one after the other, in ns. The program is valid otherwise.
func (p *Program) launched() (sum float64) {
	for _, calls := range [][]Instr{p.Setup, p.Body} {
		for i := range calls {
			switch in := &calls[i]; in.Verb {
			case Launch, HostFunc, Copy:
				sum += float64(p.Intent.Ops[in.Op.Index()].Dur)
			}
		}
	}
	return sum
}

// lasts is what a call adds to the length of a program at most, in ns, beside the launches of ops.
func (p *Program) lasts(in *Instr) float64 {
	switch in.Verb {
	case Pause:
		return float64(p.ArgsOf(*in).Dur)
	case Burst:
		return float64(p.ArgsOf(*in).Number) * emptyLasts
	case Gate:
		return gateLimit
	case AddNode, LaunchWith:
		if in.Op.Some() {
			return float64(p.Intent.Ops[in.Op.Index()].Dur)
		}
	}
	return 0
}
