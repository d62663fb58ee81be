package hardware

import "time"

// handOff is the time from the end of a to the earliest start of b.
func (c *Chip) handOff(a, b int32) time.Duration {
	from, to := &c.works[a], &c.works[b]
	if to.Class == Join || from.Class == Fork {
		return 0
	}
	gap, inGraph := c.spec.CrossStream, from.Launch != None && from.Launch == to.Launch
	switch {
	case inGraph:
		gap = c.spec.GraphEdge
	case from.Stream == to.Stream && to.Waited:
		gap = c.spec.SameStream + c.spec.Waited
	case from.Stream == to.Stream:
		gap = c.spec.SameStream
	}
	if c.crowded && !inGraph {
		gap += c.spec.ThirdStream
	}
	if to.Class == HostFunc && from.Class != HostFunc {
		gap += c.spec.HostStart
	}
	return gap
}

// skew is from the start of a node of a graph to that of the next which waits for the same node, or which is a root
// too.
func (c *Chip) skew(from *Work) time.Duration {
	switch {
	case from.Launch == None:
		return 0
	case from.Class == Fork:
		return c.spec.GraphRoot
	}
	return c.spec.GraphFork
}

// rivals is how many nodes start after another that waits for the same work.
func (c *Chip) rivals(w *Work) int {
	n := -1
	for i := w.out; i != None; i = c.edges[i].next {
		if c.works[c.edges[i].to].Class != Join {
			n++
		}
	}
	return max(n, 0)
}
