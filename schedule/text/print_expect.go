package text

import (
	"fmt"
	"strings"

	"github.com/gpu-overlap/overlap/verdict"
)

// Expect prints expectations as the section expect, without those that are defaults.
func Expect(e *verdict.Expect) string {
	if e == nil {
		return ""
	}
	var b strings.Builder
	line := func(given bool, format string, args ...any) {
		if given {
			fmt.Fprintf(&b, format+"\n", args...)
		}
	}
	line(e.Serial > 0, "serial %s", FormatDuration(e.Serial))
	line(e.Giant > 0, "giant %s", FormatDuration(e.Giant))
	line(e.Ideal > 0, "ideal %s", FormatDuration(e.Ideal))
	line(e.Optimal > 0, "optimal %s", FormatDuration(e.Optimal))
	line(e.Scheduled > 0, "scheduled %s", FormatDuration(e.Scheduled))
	line(e.Eager.Given(), "eager %s", e.Eager)
	line(e.Replay.Given(), "replay %s", e.Replay)
	for _, h := range e.Hides {
		under := ""
		if h.Under != "" {
			under = " under " + h.Under
		}
		line(true, "hides %s %s%s", h.What, verdict.Percent(h.Percent), under)
	}
	if e.Beats.Given {
		by := ""
		if e.Beats.Percent > 0 {
			by = " by " + verdict.Percent(e.Beats.Percent)
		}
		line(true, "beats giant%s", by)
	}
	line(e.Graph.Given, "graph %d nodes %d edges", e.Graph.Nodes, e.Graph.Edges)
	line(e.Verdict.Cause != verdict.Met, "verdict %s", e.Verdict)
	line(e.EagerVerdict != nil, "eager verdict %s", e.EagerVerdict)
	line(e.ReplayVerdict != nil, "replay verdict %s", e.ReplayVerdict)
	return b.String()
}
