package overlap

import (
	"fmt"

	"github.com/gpu-overlap/overlap/order"
	"github.com/gpu-overlap/overlap/schedule"
)

// lint looks at the calls alone for what is legal and probably not meant: a wait that does nothing, since its event is
// recorded only later, a record that nothing waited for before the event was recorded anew, and two names of one stream.
// Findings are notes: an order that is missing because of them is found by what it breaks.
func lint(p *schedule.Program) (notes []string) {
	calls := order.Issued(p)
	first := make([]int32, len(p.Events)) // the first record of an event
	last := make([]int32, len(p.Events))  // the last so far that nothing has waited for
	for e := range first {
		first[e], last[e] = schedule.None, schedule.None
	}
	for i, c := range calls {
		if c.Verb == schedule.Record && first[c.Event.Index()] == schedule.None {
			first[c.Event.Index()] = int32(i)
		}
	}
	for i, c := range calls {
		if !c.Event.Some() {
			continue
		}
		name, at := p.Events[c.Event.Index()], p.Where(c)
		if c.Verb != schedule.Record {
			if c.Verb == schedule.Wait && int32(i) < first[c.Event.Index()] {
				notes = append(notes, fmt.Sprintf("%s: the wait for %s does nothing: it is recorded only later (%s)", at, name,
					p.Where(calls[first[c.Event.Index()]])))
			}
			last[c.Event.Index()] = schedule.None
			continue
		}
		if last[c.Event.Index()] != schedule.None {
			notes = append(notes, fmt.Sprintf("%s: %s is recorded again before anything waited for its record (%s)", at, name,
				p.Where(calls[last[c.Event.Index()]])))
		}
		last[c.Event.Index()] = int32(i)
	}
	return append(append(notes, aliases(p, calls)...), pageable(p, calls)...)
}

// pageable notes the first copy that holds the host: only a run shows what that costs.
func pageable(p *schedule.Program, calls []schedule.Instr) []string {
	for _, c := range calls {
		if c.Op.Some() && p.Intent.Ops[c.Op.Index()].Pageable {
			return []string{fmt.Sprintf("%s: the host waits in %s, which copies pageable memory; what that costs a run shows", p.Where(c), p.Intent.Ops[c.Op.Index()].Name)}
		}
	}
	return nil
}

// aliases finds streams of two names that are one: all that go by the legacy default stream.
func aliases(p *schedule.Program, calls []schedule.Instr) (notes []string) {
	first := schedule.None
	seen := make([]bool, len(p.Streams))
	for _, c := range calls {
		if !c.Op.Some() || seen[c.Stream.Index()] || p.Streams[c.Stream.Index()].Kind != schedule.Legacy {
			continue
		}
		seen[c.Stream.Index()] = true
		if first == schedule.None {
			first = c.Stream.Index()
			continue
		}
		notes = append(notes, fmt.Sprintf("%s: %s and %s are one stream: their ops never run at once", p.Where(c),
			p.Streams[first].Name, p.Streams[c.Stream.Index()].Name))
	}
	return notes
}
