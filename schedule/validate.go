package schedule

import (
	"fmt"
	"strings"
	"time"
)

// Values that are built in Go are held against the rules that the language holds a file against. Each Validate gives
// the first fault in one line: where it is, what it is, and what would be right. All take time in the number of ops and
// calls.

// fault is what is wrong, and the line of the file that says it; 0 when none does.
type fault struct {
	line int32
	text string
}

func (f *fault) Error() string { return f.text }

// faulty makes a fault. what would be right stands behind "; want".
func faulty(line int32, want, format string, args ...any) *fault {
	return &fault{line, fmt.Sprintf(format, args...) + "; want " + want}
}

// in says in which file, or else in which schedule, the fault is.
func (f *fault) in(file, name string) error {
	switch {
	case f == nil:
		return nil
	case f.line > 0 && file != "":
		return fmt.Errorf("%s:%d: %w", file, f.line, f)
	case file != "" || name != "":
		return fmt.Errorf("%s: %w", firstOf(file, name), f)
	}
	return f
}

func firstOf(file, name string) string {
	if file != "" {
		return file
	}
	return name
}

// Validate refuses a schedule that no case file could say, and one without an intent or calls. Its error starts with
// the file and line that say what is wrong, or else with the schedule's name.
func (s *Schedule) Validate() error {
	if s == nil {
		return fmt.Errorf("schedule: none; want one")
	}
	return s.fault().in(s.File, s.Name)
}

func (s *Schedule) fault() *fault {
	if f := s.Intent.fault(); f != nil {
		return f
	}
	if f := s.Intent.namesFault(); f != nil {
		return f
	}
	if f := s.Intent.placeFault(); f != nil {
		return f
	}
	if f := s.limits(); f != nil {
		return f
	}
	if f := s.opFaults(); f != nil {
		return f
	}
	if f := streamFaults(s.Streams); f != nil {
		return f
	}
	if len(s.Streams) == 0 || s.Streams[Origin].Kind != Legacy || s.Streams[Origin].Name != mainName {
		return faulty(0, "the legacy default stream, named "+mainName, "streams: the first is not the origin")
	}
	c := checker{intent: &s.Intent, streams: s.Streams, events: s.Events, args: s.Args, nodes: s.Nodes}
	issued, recorded := make([]bool, len(s.Intent.Ops)), make([]bool, len(s.Events))
	for i := range s.Issue {
		in := &s.Issue[i]
		if in.Verb == Record && in.Event.Within(len(recorded)) {
			recorded[in.Event.Index()] = true
		}
	}
	for i := range s.Issue {
		in := &s.Issue[i]
		if in.Verb.Role() != OfIssue {
			return c.wrong(in, i, "calls that issue ops, order them or ask for them: the rest is derived",
				"%s stands in no schedule", in.Verb.Call())
		}
		if f := c.call(in, i); f != nil {
			return f
		}
		switch takes := in.Verb.Takes(); {
		case takes&TakesOp != 0 && issued[in.Op.Index()]:
			return c.wrong(in, i, "a call for each op", "op %s is issued a second time",
				s.Intent.Ops[in.Op.Index()].Name)
		case takes&TakesOp != 0:
			issued[in.Op.Index()] = true
		case in.Event == Null:
			return c.wrong(in, i, "one that something records", "%s of event null", in.Verb.Call())
		case takes&TakesEvent != 0 && !recorded[in.Event.Index()]:
			return c.wrong(in, i, "a record of it on some stream", "nothing records event %s",
				s.Events[in.Event.Index()])
		}
	}
	return namesFault("event", s.Events)
}

// opFaults refuses what only a giant batch or a program for one device may have.
func (s *Schedule) opFaults() *fault {
	var total time.Duration
	for i := range s.Intent.Ops {
		op := &s.Intent.Ops[i]
		if op.Dur > MaxOp {
			return durationFault(op.Line, "op "+op.Name, op.Dur, MaxOp)
		}
		if total += op.Dur; total > MaxTotal {
			return faulty(op.Line, "a sum of at most 24h", "op %s: up to here the durations of all ops add up to more",
				op.Name)
		}
		if op.Bytes > MaxBytes {
			return faulty(op.Line, "at most 64GiB", "op %s: a copy of %d bytes", op.Name, op.Bytes)
		}
		if f := sharesFault(op.Line, "op ", op.Name, op.Kind,
			op.SMs > 0 || op.Waves > 0 || op.Bandwidth > 0); f != nil {
			return f
		}
	}
	return nil
}

// sharesFault refuses shares of what is no kernel.
func sharesFault(line int32, what, name string, k Kind, any bool) *fault {
	if !any || k == Computation || k == Communication {
		return nil
	}
	return faulty(line, "them only of computation and communication", "%s%s: sms or bandwidth of a %s", what, name, k)
}

// limits refuses what would not fit into memory, and a slow host that is none.
func (s *Schedule) limits() *fault {
	switch n := len(s.Intent.Ops); {
	case n == 0:
		return faulty(0, "at least one op", "the schedule has no ops")
	case n*len(s.Streams) > MaxPairs:
		return faulty(0, fmt.Sprintf("at most %d for ops times streams", MaxPairs), "%d ops on %d streams", n,
			len(s.Streams))
	case s.HostDelay < 0 || s.HostDelay > MaxHostDelay:
		return faulty(0, fmt.Sprintf("0s to %v", MaxHostDelay), "slow host: %v for each call", s.HostDelay)
	}
	return nil
}

// mainName is that of the origin.
const mainName = "main"

// streamFaults looks at the streams of a schedule or program.
func streamFaults(streams []Stream) *fault {
	names := newNames(len(streams))
	for i := range streams {
		s := &streams[i]
		switch {
		case s.Name == "":
			return faulty(0, "one", "stream %d has no name", i)
		case names.add(s.Name):
			return faulty(0, "a name for each stream", "a second stream %s", s.Name)
		case s.Kind > PerThread:
			return faulty(0, "non-blocking, blocking, legacy or per-thread", "stream %s: kind %d", s.Name, s.Kind)
		case s.Priority < -MaxPriority || s.Priority > MaxPriority:
			return faulty(0, fmt.Sprintf("%d to %d", -MaxPriority, MaxPriority), "stream %s: priority %d", s.Name,
				s.Priority)
		case s.Device < 0:
			return faulty(0, "0 for the first", "stream %s: device %d", s.Name, s.Device)
		}
	}
	return nil
}

// namesFault refuses a list in which a name is empty or stands twice.
func namesFault(what string, list []string) *fault {
	names := newNames(len(list))
	for i, name := range list {
		switch {
		case name == "":
			return faulty(0, "one", "%s %d has no name", what, i)
		case names.add(name):
			return faulty(0, "a name for each "+what, "a second %s %s", what, name)
		}
	}
	return nil
}

// durationFault is that of a duration that is not above 0 and at most so long.
func durationFault(line int32, where string, d, most time.Duration) *fault {
	return faulty(line, fmt.Sprintf("more than 0s and at most %v", most), "%s: duration %v", where, d)
}

// cycleText spells a cycle: each op is after the next.
func cycleText(in *Intent, cycle []int32) string {
	const most = 8
	var names []string
	for i, op := range cycle {
		if i == most {
			names = append(names, fmt.Sprintf("(%d more)", len(cycle)-most))
			break
		}
		names = append(names, in.Ops[op].Name)
	}
	return strings.Join(append(names, in.Ops[cycle[0]].Name), " after ")
}
