package calls

import (
	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/verdict"
)

// Legal notes what is legal and probably not meant: a wait that does nothing, since its event is recorded only later, a
// record that nothing waited for before the event was recorded anew, two names of one stream, and the first copy that
// holds the host. An order that is missing because of them is found by what it breaks.
func Legal(v *View) []verdict.Finding {
	if v == nil || !v.made {
		return nil
	}
	return append(append(records(v), aliases(v)...), pageable(v)...)
}

// records notes waits that come before their record, and records that are lost.
func records(v *View) (notes []verdict.Finding) {
	first := nones(len(v.Program.Events)) // the first record of an event
	for i, c := range v.Calls {
		if c.Verb == schedule.Record && c.Event.Within(len(first)) && first[c.Event.Index()] == schedule.None {
			first[c.Event.Index()] = int32(i)
		}
	}
	last := nones(len(v.Program.Events)) // the last record so far that nothing has waited for
	for i, c := range v.Calls {
		if !c.Event.Within(len(last)) {
			continue
		}
		event, at := v.Program.Events[c.Event.Index()], v.Program.Where(c)
		switch {
		case c.Verb == schedule.Record:
			if lost := last[c.Event.Index()]; lost != schedule.None {
				notes = append(notes, verdict.Note("%s: %s is recorded again before anything waited for its record (%s)",
					at, event, v.Program.Where(v.Calls[lost])))
			}
			last[c.Event.Index()] = int32(i)
			continue
		case c.Verb == schedule.Wait && int32(i) < first[c.Event.Index()]:
			notes = append(notes, verdict.Note("%s: the wait for %s does nothing: it is recorded only later (%s)",
				at, event, v.Program.Where(v.Calls[first[c.Event.Index()]])))
		}
		last[c.Event.Index()] = schedule.None
	}
	return notes
}

// pageable notes the first copy that holds the host: only a run shows what that costs.
func pageable(v *View) []verdict.Finding {
	for _, c := range v.Calls {
		if c.Op.Some() && v.Program.Intent.Ops[c.Op.Index()].Pageable {
			return one(verdict.Note("%s: the host waits in %s, which copies pageable memory; what that costs a run shows",
				v.Program.Where(c), v.Program.Intent.Ops[c.Op.Index()].Name))
		}
	}
	return nil
}

// aliases notes streams of two names that are one: all that go by the legacy default stream.
func aliases(v *View) (notes []verdict.Finding) {
	streams, first := v.Program.Streams, schedule.None
	seen := make([]bool, len(streams))
	for _, c := range v.Calls {
		if !c.Op.Some() || !c.Stream.Some() || seen[c.Stream.Index()] || streams[c.Stream.Index()].Kind != schedule.Legacy {
			continue
		}
		seen[c.Stream.Index()] = true
		if first == schedule.None {
			first = c.Stream.Index()
			continue
		}
		notes = append(notes, verdict.Note("%s: %s and %s are one stream: their ops never run at once",
			v.Program.Where(c), streams[first].Name, streams[c.Stream.Index()].Name))
	}
	return notes
}
