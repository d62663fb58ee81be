package schedule

// clocks answers "does a precede b" in constant time: each op knows, for every stream, how many of that stream's ops
// precede it. It needs ops × streams numbers.
type clocks struct {
	streams int32
	stream  []int32 // by op; None when it was not issued
	pos     []int32 // by op: 1 for the first of its stream
	seen    []int32 // by op and stream
}

func clocksOf(o *Order, n *net, byOp []int32) clocks {
	c := clocks{stream: make([]int32, len(byOp)), pos: make([]int32, len(byOp))}
	dense := map[int32]int32{} // streams that carry ops
	var count []int32
	for op := range byOp {
		c.stream[op] = None
	}
	for _, op := range o.Issue {
		s := n.instrs[byOp[op]].Stream
		d, ok := dense[s]
		if !ok {
			d = int32(len(dense))
			dense[s] = d
			count = append(count, 0)
		}
		count[d]++
		c.stream[op], c.pos[op] = d, count[d]
	}
	c.streams = int32(len(dense))
	c.seen = make([]int32, len(byOp)*len(dense))
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

func (c *clocks) row(op int32) []int32 {
	n := int(c.streams)
	return c.seen[int(op)*n : (int(op)+1)*n]
}

func (c *clocks) before(a, b int32) bool {
	if a == b || c.stream[a] == None || c.stream[b] == None {
		return false
	}
	return c.row(b)[c.stream[a]] >= c.pos[a]
}
