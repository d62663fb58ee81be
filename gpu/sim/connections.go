package sim

// The number of hardware queues that a driver makes, at most and when nothing says how many (documented).
const maxConnections, defaultConnections = 32, 8

// connection is a hardware queue between host and device: what streams that share it issue directly (kernels, gates and
// copies) goes to the device in the order of issue. An item whose turn has not come holds back all behind it, whatever
// their streams, until it has started: until what it waits for has ended and it was handed to the SMs or to a copy
// engine. That streams share in turn, in the order of their creation, is assumed, as is that a graph launch and a host
// function need no connection.
type connection struct {
	items []int32
	head  int
}

// connect gives a stream that is created its connection, counted from 1; 0 when there is one for each stream.
func (h *host) connect() uint8 {
	if len(h.engine.connections) == 0 {
		return 0
	}
	h.created++
	return uint8(1 + (h.created-1)%len(h.engine.connections))
}

// newConnections is empty when each stream has a connection of its own.
func newConnections(m *Machine) []connection {
	return make([]connection, min(max(0, m.Connections), maxConnections))
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
