package sim

import (
	"time"

	"github.com/gpu-overlap/overlap/schedule"
)

// The number of hardware queues that a driver makes, at most and when nothing says how many (documented).
const maxConnections, defaultConnections = 32, 8

// connection is a hardware queue between host and device: what streams that share it issue directly (kernels, gates and
// copies) goes to the device in the order of issue. An item whose turn has not come holds back all behind it, whatever
// their streams, until it has started: until what it waits for has ended and it was handed to the SMs or to a copy
// engine. A graph launch and a host function need no connection (measured: 128 nodes run at once with one connection).
//
// A stream has no connection for good: with nothing under way it takes, for its next work, the one in which the fewest works
// wait for their turn. Measured: 8 connections and 16 streams with two kernels each make 8 pairs; of 65 streams of which only
// the first has a kernel that waits, none is behind it.
type connection struct {
	items []int32
	head  int
	live  int // items that have not ended
}

// newConnections is empty when each stream has a connection of its own.
func newConnections(p *schedule.Program, m *Machine) []connection {
	n := min(max(0, m.Connections), maxConnections)
	if n == 0 || issuers(p) <= n {
		return nil
	}
	return make([]connection, n)
}

// issuers is how many streams may issue something in the Body that needs a connection.
func issuers(p *schedule.Program) (n int) {
	seen := make([]bool, len(p.Streams))
	for i := range p.Body {
		switch in := &p.Body[i]; in.Verb {
		case schedule.Launch, schedule.Copy, schedule.Gate, schedule.LaunchWith, schedule.Burst, schedule.Invoke:
			if in.Stream.Index() < 0 || in.Thread > 0 && p.Streams[in.Stream.Index()].Kind == schedule.PerThread {
				n++
			} else if !seen[in.Stream.Index()] {
				seen[in.Stream.Index()] = true
				n++
			}
		}
	}
	return n
}

// connect gives the connection for a stream's next work, counted from 1; 0 when there is one for each stream.
func (h *host) connect(s *stream) uint8 {
	e := &h.engine
	if len(e.connections) == 0 {
		return 0
	}
	e.pass(h.now)
	if s.latest == schedule.None || e.works[s.latest].done {
		s.connection = e.emptiest()
	}
	s.latest = int32(len(e.works)) // the work that is added next
	return s.connection
}

// pass lets what happened before now happen, and what ends now: that comes before whatever a call at this instant does.
func (e *engine) pass(now time.Duration) {
	for len(e.queue) > 0 && (e.queue[0].at < now || e.queue[0].at == now && e.queue[0].phase == ends) {
		e.step()
	}
}

// emptiest is the connection in which the fewest works wait; of several the one with the fewest under way, then the first.
func (e *engine) emptiest() uint8 {
	best, waiting := 0, e.held(0)
	for n := 1; n < len(e.connections); n++ {
		w := e.held(n)
		if w < waiting || w == waiting && e.connections[n].live < e.connections[best].live {
			best, waiting = n, w
		}
	}
	return uint8(best + 1)
}

// held is how many works of a connection wait: not those in front that are on their way to the device.
func (e *engine) held(n int) int {
	c := &e.connections[n]
	for i, id := range c.items[c.head:] {
		if w := &e.works[id]; w.waiting > 0 || w.arrived {
			return len(c.items) - c.head - i
		}
	}
	return 0
}

// isHead says whether a work is the next of its connection.
func (e *engine) isHead(id int32) bool {
	n := e.works[id].connection
	if n == 0 {
		return true
	}
	c := &e.connections[n-1]
	return c.items[c.head] == id
}

// shift takes a work that starts from its connection: it is the head. The next may be ready already.
func (e *engine) shift(n uint8) {
	if n == 0 {
		return
	}
	c := &e.connections[n-1]
	if c.head++; c.head < len(c.items) {
		if next := c.items[c.head]; e.works[next].arrived {
			e.enter(next)
		}
	}
}
