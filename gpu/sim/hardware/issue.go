package hardware

// Add appends a work. What it waits for follows, by After, and then Issue.
func (c *Chip) Add(w Work) int32 {
	w.out = None
	c.works = append(c.works, w)
	id := int32(len(c.works) - 1)
	if w.Connection > 0 {
		q := &c.connections[w.Connection-1]
		q.items = append(q.items, id)
		q.live++
	}
	return id
}

// After lets a work start only after each of others has ended.
func (c *Chip) After(id int32, others []int32) {
	for _, b := range others {
		w := &c.works[b]
		if w.done {
			c.works[id].Ready = max(c.works[id].Ready, w.end+c.handOff(b, id))
			continue
		}
		c.edges = append(c.edges, edge{to: id, next: w.out})
		w.out = int32(len(c.edges) - 1)
		c.works[id].waiting++
	}
}

// Issue hands a work to the device, once nothing is left that it waits for. What never contends starts when it is
// ready, without more ado.
func (c *Chip) Issue(id int32) {
	w := &c.works[id]
	switch {
	case w.waiting > 0:
	case c.contends(w):
		c.queue.push(happening{at: w.Ready, phase: becomesReady, work: id})
	default:
		c.start(id, w.Ready)
	}
}
