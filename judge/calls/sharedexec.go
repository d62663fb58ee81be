package calls

import (
	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/verdict"
)

// SharedExec finds a graph that is launched on two streams without the host waiting in between. However the streams are
// ordered, launches of one instantiated graph never run at once.
func SharedExec(v *View) []verdict.Finding {
	if v == nil || !v.made {
		return nil
	}
	p := v.Given
	last := nones(len(p.Graphs)) // the stream of the latest launch
	for _, in := range p.Body {
		switch {
		case in.Verb.Blocks():
			last = nones(len(p.Graphs))
		case in.Verb == schedule.Replay && in.Graph.Within(len(last)):
			if s := last[in.Graph.Index()]; s != schedule.None && !in.Stream.Is(s) {
				f := verdict.Found(verdict.SharedExec, p.Where(in),
					"%s is launched on %s and on %s, and never runs beside itself",
					p.Graphs[in.Graph.Index()], p.Streams[s].Name, p.Streams[in.Stream.Index()].Name)
				f.Change = "instantiate the graph once for each stream"
				return one(f)
			}
			last[in.Graph.Index()] = in.Stream.Index()
		}
	}
	return nil
}
