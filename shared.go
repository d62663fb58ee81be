package overlap

import "github.com/gpu-overlap/overlap/schedule"

// sharedExec finds a graph that is launched on two streams without the host waiting in between. However the streams are
// ordered, launches of one instantiated graph never run at once.
func (j *judgement) sharedExec() Verdict {
	p := j.Program
	last := make([]int32, len(p.Graphs)) // the stream of the latest launch
	for g := range last {
		last[g] = schedule.None
	}
	for _, in := range p.Body {
		switch {
		case in.Verb.Blocks():
			for g := range last {
				last[g] = schedule.None
			}
		case in.Verb == schedule.Replay:
			if s := last[in.Graph.Index()]; s != schedule.None && s != in.Stream.Index() {
				v := fail(SharedExec, p.Where(in), "%s is launched on %s and on %s, and never runs beside itself", p.Graphs[in.Graph.Index()],
					p.Streams[s].Name, p.Streams[in.Stream.Index()].Name)
				v.Change = "instantiate the graph once for each stream"
				return v
			}
			last[in.Graph.Index()] = in.Stream.Index()
		}
	}
	return met
}
