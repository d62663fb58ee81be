package overlap

import (
	"fmt"
	"strings"
	"time"

	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/graph/dot"
	"github.com/gpu-overlap/overlap/graph/match"
	"github.com/gpu-overlap/overlap/verdict"
)

// Failure is an expectation of a case that does not hold.
type Failure struct {
	Where string // file:line, or the file alone when the case leaves the expectation to its default
	What  string // begins the sentence that Got ends: "serial is"
	Got   string
	Want  string // empty where What and Got say it all
}

// String is one line that starts with file:line, "mine.txtar:12: serial is 4ms, want 5ms"; of a drawing it is both.
func (f Failure) String() string {
	switch {
	case f.Got == "":
		return f.Where + ": " + f.What
	case f.Want == "":
		return f.Where + ": " + f.What + ": " + f.Got
	case strings.Contains(f.Want, "\n"):
		return f.Where + ": " + f.What + ": want\n" + f.Want + "got\n" + f.Got
	}
	return f.Where + ": " + f.What + " " + f.Got + ", want " + f.Want
}

// unmet gives the expectations of the case that the result does not hold.
func unmet(r *Result, golden *graph.Graph) []Failure {
	return append(append(unmetTimes(r), unmetVerdicts(r)...), unmetGoldens(r, golden)...)
}

// unmetTimes compares nominal durations; and where time is exact, what the giant batch took.
func unmetTimes(r *Result) (list []Failure) {
	e := &r.Case.Expect
	miss := func(line int32, what string, got, want time.Duration) {
		list = append(list, Failure{where(r.Case.Place(), line), what, got.String(), want.String()})
	}
	var giant time.Duration
	for _, d := range r.Giant.Program.Intent.Durations() {
		giant += d
	}
	for _, n := range []struct {
		name      string
		want, got time.Duration
		line      int32
	}{
		{"serial", e.Serial, r.Nominal.Serial, e.Lines.Serial},
		{"giant", e.Giant, giant, e.Lines.Giant},
		{"ideal", e.Ideal, r.Nominal.Ideal, e.Lines.Ideal},
		{"optimal", e.Optimal, r.Nominal.Optimal, e.Lines.Optimal},
		{"scheduled", e.Scheduled, r.Nominal.Scheduled, e.Lines.Scheduled},
	} {
		if n.want != 0 && n.want != n.got {
			miss(n.line, n.name+" is", n.got, n.want)
		}
	}
	if r.Info.Exact && e.Giant != 0 && len(r.Giant.Reps) > 0 && r.Giant.Reps[0].Wall != e.Giant {
		miss(e.Lines.Giant, "giant took", r.Giant.Reps[0].Wall, e.Giant)
	}
	return list
}

// unmetVerdicts compares the verdicts. Of a mode that the case does not speak of, met will do, and what the case says of
// both; a verdict of both is that of the first mode that is not met. A mode that did not run has none.
func unmetVerdicts(r *Result) (list []Failure) {
	e := &r.Case.Expect
	miss := func(line int32, what, got string, want verdict.Outcome) {
		list = append(list, Failure{where(r.Case.Place(), line), what, got, want.String()})
	}
	one := e.EagerVerdict != nil || e.ReplayVerdict != nil
	if (e.Lines.Verdict > 0 || !one) && !r.Verdict.Matches(e.Verdict) {
		miss(e.Lines.Verdict, "verdict is", r.Verdict.At(), e.Verdict)
		return list
	}
	for _, m := range []struct {
		got  *Mode
		want *verdict.Outcome
		line int32
	}{{&r.Eager, e.EagerVerdict, e.Lines.EagerVerdict}, {&r.Replay, e.ReplayVerdict, e.Lines.ReplayVerdict}} {
		what := m.got.Name + " verdict is"
		switch {
		case m.want != nil && (m.got.Verdict == nil || !m.got.Verdict.Matches(*m.want)):
			miss(m.line, what, m.got.said(), *m.want)
		case m.want == nil && m.got.missed() && (e.Lines.Verdict == 0 || !m.got.Verdict.Matches(e.Verdict)):
			miss(e.Lines.Verdict, what, m.got.said(), verdict.Outcome{})
		}
	}
	return list
}

// unmetGoldens compares what the case records with what came: the graph on every device, the lanes where time is exact.
func unmetGoldens(r *Result, golden *graph.Graph) (list []Failure) {
	if got := r.captured(); golden != nil && got != nil {
		for _, d := range match.Diff(golden, got) {
			list = append(list, Failure{Where: r.Case.Place(), What: "graph.dot", Got: d})
		}
	}
	if r.Case.Lanes != "" && r.Info.Exact {
		if got := Lanes(r); got != r.Case.Lanes {
			list = append(list, Failure{r.Case.Place(), "lanes.txt", got, r.Case.Lanes})
		}
	}
	return list
}

// Golden gives the sections that a case records of a result: the captured graph as DOT, and the lanes of both modes.
// The graph is empty when none was captured.
func Golden(r *Result) (captured, lanes string) {
	r = r.whole()
	var b strings.Builder
	if g := r.captured(); g != nil {
		dot.Write(&b, g) // a strings.Builder does not fail
	}
	return b.String(), Lanes(r)
}

// where is file:line, or the file alone when the case leaves an expectation to its default.
func where(file string, line int32) string {
	if line <= 0 {
		return file
	}
	return fmt.Sprintf("%s:%d", file, line)
}
