package hardware

import "time"

// Finished lets time pass until now and says whether all of ids have ended.
func (c *Chip) Finished(ids []int32, now time.Duration) bool {
	for len(c.queue) > 0 && c.queue[0].at <= now {
		c.advance()
	}
	for _, id := range ids {
		if !c.works[id].done {
			return false
		}
	}
	return true
}

// Wait lets time pass until all of ids have ended and gives the latest end; 0 for no ids.
func (c *Chip) Wait(ids []int32) time.Duration {
	var last time.Duration
	for _, id := range ids {
		for !c.works[id].done && c.advance() {
		}
		last = max(last, c.works[id].end)
	}
	return last
}

// Drain lets time pass until the device is idle and gives the last end; 0 when it never worked.
func (c *Chip) Drain() time.Duration {
	for c.advance() {
	}
	return c.last
}

// pass lets what happens before now happen, and what ends now: that comes before whatever a call at this instant does.
func (c *Chip) pass(now time.Duration) {
	for len(c.queue) > 0 && (c.queue[0].at < now || c.queue[0].at == now && c.queue[0].phase == ends) {
		c.advance()
	}
}

// OpenGates ends the gates that run and those that are to come in this repetition: the store stays. It reaches the
// device at once (L24).
func (c *Chip) OpenGates(now time.Duration) {
	c.pass(now)
	for _, id := range c.gates.opened() {
		if w := &c.works[id]; !w.done {
			c.end(id, max(w.Ready, now))
		}
	}
}

// Connect gives the connection for the work that is added next, which is of the stream, counted from 1; 0 when each
// stream has one of its own.
//
// A stream has no connection for good (L2): with nothing under way it takes, for its next work, the one in which the
// fewest works wait for their turn. Measured: 8 connections and 16 streams with two kernels each make 8 pairs; of 65
// streams of which only the first has a kernel that waits, none is behind it.
func (c *Chip) Connect(stream int32, now time.Duration) uint8 {
	n := c.choose(stream, now)
	if n > 0 {
		c.ports[stream].latest = int32(len(c.works))
	}
	return n
}

func (c *Chip) choose(stream int32, now time.Duration) uint8 {
	if len(c.connections) == 0 {
		return 0
	}
	c.pass(now)
	p := &c.ports[stream]
	if p.latest == None || c.works[p.latest].done {
		p.connection = emptiest(c.connections, c.works)
	}
	return p.connection
}

// Connection is the one that a stream had when it was last asked for; 0 for one of its own, or when it was not.
func (c *Chip) Connection(stream int32) uint8 { return c.ports[stream].connection }

// UnderWay are the works that have not ended in the connection that a stream's next work takes, in their order; false
// when each stream has one of its own.
func (c *Chip) UnderWay(stream int32, now time.Duration) (ids []int32, shared bool) {
	n := c.choose(stream, now)
	if n == 0 {
		return nil, false
	}
	for _, id := range c.connections[n-1].items {
		if !c.works[id].done {
			ids = append(ids, id)
		}
	}
	return ids, true
}
