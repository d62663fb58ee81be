package conform

import (
	"fmt"
	"slices"

	"github.com/gpu-overlap/overlap/gpu"
	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/schedule/text"
)

// Compare holds what two devices showed of a program against each other: a line for each call that they disagree on.
// How soon something ends is left to a device: whether a query gives 0 or 600 counts as equal.
func Compare(p *schedule.Program, a, b *Seen) (differ []string) {
	if len(a.Codes) != len(p.Body) || len(b.Codes) != len(p.Body) {
		return []string{fmt.Sprintf("%d and %d codes of %d calls", len(a.Codes), len(b.Codes), len(p.Body))}
	}
	for i, in := range p.Body {
		say := func(format string, args ...any) {
			differ = append(differ, fmt.Sprintf("call %d, %s: ", i, text.Describe(p, in))+fmt.Sprintf(format, args...))
		}
		asks := in.Verb == schedule.QueryStream || in.Verb == schedule.QueryEvent
		if asks && finished(a.Codes[i]) && finished(b.Codes[i]) {
			continue
		}
		if a.Codes[i] != b.Codes[i] {
			say("%s, and %s", a.Codes[i], b.Codes[i])
			continue
		}
		if a.Statuses != nil && b.Statuses != nil && !slices.Equal(a.Statuses[i], b.Statuses[i]) {
			say("then %s, and %s", statuses(p, a.Statuses[i]), statuses(p, b.Statuses[i]))
		}
		if a.Graphs != nil && b.Graphs != nil && !sameGraph(a.Graphs[i], b.Graphs[i]) {
			say("%s, and %s", describe(a.Graphs[i]), describe(b.Graphs[i]))
		}
	}
	return differ
}

// finished says of the code of a query whether it tells only how far the work is.
func finished(c schedule.Code) bool { return c == schedule.Success || c == schedule.NotReady }

// sameGraph compares node for node and edge for edge. The order of the edges is left to a device.
func sameGraph(a, b *graph.Graph) bool {
	if a == nil || b == nil {
		return a == b
	}
	kinds := func(g *graph.Graph) (list []graph.Kind) {
		for _, n := range g.Nodes {
			list = append(list, n.Kind)
		}
		return list
	}
	return slices.Equal(kinds(a), kinds(b)) && slices.Equal(sorted(a.Edges), sorted(b.Edges))
}

func sorted(edges []graph.Edge) []graph.Edge {
	list := slices.Clone(edges)
	slices.SortFunc(list, func(a, b graph.Edge) int {
		if a.From != b.From {
			return int(a.From - b.From)
		}
		return int(a.To - b.To)
	})
	return list
}

func describe(g *graph.Graph) string {
	if g == nil {
		return "no graph"
	}
	text := "nodes"
	for _, n := range g.Nodes {
		text += fmt.Sprintf(" %s", n.Kind)
	}
	text += ", edges"
	for _, e := range sorted(g.Edges) {
		text += fmt.Sprintf(" %d>%d", e.From, e.To)
	}
	return text
}

func statuses(p *schedule.Program, list []gpu.Status) string {
	if list == nil {
		return "no statuses"
	}
	text := "statuses"
	for i, s := range list {
		name := fmt.Sprint(i)
		if i < len(p.Streams) {
			name = p.Streams[i].Name
		}
		switch {
		case s.Absent:
			text += fmt.Sprintf(" %s absent", name)
		case s.Code != schedule.Success:
			text += fmt.Sprintf(" %s code %d", name, s.Code)
		default:
			text += fmt.Sprintf(" %s %d", name, s.Value)
		}
	}
	return text
}
