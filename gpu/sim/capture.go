package sim

import (
	"slices"

	"github.com/gpu-overlap/overlap/gpu/sim/hardware"
	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/schedule"
)

// node appends a node and gives the dependencies that the stream's next node has.
func (c *capture) node(class hardware.Class, op int32, deps []int32) []int32 {
	c.nodes = append(c.nodes, node{class: class, op: op, deps: deps})
	return c.sets.single(int32(len(c.nodes) - 1))
}

// appendOp is node for an op with a priority, or behind an edge that does not wait for the end.
func (c *capture) appendOp(s *stream, class hardware.Class, op int32) schedule.Code {
	n := node{class: class, op: op}
	if class == hardware.Kernel {
		n.priority = s.priority
	}
	return c.append(s, n)
}

// append gives a captured stream a node that is more than an op. An edge may be programmatic whatever node it leads to.
func (c *capture) append(s *stream, n node) schedule.Code {
	if s.data != nil {
		n.extended().data = s.data
	}
	n.deps = s.deps
	c.nodes = append(c.nodes, n)
	s.deps, s.data = c.sets.single(int32(len(c.nodes)-1)), nil
	return schedule.Success
}

// event appends an event node.
func (c *capture) event(s *stream, kind graph.Kind, ev int32) schedule.Code {
	if c.lost {
		return schedule.CaptureInvalidated
	}
	return c.append(s, eventNode(kind, ev))
}

// afterTrigger makes the edges from kernels programmatic.
func (c *capture) afterTrigger(s *stream) []edgeData {
	if len(s.deps) == 0 {
		return nil
	}
	data := make([]edgeData, len(s.deps))
	copy(data, s.data)
	for k, d := range s.deps {
		if n := &c.nodes[d]; n.class == hardware.Kernel && n.kind() == 0 {
			data[k] = edgeData{kind: programmaticEdge, port: triggerPort}
		}
	}
	return data
}

// joined says whether every leaf, a node on which none depends, is among the origin's dependencies. Nodes that were
// there before the capture, or were dropped, need not be.
func (c *capture) joined(tips []int32, data []edgeData) bool {
	covered := make([]bool, len(c.nodes))
	for i := range c.nodes {
		n := &c.nodes[i]
		covered[i] = covered[i] || n.gone()
		for k, d := range n.deps {
			covered[d] = covered[d] || n.extra == nil || n.data(k).joins()
		}
	}
	for k, d := range tips {
		covered[d] = covered[d] || data == nil || data[k].joins()
	}
	for _, d := range c.excused {
		covered[d] = true
	}
	return !slices.Contains(covered[c.first:], false)
}

// joinedData is the edge data of a union: a's, of which there were own, then that of what b added. Of two edges from
// one node the one that waits for its end counts.
func joinedData(deps []int32, own int, a []edgeData, b []int32, data []edgeData) []edgeData {
	if a == nil && data == nil {
		return nil
	}
	out := make([]edgeData, len(deps))
	copy(out[:own], a)
	for i := range deps {
		at := slices.Index(b, deps[i])
		switch {
		case at < 0:
		case data == nil || data[at].full():
			out[i] = edgeData{}
		case i >= own:
			out[i] = data[at]
		}
	}
	return out
}
