package overlap

import (
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/gpu-overlap/overlap/bound"
	"github.com/gpu-overlap/overlap/gpu"
	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/judge"
	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/timeline"
)

// Headline names the device in one line, and says when it is simulated.
func Headline(i gpu.Info) string {
	if i.Simulated {
		return fmt.Sprintf("device %s, machine %s (simulated)", i.Device, i.Name)
	}
	return fmt.Sprintf("device %s, %s, driver %s", i.Device, i.Name, i.Driver)
}

// Report is a result as text. What is not as it should be comes first: the verdict, and where the time went; then the
// reference's three lines, the times, the lanes and the graph. Of a result that Run did not make it says what there is.
func Report(r *Result) string {
	r = r.whole()
	var b strings.Builder
	bad := !r.Verdict.Met() || len(r.Failures) > 0
	for _, f := range r.Environment {
		fmt.Fprintln(&b, f)
	}
	if bad {
		r.writeVerdict(&b)
		r.guilty().writeAccount(&b, &r.Case.Schedule.Intent)
		r.writeGraphDiff(&b)
		fmt.Fprintln(&b)
	}
	r.takes(&b)
	r.times(&b)
	if bad {
		fmt.Fprintf(&b, "\nexpected (as early as the calls allow):\n%s", r.scheduledLanes())
		fmt.Fprintf(&b, "\nmeasured:\n")
	} else {
		fmt.Fprintln(&b)
	}
	for _, m := range r.judged() {
		fmt.Fprintln(&b, m.Name)
		timeline.WriteText(&b, m.measured(&r.Case.Schedule.Intent), laneWidth) // a strings.Builder does not fail
	}
	if g := r.captured(); g != nil {
		fmt.Fprintf(&b, "\ngraph: %d nodes, %d edges: %s\n", len(g.Nodes), len(g.Edges), edgeList(g))
	}
	if !bad {
		fmt.Fprintln(&b)
		r.writeVerdict(&b)
	}
	return b.String()
}

// takes prints the reference's lines.
func (r *Result) takes(b *strings.Builder) {
	for _, m := range r.modes() {
		if len(m.Reps) == 0 {
			fmt.Fprintf(b, "%s did not run\n", schedule.RangeName(m.Name))
			continue
		}
		fmt.Fprintf(b, "%s takes: %s\n", schedule.RangeName(m.Name), seconds(m.Wall(r.Info.Simulated).Median))
	}
}

// seconds prints as the reference does, with more digits where milliseconds would hide the value.
func seconds(d time.Duration) string {
	if d >= 50*time.Millisecond {
		return fmt.Sprintf("%.3f sec", d.Seconds())
	}
	return fmt.Sprintf("%.7f sec", d.Seconds())
}

func (r *Result) times(b *strings.Builder) {
	t := r.Times
	fmt.Fprintln(b)
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "serial\t%v\tthe ops one after the other\n", t.Serial)
	fmt.Fprintf(w, "ideal\t%v\tno schedule can beat it: %s\n", t.Ideal, bound.Of(&r.Case.Schedule.Intent, r.Solo).Describe(&r.Case.Schedule.Intent))
	if t.Optimal > 0 {
		fmt.Fprintf(w, "optimal\t%v\tthe best schedule\n", t.Optimal)
	}
	fmt.Fprintf(w, "scheduled\t%v\tas early as the calls allow\n", t.Scheduled)
	for _, m := range r.modes() {
		if len(m.Reps) == 0 {
			continue
		}
		wall := m.Wall(r.Info.Simulated)
		fmt.Fprintf(w, "%s\t%v\t", m.Name, wall)
		if m.Name != schedule.GiantName {
			if a, ok := t.Achieved(wall.Median); ok {
				fmt.Fprintf(w, "achieved %.1f %% of the possible gain; ", 100*a)
				if a > 1.01 {
					fmt.Fprint(w, "less than any sound schedule needs; ")
				}
			}
			fmt.Fprintf(w, "at most %v; ", m.Limit)
		}
		fmt.Fprintf(w, "device span %v, issued in %v\n", m.Span(r.Info.Simulated).Median, m.Issue(r.Info.Simulated).Median)
	}
	w.Flush()
	r.hidden(b)
}

// hidden prints both numbers of each share.
func (r *Result) hidden(b *strings.Builder) {
	for _, h := range r.Case.Expect.Hides {
		for _, m := range r.judged() {
			part, all := judge.HiddenShare(&r.Case.Schedule.Intent, m.Reps[0].Spans, h)
			fmt.Fprintf(b, "%s hides %v of %v of %s (%.1f %%)\n", m.Name, part, all, h.What, 100*float64(part)/float64(max(all, 1)))
		}
	}
}

// notes are those of the mode that the verdict is of, or of the other when it has none.
func (r *Result) notes() []string {
	for _, m := range []*Mode{r.guilty(), &r.Eager, &r.Replay} {
		if m.Verdict != nil && len(m.Verdict.Notes) > 0 {
			return m.Verdict.Notes
		}
	}
	return nil
}

// scheduledLanes draws the scheduled timeline.
func (r *Result) scheduledLanes() string {
	var b strings.Builder
	timeline.WriteText(&b, r.scheduled(), laneWidth) // a strings.Builder does not fail
	return b.String()
}

// maxEdges is how many edges a report spells out.
const maxEdges = 64

func edgeList(g *graph.Graph) string {
	var parts []string
	for i, e := range g.Edges {
		if i == maxEdges {
			parts = append(parts, fmt.Sprintf("and %d more", len(g.Edges)-i))
			break
		}
		parts = append(parts, g.Nodes[e.From].Name+">"+g.Nodes[e.To].Name)
	}
	return strings.Join(parts, " ")
}
