// Package verdict holds the words of the answer: the causes, what a check finds, the verdict on one mode, and what a
// case expects of it. They are plain values, listed once; package judge makes them, the language reads and prints them.
//
// Durations are time.Duration. Ops are indices into the intent's list of ops.
package verdict

import (
	"fmt"
	"time"
)

// Finding is what one check found. The zero value found nothing. One of cause Met decides nothing: its Detail is a
// note.
type Finding struct {
	Cause  Cause
	Detail string // names what is guilty, without measured numbers: the same on every device
	Where  string // file:line of the instruction or expectation that is guilty; empty when there is none
	// Guilty are the op that is late and, after it, what it waits for or what gets in its way, as far as they are
	// known.
	Guilty []int32
	// Saves is by how much the schedule, at nominal durations, would be shorter without what is blamed; 0 when nothing
	// is.
	Saves time.Duration
	// Took is the time that it took in the repetition that is accounted for; 0 when that was not looked into.
	Took time.Duration
	// Evidence is what confirms the cause, with measured numbers: of a twin of the schedule, for instance.
	Evidence string
	// Change is the smallest change that would mend it, where one is known.
	Change Change
	// Needs is about how many samples would settle what is inconclusive in time; 0 when none would, or when it is not
	// that.
	Needs int
	// Notes belong to the finding and decide nothing.
	Notes []string
}

// Change says what to do to a schedule, in words: "record e right after A". Empty when nothing is known to help.
type Change string

// Found is a finding; format and args give its detail.
func Found(c Cause, where, format string, args ...any) Finding {
	return Finding{Cause: c, Where: where, Detail: fmt.Sprintf(format, args...)}
}

// Note is a finding that decides nothing.
func Note(format string, args ...any) Finding { return Finding{Detail: fmt.Sprintf(format, args...)} }

// Decides says whether the finding settles the verdict.
func (f Finding) Decides() bool { return f.Cause != Met }

// String is the finding in one line, as a case expects it: "over-wide wait: CA waits for B through e".
func (f Finding) String() string {
	if f.Detail == "" {
		return f.Cause.String()
	}
	return f.Cause.String() + ": " + f.Detail
}

// At is the finding with the place that is guilty.
func (f Finding) At() string {
	if f.Where == "" {
		return f.String()
	}
	return f.String() + " (" + f.Where + ")"
}

// Verdict is the judgement on one mode: what decides, or nothing, and what is worth knowing besides. The zero value is
// met.
type Verdict struct {
	Finding
	Notes []string // the finding's first, then those of the checks in their order
}

// Of makes a verdict of what the checks found, in their order: the first finding that decides, and the notes so far.
func Of(found []Finding) Verdict {
	var v Verdict
	for _, f := range found {
		if f.Decides() && !v.Decides() {
			v.Finding = f
			v.Notes = append(v.Notes, f.Notes...)
			v.Finding.Notes = nil
		}
	}
	for _, f := range found {
		if !f.Decides() {
			v.Notes = append(v.Notes, f.Detail)
		}
	}
	return v
}

// Met says whether everything that was judged holds.
func (v Verdict) Met() bool { return !v.Decides() }

// Matches says whether a verdict is the expected one: the cause, and the detail where one is expected.
func (v Verdict) Matches(want Outcome) bool {
	return v.Cause == want.Cause && (want.Detail == "" || v.Detail == want.Detail)
}
