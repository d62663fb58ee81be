package overlap

import (
	"time"

	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/verdict"
)

// whole is what a report can say of a result: the result, without the parts that do not fit its case, which only a result has
// that Run did not make. Of no case it is that of an empty one.
func (r *Result) whole() *Result {
	if r == nil {
		r = &Result{}
	}
	w := *r
	empty := Case{Schedule: schedule.Schedule{Intent: schedule.Intent{Engines: schedule.DefaultEngines()}}}
	switch {
	case r.Case == nil:
		w.Case = &empty
	case r.Case.Schedule.Intent.Validate() != nil:
		empty.Name, empty.File = r.Case.Name, r.Case.File
		w.Case = &empty
	}
	in := &w.Case.Schedule.Intent
	if len(w.Solo) != len(in.Ops) {
		w.Solo = make([]time.Duration, len(in.Ops))
	}
	w.Giant.keep(nil)
	w.Eager.keep(in)
	w.Replay.keep(in)
	w.Verdict = named(w.Verdict, in)
	return &w
}

// keep drops what does not fit the program, or the intent of the case; nil for a program of its own.
func (m *Mode) keep(in *schedule.Intent) {
	if m.Program == nil || m.Program.Validate() != nil || in != nil && len(m.Program.Intent.Ops) != len(in.Ops) {
		*m = Mode{Name: m.Name}
		return
	}
	for i := range m.Reps {
		if m.Reps[i].Validate(m.Program.Intent, m.Program) != nil {
			m.Reps = nil
			break
		}
	}
	if m.Setup != nil && m.Setup.Validate(m.Program) != nil {
		m.Setup = nil
	}
	if a := m.Account; a != nil && (a.Rep < 0 || a.Rep >= len(m.Reps)) {
		m.Account = nil
	}
	if m.Verdict != nil {
		v := named(*m.Verdict, m.Program.Intent)
		m.Verdict = &v
	}
}

// named is a verdict that names ops of the intent alone.
func named(v verdict.Verdict, in *schedule.Intent) verdict.Verdict {
	for _, op := range v.Guilty {
		if op < 0 || int(op) >= len(in.Ops) {
			v.Guilty = nil
			break
		}
	}
	return v
}
