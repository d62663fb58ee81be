package text

import (
	"slices"
	"strings"

	"github.com/gpu-overlap/overlap/schedule"
)

// folded is a run of calls, Issue[from:to], that came from one fork or join. A parser gives only such runs the same
// line.
type folded struct {
	verb     string
	origin   schedule.Ref
	streams  []schedule.Ref
	from, to int
}

func (f *folded) text(x *syntax) string {
	var b strings.Builder
	b.WriteString(x.stream(f.origin) + ": " + f.verb)
	for _, s := range f.streams {
		b.WriteString(" " + x.stream(s))
	}
	return b.String()
}

// folds finds the forks and joins among the calls.
func foldsOf(s *schedule.Schedule) []folded {
	var list []folded
	for i := 0; i < len(s.Issue); {
		end := i + 1
		for end < len(s.Issue) && s.Issue[end].Line == s.Issue[i].Line && s.Issue[i].Line > 0 {
			end++
		}
		run := s.Issue[i:end]
		if f, ok := asFork(s, run); ok {
			f.from, f.to = i, end
			list = append(list, f)
		} else if f, ok := asJoin(s, run); ok {
			f.from, f.to = i, end
			list = append(list, f)
		}
		i = end
	}
	return list
}

// asFork recognises a record of an event named fork… and waits for it.
func asFork(s *schedule.Schedule, run []schedule.Instr) (folded, bool) {
	f := folded{verb: "fork", origin: run[0].Stream}
	for i, in := range run {
		if !isPart(s, in, "fork", i == 0) || in.Event != run[0].Event {
			return f, false
		}
		if i > 0 {
			f.streams = append(f.streams, in.Stream)
		}
	}
	return f, len(run) > 1
}

// asJoin recognises pairs of a record of an event named join… and a wait for it on one stream.
func asJoin(s *schedule.Schedule, run []schedule.Instr) (folded, bool) {
	if len(run)%2 != 0 {
		return folded{}, false
	}
	f := folded{verb: "join", origin: run[1].Stream}
	for i := 0; i < len(run); i += 2 {
		record, wait := run[i], run[i+1]
		if !isPart(s, record, "join", true) || !isPart(s, wait, "join", false) || record.Event != wait.Event ||
			wait.Stream != f.origin {
			return f, false
		}
		f.streams = append(f.streams, record.Stream)
	}
	return f, true
}

func isPart(s *schedule.Schedule, in schedule.Instr, kind string, record bool) bool {
	verb := schedule.Wait
	if record {
		verb = schedule.Record
	}
	return in.Verb == verb && in.Want == schedule.Success && strings.HasPrefix(named(s.Events, in.Event), kind)
}

// declaredByForks says whether the forks, in their order, name all streams that need a declaration.
func declaredByForks(s *schedule.Schedule, folds []folded) bool {
	var byForks []schedule.Ref
	seen := map[schedule.Ref]bool{schedule.At(schedule.Origin): true}
	for _, f := range folds {
		for _, ref := range f.streams {
			if f.verb == "fork" && !seen[ref] && ref.Within(len(s.Streams)) && s.Streams[ref.Index()].Kind != schedule.Legacy {
				seen[ref] = true
				byForks = append(byForks, ref)
			}
		}
	}
	var needed []schedule.Ref
	for i, st := range s.Streams {
		if st.Kind == schedule.Blocking || st.Priority != 0 {
			return false
		}
		if i != int(schedule.Origin) && st.Kind != schedule.Legacy {
			needed = append(needed, schedule.At(int32(i)))
		}
	}
	return slices.Equal(byForks, needed)
}
