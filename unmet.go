package overlap

import (
	"fmt"
	"strings"
	"time"

	"github.com/gpu-overlap/overlap/graph/dot"
	"github.com/gpu-overlap/overlap/graph/match"
	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/timeline"
)

// unmet gives the expectations of the case that the result does not hold, each as a line that starts with file:line.
func unmet(r *Result) []string {
	e := &r.Case.Expect
	var lines []string
	miss := func(line int32, format string, args ...any) {
		lines = append(lines, where(r.Case.File, line)+": "+fmt.Sprintf(format, args...))
	}
	for _, n := range []struct {
		name      string
		want, got time.Duration
		line      int32
	}{
		{"serial", e.Serial, r.Nominal.Serial, e.Lines.Serial},
		{"giant", e.Giant, nominalGiant(r), e.Lines.Giant},
		{"ideal", e.Ideal, r.Nominal.Ideal, e.Lines.Ideal},
		{"optimal", e.Optimal, r.Nominal.Optimal, e.Lines.Optimal},
		{"scheduled", e.Scheduled, r.Nominal.Scheduled, e.Lines.Scheduled},
	} {
		if n.want != 0 && n.want != n.got {
			miss(n.line, "%s is %v, want %v", n.name, n.got, n.want)
		}
	}
	if r.Info.Exact && e.Giant != 0 && len(r.Giant.Reps) > 0 && r.Giant.Reps[0].Wall != e.Giant {
		miss(e.Lines.Giant, "giant took %v, want %v", r.Giant.Reps[0].Wall, e.Giant)
	}
	lines = append(lines, unmetVerdicts(r)...)
	return append(lines, goldens(r)...)
}

// unmetVerdicts compares the verdicts. Of a mode that the case does not speak of, met will do, and what the case says of
// both; a verdict of both is that of the first mode that is not met.
func unmetVerdicts(r *Result) (lines []string) {
	e := &r.Case.Expect
	miss := func(line int32, which string, got Verdict, want schedule.Outcome) {
		lines = append(lines, fmt.Sprintf("%s: %sverdict is %s, want %s", where(r.Case.File, line), which, got.at(), want))
	}
	one := e.EagerVerdict.Cause != "" || e.ReplayVerdict.Cause != ""
	if (e.Lines.Verdict > 0 || !one) && !r.Verdict.matches(e.Verdict) {
		miss(e.Lines.Verdict, "", r.Verdict, e.Verdict)
		return lines
	}
	for _, m := range []struct {
		which string
		got   Verdict
		want  schedule.Outcome
		line  int32
	}{{"eager ", r.Eager.Verdict, e.EagerVerdict, e.Lines.EagerVerdict}, {"replay ", r.Replay.Verdict, e.ReplayVerdict, e.Lines.ReplayVerdict}} {
		switch {
		case m.want.Cause != "":
			if !m.got.matches(m.want) {
				miss(m.line, m.which, m.got, m.want)
			}
		case !m.got.Met() && (e.Lines.Verdict == 0 || !m.got.matches(e.Verdict)):
			miss(e.Lines.Verdict, m.which, m.got, schedule.Outcome{Cause: schedule.Met})
		}
	}
	return lines
}

// matches says whether a verdict is the expected one: the cause, and the detail when the case gives one.
func (v Verdict) matches(want schedule.Outcome) bool {
	return string(v.Cause) == want.Cause && (want.Detail == "" || v.Detail == want.Detail)
}

// at is the verdict with the place that is guilty.
func (v Verdict) at() string {
	if v.Where == "" {
		return v.String()
	}
	return v.String() + " (" + v.Where + ")"
}

func nominalGiant(r *Result) time.Duration {
	var sum time.Duration
	for _, d := range r.Giant.Program.Intent.Durations() {
		sum += d
	}
	return sum
}

// goldens compares what the case records with what came: the graph on every device, the lanes where time is exact.
func goldens(r *Result) []string {
	var lines []string
	if want, err := goldenGraph(r.Case); err == nil && want != nil && r.Replay.Setup.Graph != nil {
		for _, d := range match.Diff(want, r.Replay.Setup.Graph) {
			lines = append(lines, fmt.Sprintf("%s: graph.dot: %s", r.Case.File, d))
		}
	}
	if r.Case.Lanes != "" && r.Info.Exact {
		if got := Lanes(r); got != r.Case.Lanes {
			lines = append(lines, fmt.Sprintf("%s: lanes.txt: want\n%sgot\n%s", r.Case.File, r.Case.Lanes, got))
		}
	}
	return lines
}

// Golden gives the sections that a case records of a result: the captured graph as DOT, and the lanes of both modes.
// The graph is empty when none was captured.
func Golden(r *Result) (captured, lanes string) {
	var b strings.Builder
	if g := r.Replay.Setup.Graph; g != nil {
		dot.Write(&b, g) // a strings.Builder does not fail
	}
	return b.String(), Lanes(r)
}

// laneWidth is the width of lanes as text, in columns.
const laneWidth = 100

// Lanes draws what happened in the first repetition of each mode that ran, as text.
func Lanes(r *Result) string {
	var b strings.Builder
	for _, m := range r.judged() {
		b.WriteString(m.Name + "\n")
		timeline.WriteText(&b, m.Timeline(0), laneWidth) // a strings.Builder does not fail
	}
	return b.String()
}

// Timelines are the scheduled one and what happened in the first repetition of each mode that ran.
func (r *Result) Timelines() []timeline.Timeline {
	lines := []timeline.Timeline{scheduledTimeline(r)}
	for _, m := range r.modes() {
		if len(m.Reps) > 0 {
			lines = append(lines, m.Timeline(0))
		}
	}
	return lines
}

// Timeline is what happened in one repetition of the mode.
func (m *Mode) Timeline(rep int) timeline.Timeline {
	return timeline.Of(m.Program, m.Name, m.Reps[rep].Spans)
}

// where is file:line, or the file alone when the case leaves an expectation to its default.
func where(file string, line int32) string {
	if line <= 0 {
		return file
	}
	return fmt.Sprintf("%s:%d", file, line)
}
