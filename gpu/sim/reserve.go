package sim

import (
	"slices"

	"github.com/gpu-overlap/overlap/schedule"
)

// reserve makes room for the works of a repetition, as far as the Body tells how many there are: what grows otherwise is
// copied again and again. A repetition that needs more takes more, and the next one uses it again.
func (h *host) reserve() {
	works, edges := 0, 0
	for i := range h.p.Body {
		switch in := &h.p.Body[i]; in.Verb {
		case schedule.Launch, schedule.HostFunc, schedule.Copy, schedule.Gate:
			works, edges = works+1, edges+1
		case schedule.Wait:
			edges++
		case schedule.Replay:
			if x := h.execs[in.Graph.Index()]; x != nil {
				works += len(x.nodes) + 3 // two forks and a join
				edges += x.edges
			}
		}
	}
	h.works.reserve(works)
	h.engine.reserve(works, edges)
}

func (e *engine) reserve(works, edges int) {
	e.works = slices.Grow(e.works[:0], works)
	e.edges = slices.Grow(e.edges[:0], edges)
}

// nodesPerCapture guesses how many nodes each of several captures has: all ops that are issued, in equal parts.
func nodesPerCapture(setup []schedule.Instr) int {
	ops, captures := 0, 0
	for i := range setup {
		switch setup[i].Verb {
		case schedule.Launch, schedule.HostFunc, schedule.Copy:
			ops++
		case schedule.BeginCapture:
			captures++
		}
	}
	return ops / max(1, captures)
}
