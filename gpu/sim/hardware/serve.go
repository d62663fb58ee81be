package hardware

// serve hands out what is free to what is ready, until nothing more starts: what starts may let another work of its
// connection have its turn.
func (c *Chip) serve() {
	for c.owed {
		c.owed = false
		for i := range c.lines {
			if id := c.lines[i].next(); id != None {
				c.start(id, c.now)
			}
		}
		if c.sms != nil {
			c.place()
		}
	}
}

// place lets kernels start as long as the next one fits.
func (c *Chip) place() {
	for {
		l := c.sms.next()
		if l == nil {
			return
		}
		id := (*l)[0].work
		w := &c.works[id]
		if c.rounds(w) > 1 {
			if !c.placeBlocks(l, id) {
				return
			}
			continue
		}
		units := c.units(w)
		if units > c.sms.free || c.sms.full(c.spec.Grids) {
			return
		}
		l.pop()
		c.sms.free -= units
		c.sms.running++
		c.start(id, c.now)
	}
}

// placeBlocks places what fits of the kernel of several waves that is the first of l; false when nothing does.
func (c *Chip) placeBlocks(l *heap, id int32) bool {
	w, g := &c.works[id], c.sms.grid(id)
	if c.sms.free == 0 {
		return false
	}
	first := g == nil
	if first {
		g = c.sms.begin(id, c.units(w)*c.rounds(w))
		w.Ready, w.end = c.now, never
	}
	c.sms.free -= g.place(c.sms.free)
	c.queue.push(happening{at: c.now + w.Dur, phase: ends, work: id})
	if g.left == 0 {
		l.pop()
	}
	if first {
		c.shift(w.Connection)
	}
	return true
}

// retire frees what the blocks of a kernel held that end now; true when they were the last.
func (c *Chip) retire(g *grid) bool {
	c.sms.free += g.retire()
	c.owed = true
	if !g.through() {
		return false
	}
	c.works[g.work].end = c.now
	c.sms.end(g.work)
	return true
}

// release gives back what a work held.
func (c *Chip) release(id int32) {
	w := &c.works[id]
	switch {
	case !c.contends(w):
		return
	case int(w.Class) < numLines:
		c.lines[w.Class].busy = false
	default:
		if c.rounds(w) == 1 {
			c.sms.free += c.units(w)
		}
		c.sms.running--
		if need := c.need(w); need > 0 {
			c.bandwidth.remove(need, c.now)
			c.expect()
		}
	}
	c.owed = true
}
