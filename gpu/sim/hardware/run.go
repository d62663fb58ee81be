package hardware

import (
	"time"

	"github.com/gpu-overlap/overlap/timeline"
)

// advance lets the next thing happen; false when nothing is left.
func (c *Chip) advance() bool {
	if len(c.queue) == 0 {
		return false
	}
	h := c.queue.pop()
	w := &c.works[h.work]
	var g *grid
	if c.sms != nil && len(c.sms.grids) > 0 {
		g = c.sms.grid(h.work)
	}
	if g == nil && h.phase == ends && (w.done || w.end != h.at) {
		return true // it ends, or has ended, at another time
	}
	c.now = max(c.now, h.at)
	switch {
	case h.phase == becomesReady:
		c.offer(h.work)
	case g == nil || c.retire(g):
		c.finish(h.work)
	}
	c.serve()
	return true
}

func (c *Chip) finish(id int32) {
	w := &c.works[id]
	w.done = true
	if w.Connection > 0 {
		c.connections[w.Connection-1].live--
	}
	c.last = max(c.last, w.end)
	if w.Op != None {
		c.spans[w.Op] = timeline.Span{Start: w.Ready, End: w.end, Ran: true}
	}
	if w.Class == HostFunc && w.Op != None {
		c.spans[w.Op].Clock = timeline.HostClock
	}
	c.release(id)
	late, skew := w.end, c.skew(w)
	if skew > 0 {
		late += skew * time.Duration(c.rivals(w))
	}
	for i := w.out; i != None; i = c.edges[i].next { // the latest first
		to := c.edges[i].to
		next := &c.works[to]
		if next.Class == Join {
			next.Ready = max(next.Ready, w.end)
		} else {
			next.Ready = max(next.Ready, late+c.handOff(id, to))
			late = max(w.end, late-skew)
		}
		next.waiting--
		c.Issue(to)
	}
}
