package hardware

import "time"

// contends says whether a work may have to wait for others that it does not depend on.
func (c *Chip) contends(w *Work) bool {
	switch w.Class {
	case Fork, Join:
		return false
	case Kernel, Gate:
		return c.sms != nil
	}
	return true
}

// units is what a kernel holds of the SMs.
func (c *Chip) units(w *Work) int64 {
	if w.Op == None || c.ops[w.Op].SMs == 0 {
		return 1
	}
	return int64(c.ops[w.Op].SMs) * c.spec.sms()
}

// rounds is how many times over a kernel fills the room that it holds.
func (c *Chip) rounds(w *Work) int64 {
	if w.Class != Kernel || w.Op == None {
		return 1
	}
	return int64(max(1, c.ops[w.Op].Waves))
}

// need is the bandwidth that a work needs, in per cent.
func (c *Chip) need(w *Work) int64 {
	if w.Class != Kernel || w.Op == None {
		return 0
	}
	return int64(c.ops[w.Op].Bandwidth)
}

func (c *Chip) start(id int32, at time.Duration) {
	w := &c.works[id]
	w.Ready = at
	switch {
	case w.Class == Gate:
		c.end(id, at+c.gates.start(id))
	case c.sms != nil && c.need(w) > 0: // without SMs to contend for, no op needs any
		w.end = never
		c.bandwidth.add(id, c.need(w), w.Dur, c.now)
		c.expect()
	default:
		c.end(id, at+w.Dur)
	}
	c.shift(w.Connection)
}

// end says when a work that has started is to end. What was said before no longer holds: it stays in the queue, but the
// work does not end then.
func (c *Chip) end(id int32, at time.Duration) {
	c.works[id].end = at
	c.queue.push(happening{at: at, phase: ends, work: id})
}

// expect says when the next of the kernels that share the bandwidth is to end, as things are.
func (c *Chip) expect() {
	id, left, before := c.bandwidth.first()
	if id == None {
		return
	}
	if before != None && before != id {
		c.works[before].end = never
	}
	if at := c.now + left; at != c.works[id].end {
		c.end(id, at)
	}
}

// shift takes a work that starts from its connection: it is the head. The next may be ready already.
func (c *Chip) shift(connection uint8) {
	if connection == 0 {
		return
	}
	if next := c.connections[connection-1].shift(); next != None && c.works[next].arrived {
		c.enter(next)
	}
}

// enter lets a work wait for what serves it.
func (c *Chip) enter(id int32) {
	w := &c.works[id]
	ready := happening{at: c.now, work: id}
	if int(w.Class) < numLines {
		c.lines[w.Class].waiting.push(ready)
	} else {
		c.sms.enter(ready, w.Priority)
	}
	c.owed = true
}

// offer puts a work that is ready where it is served, when its turn has come.
func (c *Chip) offer(id int32) {
	w := &c.works[id]
	w.arrived = true
	if w.Connection == 0 || c.connections[w.Connection-1].isHead(id) {
		c.enter(id)
	}
}
