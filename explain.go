package overlap

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/graph/match"
	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/timeline"
)

// writeVerdict says what was found, what it costs, what shows it and what would mend it.
func (r *Result) writeVerdict(w io.Writer) {
	if r.Eager.Verdict.String() != r.Replay.Verdict.String() {
		fmt.Fprintf(w, "eager: %s\nreplay: %s\n", r.Eager.Verdict.at(), r.Replay.Verdict.at())
	}
	v := r.Verdict
	fmt.Fprintf(w, "verdict: %s\n", v.at())
	if !v.Met() && len(r.Failures) == 0 {
		fmt.Fprintf(w, "expected: the case wants that\n")
	}
	switch {
	case v.Saves > 0:
		fmt.Fprintf(w, "costs: %v of %v as scheduled\n", v.Saves, r.Nominal.Scheduled)
	case v.Took > 0:
		fmt.Fprintf(w, "costs: %v of %v\n", v.Took, r.guilty().Account.Wall)
	}
	if v.Evidence != "" {
		fmt.Fprintf(w, "evidence: %s\n", v.Evidence)
	}
	if v.Change != "" {
		fmt.Fprintf(w, "change: %s\n", v.Change)
	}
	for _, n := range r.notes() {
		fmt.Fprintf(w, "note: %s\n", n)
	}
	for _, f := range r.Failures {
		fmt.Fprintf(w, "unmet: %s\n", f)
	}
}

// guilty is the mode that the verdict is of.
func (r *Result) guilty() *Mode {
	if r.Eager.Verdict.Met() {
		return &r.Replay
	}
	return &r.Eager
}

// writeAccount says where the wall time of a mode went, what took most first.
func (m *Mode) writeAccount(w io.Writer, in *schedule.Intent) {
	a := m.Account
	if a == nil || a.Wall == 0 {
		return
	}
	fmt.Fprintf(w, "\naccount of %s, repetition %d of %d, %v along what waited for what:\n", m.Name, a.Rep+1, len(m.Reps), a.Wall)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, s := range a.bySum() {
		longest, _ := a.longest(s)
		fmt.Fprintf(t, "%s\t%v\t%.1f %%\t  %s\n", s, a.Sum(s), 100*float64(a.Sum(s))/float64(a.Wall), longest.describe(in))
	}
	t.Flush()
}

// bySum are the kinds on which time was spent, the most first.
func (a *Account) bySum() []Spent {
	var kinds []Spent
	for s := range numSpent {
		if a.Sum(s) > 0 {
			kinds = append(kinds, s)
		}
	}
	slices.SortStableFunc(kinds, func(x, y Spent) int { return int(min(max(a.Sum(y)-a.Sum(x), -1), 1)) })
	return kinds
}

// describe says what the longest step of its kind was.
func (s Step) describe(in *schedule.Intent) string {
	name := func(op int32) string {
		if op == schedule.None {
			return "the end"
		}
		return in.Ops[op].Name
	}
	text := map[Spent]string{Working: "%s", Stretched: "%s, longer than alone", Issuing: "up to the call that issues %s",
		Starting: "%s", HandingOver: "before %s", Queued: "%s", Delayed: "%s", Syncing: "for %s", Returning: "after %s"}[s.Spent]
	text = fmt.Sprintf("longest %v: "+text, s.Dur(), name(s.Op))
	if s.With != schedule.None {
		text += map[Spent]string{Stretched: ", beside ", HandingOver: ", after ", Queued: ", for what is held by ",
			Delayed: ", until the start of ", Syncing: ", before issuing "}[s.Spent] + name(s.With)
	}
	return text
}

// late is the piece of time in which the guilty op could have run and did not, in host time; ok is false when none is
// known: of a cause in the account its longest step, otherwise from the end of what the op needs to its start.
func (m *Mode) late(in *schedule.Intent) (from, to time.Duration, ok bool) {
	if m.Account == nil || len(m.Verdict.Guilty) == 0 {
		return 0, 0, false
	}
	x := m.Verdict.Guilty[0]
	if m.Verdict.Took > 0 {
		var longest Step
		for _, s := range m.Account.Steps {
			if s.Op == x && s.Spent != Working && s.Dur() > longest.Dur() {
				longest = s
			}
		}
		return longest.From, longest.To, longest.Dur() > 0
	}
	spans := m.Reps[m.Account.Rep].Spans
	to = spans[x].Start
	from, _ = timeline.Extent(spans)
	for op, s := range spans {
		if s.End <= to && s.Clock == spans[x].Clock && implied(in, int32(op), x) {
			from = max(from, s.End)
		}
	}
	offset := m.Reps[m.Account.Rep].Clock.Offset
	return from - offset, to - offset, from < to
}

// measured is the timeline of the repetition that is accounted for, its guilty gap marked.
func (m *Mode) measured(in *schedule.Intent) timeline.Timeline {
	if m.Account == nil {
		return m.Timeline(0)
	}
	tl := m.Timeline(m.Account.Rep)
	from, to, ok := m.late(in)
	if !ok {
		return tl
	}
	rep := &m.Reps[m.Account.Rep]
	first, _ := timeline.Extent(rep.Spans)
	shift := rep.Clock.Offset - first
	text := m.Verdict.Detail
	if text == "" {
		text = string(m.Verdict.Cause)
	}
	tl.Marks = append(tl.Marks, timeline.Mark{From: max(from+shift, 0), To: max(to+shift, 0), Text: text})
	return tl
}

// graphDiff compares the captured graph with what the calls imply, and then with the case's graph: how it differs from
// the first that it is not equal to.
func (r *Result) graphDiff() (of, summary string, lines []string) {
	got := r.Replay.Setup.Graph
	if got == nil || r.Replay.Verdict.Cause != WrongGraph {
		return "", "", nil
	}
	want, of := graph.Implied(r.Replay.Program), "what the calls imply"
	lines = match.Diff(want, got)
	if golden, err := goldenGraph(r.Case); len(lines) == 0 && err == nil && golden != nil {
		want, of = golden, "the case's graph"
		lines = match.Diff(want, got)
	}
	return of, match.Summary(want, got), lines
}

func (r *Result) writeGraphDiff(w io.Writer) {
	of, summary, lines := r.graphDiff()
	if len(lines) == 0 {
		return
	}
	fmt.Fprintf(w, "\ngraph against %s: %s\n", of, summary)
	if len(lines) > maxEdges {
		lines = append(lines[:maxEdges], fmt.Sprintf("and %d more", len(lines)-maxEdges))
	}
	fmt.Fprintf(w, "  %s\n", strings.Join(lines, "\n  "))
}
