package schedule

// GatedName is the name of a gated program.
const GatedName = "gated"

// mostGated is how many calls may pile up behind a gate: a driver takes about a thousand before a call waits for room,
// and it would wait for the gate.
const mostGated = 512

// Gated is the eager program behind a gate: the origin first launches a kernel that runs until the host, having issued
// everything, opens it. What the device then needs does not depend on how fast the host is. ok is false for a schedule
// in which the host waits for the device, and for one of more calls than a driver takes without waiting.
func (s *Schedule) Gated() (p *Program, ok bool) {
	if len(s.Issue) > mostGated {
		return nil, false
	}
	for _, in := range s.Issue {
		if in.Verb.Blocks() || in.Verb == Copy && in.Op.Within(len(s.Intent.Ops)) &&
			s.Intent.Ops[in.Op.Index()].Pageable {
			return nil, false
		}
	}
	p = s.program(GatedName)
	p.Body = append([]Instr{call(Gate, Origin)}, s.Issue...)
	p.Body = append(p.Body, call(OpenGate, None), call(SyncStream, Origin))
	return p, true
}
