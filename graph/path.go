package graph

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"time"
)

// CycleError is why a graph has no width and no critical path: these nodes wait for one another, each for the one
// before, the first for the last. The driver would not instantiate it.
type CycleError struct{ Nodes []int32 }

func (e *CycleError) Error() string {
	const most = 8
	if len(e.Nodes) == 0 {
		return "nodes wait for one another in a circle; want none that do"
	}
	var b strings.Builder
	for i, v := range e.Nodes {
		if i == most {
			b.WriteString("… -> ")
			break
		}
		fmt.Fprintf(&b, "%d -> ", v)
	}
	return fmt.Sprintf("nodes wait for one another in a circle: %s%d; want none that do", b.String(), e.Nodes[0])
}

// ErrTooLong is why a makespan cannot be given in nanoseconds.
var ErrTooLong = errors.New("the durations along a path add up to more than 292 years")

// CriticalPath is how long the graph takes when every node starts as soon as the nodes before it have ended, and
// nothing else is short; and one path that takes so long, from a root to a sink. durations has one of each node.
// Programmatic edges count as full completion. The path is nil for a graph without nodes.
func CriticalPath(g *Graph, durations []time.Duration) (time.Duration, []int32, error) {
	if err := g.Validate(); err != nil {
		return 0, nil, err
	}
	if len(durations) != len(g.Nodes) {
		return 0, nil, fmt.Errorf("%d durations, want one for each of %d nodes", len(durations), len(g.Nodes))
	}
	out, in := g.Successors(), g.Predecessors()
	order, err := acyclic(out, in)
	if err != nil {
		return 0, nil, err
	}
	end := make([]time.Duration, len(g.Nodes))
	via := make([]int32, len(g.Nodes)) // the node that one waits for longest
	last := int32(-1)
	for _, v := range order {
		via[v] = -1
		var start time.Duration
		for _, a := range in.Of(v) {
			if via[v] < 0 || end[a.Node] > start {
				start, via[v] = end[a.Node], a.Node
			}
		}
		if durations[v] < 0 || start > math.MaxInt64-durations[v] {
			return 0, nil, ErrTooLong
		}
		end[v] = start + durations[v]
		if last < 0 || end[v] > end[last] {
			last = v
		}
	}
	var path []int32
	for v := last; v >= 0; v = via[v] {
		path = append(path, v)
	}
	for i, j := 0, len(path)-1; i < j; i, j = i+1, j-1 {
		path[i], path[j] = path[j], path[i]
	}
	if last < 0 {
		return 0, nil, nil
	}
	return end[last], path, nil
}

// acyclic is a topological order of all nodes, or the error that names a cycle.
func acyclic(out, in *Adjacency) ([]int32, error) {
	order := Topological(out, in)
	n := len(out.Start) - 1
	if len(order) == n {
		return order, nil
	}
	free := make([]bool, n)
	for _, v := range order {
		free[v] = true
	}
	at := int32(0)
	for free[at] {
		at++
	}
	seen := map[int32]int{}
	var back []int32 // each node waits for the next, which is not free either
	for {
		if first, ok := seen[at]; ok {
			back = back[first:]
			break
		}
		seen[at] = len(back)
		back = append(back, at)
		for _, a := range in.Of(at) {
			if !free[a.Node] {
				at = a.Node
				break
			}
		}
	}
	for i, j := 0, len(back)-1; i < j; i, j = i+1, j-1 {
		back[i], back[j] = back[j], back[i]
	}
	return nil, &CycleError{back}
}
