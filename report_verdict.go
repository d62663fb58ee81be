package overlap

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/graph/match"
	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/verdict"
)

// writeVerdict says what was found, what it costs, what shows it and what would mend it.
func (r *Result) writeVerdict(w io.Writer) {
	if eager, replay := r.Eager.Verdict, r.Replay.Verdict; eager == nil || replay == nil || eager.String() != replay.String() {
		fmt.Fprintf(w, "eager: %s\nreplay: %s\n", r.Eager.said(), r.Replay.said())
	}
	v := r.Verdict
	fmt.Fprintf(w, "verdict: %s\n", v.At())
	if !v.Met() && len(r.Failures) == 0 {
		fmt.Fprintf(w, "expected: the case wants that\n")
	}
	switch {
	case v.Saves > 0:
		fmt.Fprintf(w, "costs: %v of %v as scheduled\n", v.Saves, r.Nominal.Scheduled)
	case v.Took > 0 && r.guilty().Account != nil:
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

// writeAccount says where the wall time of a mode went, what took most first.
func (m *Mode) writeAccount(w io.Writer, in *schedule.Intent) {
	a := m.Account
	if a == nil || a.Wall == 0 {
		return
	}
	fmt.Fprintf(w, "\naccount of %s, repetition %d of %d, %v along what waited for what:\n", m.Name, a.Rep+1, len(m.Reps), a.Wall)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, s := range a.BySum() {
		longest, _ := a.Longest(s)
		fmt.Fprintf(t, "%s\t%v\t%.1f %%\t  %s\n", s, a.Sum(s), 100*float64(a.Sum(s))/float64(a.Wall), longest.Describe(in))
	}
	t.Flush()
}

// graphDiff compares the captured graph with what the calls imply, and then with the case's graph: how it differs from
// the first that it is not equal to.
func (r *Result) graphDiff() (of, summary string, lines []string) {
	got := r.captured()
	if got == nil || !r.Replay.is(verdict.WrongGraph) {
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
