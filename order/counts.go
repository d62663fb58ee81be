package order

import "github.com/gpu-overlap/overlap/schedule"

// counts answers "does a precede b" in constant time: each op knows, for every stream, how many of that stream's ops
// precede it. It needs ops × streams numbers.
type counts struct {
	streams int32
	stream  []int32 // by op; None when it was not issued
	pos     []int32 // by op: 1 for the first of its stream
	seen    []int32 // by op and stream
}

func countsOf(o *Order, n *net, byOp []int32, streams int) counts {
	c := counts{stream: nones(len(byOp)), pos: make([]int32, len(byOp))}
	dense := nones(streams) // numbers those that carry ops
	var count []int32
	for _, op := range o.Issue {
		s := n.instrs[byOp[op]].Stream.Index()
		if dense[s] == schedule.None {
			dense[s] = int32(len(count))
			count = append(count, 0)
		}
		d := dense[s]
		count[d]++
		c.stream[op], c.pos[op] = d, count[d]
	}
	c.streams = int32(len(count))
	c.seen = make([]int32, len(byOp)*len(count))
	for _, op := range o.Issue {
		row := c.row(op)
		for _, p := range o.Preds(op) {
			for s, k := range c.row(p) {
				row[s] = max(row[s], k)
			}
			row[c.stream[p]] = max(row[c.stream[p]], c.pos[p])
		}
	}
	return c
}

func (c *counts) row(op int32) []int32 {
	n := int(c.streams)
	return c.seen[int(op)*n : (int(op)+1)*n]
}

func (c *counts) before(a, b int32) bool {
	if a == b || a < 0 || b < 0 || int(a) >= len(c.stream) || int(b) >= len(c.stream) || c.stream[a] == schedule.None ||
		c.stream[b] == schedule.None {
		return false
	}
	return c.row(b)[c.stream[a]] >= c.pos[a]
}
