package hardware

// MaxConnections and DefaultConnections are how many hardware queues a driver makes at most, and when nothing says how
// many (documented).
const MaxConnections, DefaultConnections = 32, 8

// connection is a hardware queue between host and device: what streams that share it issue directly (kernels, gates
// and copies) goes to the device in the order of issue (L1). An item whose turn has not come holds back all behind
// it, whatever their streams, until it has started: until what it waits for has ended and it was handed to the SMs or
// to a copy engine. A graph launch and a host function need no connection (L5).
type connection struct {
	items []int32
	head  int
	live  int // items that have not ended
}

// isHead says whether a work is the next one.
func (c *connection) isHead(id int32) bool { return c.items[c.head] == id }

// shift takes the head away, which has started, and gives the next; None when there is none.
func (c *connection) shift() int32 {
	if c.head++; c.head < len(c.items) {
		return c.items[c.head]
	}
	return None
}

// held is how many works wait: not those in front that are on their way to the device.
func (c *connection) held(works []Work) int {
	for i, id := range c.items[c.head:] {
		if w := &works[id]; w.waiting > 0 || w.arrived {
			return len(c.items) - c.head - i
		}
	}
	return 0
}

// emptiest is the connection, counted from 1, in which the fewest works wait; of several the one with the fewest
// under way, then the first.
func emptiest(list []connection, works []Work) uint8 {
	best, waiting := 0, list[0].held(works)
	for n := 1; n < len(list); n++ {
		w := list[n].held(works)
		if w < waiting || w == waiting && list[n].live < list[best].live {
			best, waiting = n, w
		}
	}
	return uint8(best + 1)
}

// port is what the hardware knows of a stream.
type port struct {
	latest     int32 // its latest work that went through a connection; None when none did
	connection uint8 // of that, from 1; 0 for one of its own
}
