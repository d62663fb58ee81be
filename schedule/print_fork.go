package schedule

import (
	"slices"
	"strings"
)

// folded is a run of calls, Issue[from:to], that came from one fork or join. A parser gives only such runs the same line.
type folded struct {
	verb     string
	origin   int32
	streams  []int32
	from, to int
}

func (f *folded) text(s *Schedule) string {
	var b strings.Builder
	b.WriteString(s.Streams[f.origin].Name + ": " + f.verb)
	for _, id := range f.streams {
		b.WriteString(" " + s.Streams[id].Name)
	}
	return b.String()
}

// folds finds the forks and joins among the calls.
func (s *Schedule) folds() []folded {
	var list []folded
	for i := 0; i < len(s.Issue); {
		end := i + 1
		for end < len(s.Issue) && s.Issue[end].Line == s.Issue[i].Line && s.Issue[i].Line > 0 {
			end++
		}
		run := s.Issue[i:end]
		if f, ok := s.asFork(run); ok {
			f.from, f.to = i, end
			list = append(list, f)
		} else if f, ok := s.asJoin(run); ok {
			f.from, f.to = i, end
			list = append(list, f)
		}
		i = end
	}
	return list
}

// asFork recognises a record of an event named fork… and waits for it.
func (s *Schedule) asFork(run []Instr) (folded, bool) {
	f := folded{verb: "fork", origin: run[0].Stream.Index()}
	for i, in := range run {
		if !s.isPart(in, "fork", i == 0) || in.Event != run[0].Event {
			return f, false
		}
		if i > 0 {
			f.streams = append(f.streams, in.Stream.Index())
		}
	}
	return f, len(run) > 1
}

// asJoin recognises pairs of a record of an event named join… and a wait for it on one stream.
func (s *Schedule) asJoin(run []Instr) (folded, bool) {
	if len(run)%2 != 0 {
		return folded{}, false
	}
	f := folded{verb: "join", origin: run[1].Stream.Index()}
	for i := 0; i < len(run); i += 2 {
		record, wait := run[i], run[i+1]
		if !s.isPart(record, "join", true) || !s.isPart(wait, "join", false) || record.Event != wait.Event || wait.Stream.Index() != f.origin {
			return f, false
		}
		f.streams = append(f.streams, record.Stream.Index())
	}
	return f, true
}

func (s *Schedule) isPart(in Instr, kind string, record bool) bool {
	verb := Wait
	if record {
		verb = Record
	}
	return in.Verb == verb && in.Want == Success && strings.HasPrefix(named(s.Events, in.Event.Index()), kind)
}

// declaredByForks says whether the forks, in their order, name all streams that need a declaration.
func (s *Schedule) declaredByForks(folds []folded) bool {
	var byForks []int32
	seen := map[int32]bool{}
	for _, f := range folds {
		if f.verb != "fork" {
			continue
		}
		for _, id := range f.streams {
			if id != Origin && s.Streams[id].Kind != Legacy && !seen[id] {
				seen[id] = true
				byForks = append(byForks, id)
			}
		}
	}
	var needed []int32
	for i, st := range s.Streams {
		if st.Kind == Blocking || st.Priority != 0 {
			return false
		}
		if i != int(Origin) && st.Kind != Legacy {
			needed = append(needed, int32(i))
		}
	}
	return slices.Equal(byForks, needed)
}
