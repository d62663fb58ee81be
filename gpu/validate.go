package gpu

import (
	"fmt"
	"time"

	"github.com/gpu-overlap/overlap/schedule"
)

// mostTime bounds times on either side of 0, so that no difference of two, and no sum of a few, overflows: 73 years.
const mostTime = time.Duration(1 << 61)

// Validate refuses a transcript that cannot be one of a program of that intent, p, or, where p is nil, of any: one with
// more or fewer spans than ops, with more codes than calls, or with times beyond 73 years. A span is looked at as far
// as it ran.
func (t *Transcript) Validate(in *schedule.Intent, p *schedule.Program) error {
	switch {
	case t == nil || in == nil:
		return fmt.Errorf("transcript: none, or without an intent; want both")
	case len(t.Spans) != len(in.Ops):
		return fmt.Errorf("transcript: %d spans; want one for each of %d ops", len(t.Spans), len(in.Ops))
	case p != nil && len(t.Codes) > len(p.Body):
		return fmt.Errorf("transcript: %d codes; want at most %d, the calls of the body", len(t.Codes), len(p.Body))
	case p != nil && len(t.Issued) != 0 && len(t.Issued) != len(p.Body):
		return fmt.Errorf("transcript: %d times of issue; want none, or %d, the calls of the body", len(t.Issued),
			len(p.Body))
	case t.Wall < 0 || t.Wall > mostTime || t.Issue < 0 || t.Issue > mostTime || t.Clock.Error < 0 ||
		t.Clock.Error > mostTime || beyond(t.Clock.Offset):
		return fmt.Errorf("transcript: wall %v, issue %v, clock %v ± %v; want times from 0 to 73 years", t.Wall,
			t.Issue, t.Clock.Offset, t.Clock.Error)
	}
	for op := range t.Spans {
		s := &t.Spans[op]
		if s.Ran && (beyond(s.Start) || beyond(s.End)) {
			return fmt.Errorf("transcript: %s from %v to %v; want times within 73 years", in.Ops[op].Name, s.Start,
				s.End)
		}
	}
	for i, at := range t.Issued {
		if at < 0 || at > mostTime {
			return fmt.Errorf("transcript: call %d issued at %v; want a time from 0 on", i, at)
		}
	}
	return nil
}

func beyond(t time.Duration) bool { return t < -mostTime || t > mostTime }

// Validate refuses a setup that cannot be one of the program.
func (s *Setup) Validate(p *schedule.Program) error {
	switch {
	case s == nil || p == nil:
		return fmt.Errorf("setup: none, or without a program; want both")
	case len(s.Codes) > len(p.Setup):
		return fmt.Errorf("setup: %d codes; want at most %d, its calls", len(s.Codes), len(p.Setup))
	case s.Graph == nil:
		return nil
	}
	if err := s.Graph.Validate(); err != nil {
		return fmt.Errorf("setup: %w", err)
	}
	if p.Intent == nil {
		return nil
	}
	for i := range s.Graph.Nodes {
		if op := s.Graph.Nodes[i].Op; op.Some() && !op.Within(len(p.Intent.Ops)) {
			return fmt.Errorf("setup: node %d of the graph is op %s of %d; want one of the intent, or none", i, op,
				len(p.Intent.Ops))
		}
	}
	return nil
}
