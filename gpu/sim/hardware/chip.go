// Package hardware is the machine below the simulated driver: it runs works in virtual time on what a GPU has. A work
// is a kernel, a copy, a host function, or a mark in between. Works that wait for no other contend for SMs by their
// shares and priorities (sms.go, waves.go), for memory bandwidth (bandwidth.go), for the copy engine of their
// direction and the one thread that runs host functions (line.go), and for their turn in the hardware queues that
// streams share (connections.go). From the end of a work to the start of one that waits for it passes a hand-off
// (handoff.go).
//
// It knows works, the queues of streams, and resources. It does not know why a work waits for another, and nothing of
// the driver's calls, captures and codes: that is package sim, which gives it works and asks when they end. Times are
// integer nanoseconds from the start of a repetition. The same works give the same times: there is no clock and no
// goroutine, and no randomness but Noise, which follows from its seed. Ids such as S16 are rules of
// docs/semantics.md.
package hardware

import (
	"slices"
	"time"

	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/timeline"
)

// Chip runs works. Time passes in it only where the host looks at the device: to synchronize, to query, or at the
// end. So nothing that happened can depend on a work that was not yet issued.
//
// At one instant, ends come first; what they free is handed out to what waits. Then comes what is ready now, in the
// order of issue: each takes what is free. So hardware without costs is the limit of one with small ones.
type Chip struct {
	spec    *Spec
	ops     []schedule.Op
	crowded bool // more than two streams get ops

	works []Work
	edges []edge
	queue heap
	spans []timeline.Span // by op

	now  time.Duration // of what happened last; the host may be later
	last time.Duration // end of a work
	owed bool          // something became ready or free and was not yet handed out

	lines       [numLines]line
	sms         *sms // nil when kernels never contend
	bandwidth   bandwidth
	connections []connection // none when each stream has its own
	ports       []port       // by stream
	gates       gates
}

// Load is what a program will ask of the hardware, as far as it can be known before.
type Load struct {
	Streams int // ids of streams are below it
	Issuers int // streams that may issue works which need a connection
	AtOnce  int // works that can be under way at once, at most
	Crowded bool
}

// New gives the hardware for a program's ops, idle at time 0. It looks at the load as a whole, so that nothing
// depends on how far the device has come when the host looks at it.
func New(spec *Spec, ops []schedule.Op, load Load) *Chip {
	c := &Chip{spec: spec, ops: ops, crowded: load.Crowded, ports: make([]port, load.Streams)}
	if n := min(max(0, spec.Connections), MaxConnections); load.Issuers > n {
		c.connections = make([]connection, n)
	}
	contend := len(c.connections) > 0 || spec.Grids > 0 && load.AtOnce > spec.Grids
	for i := range ops {
		contend = contend || ops[i].SMs > 0 || ops[i].Bandwidth > 0 || ops[i].Waves > 1
	}
	if contend {
		c.sms = new(sms)
	}
	c.Reset(nil)
	return c
}

// Reset forgets all works: the device is idle, at time 0. The spans of ops go to spans from then on.
func (c *Chip) Reset(spans []timeline.Span) {
	c.works, c.edges, c.queue, c.spans = c.works[:0], c.edges[:0], c.queue[:0], spans
	c.now, c.last, c.owed = 0, 0, false
	for i := range c.lines {
		c.lines[i].reset()
	}
	c.bandwidth.reset()
	if c.sms != nil {
		c.sms.reset(100 * c.spec.sms())
	}
	for i := range c.connections {
		c.connections[i] = connection{items: c.connections[i].items[:0]}
	}
	for i := range c.ports {
		c.ports[i].latest = None
	}
	c.gates.reset()
}

// Reserve makes room for so many works, and waits among them: what grows otherwise is copied again and again.
func (c *Chip) Reserve(works, waits int) {
	c.works = slices.Grow(c.works[:0], works)
	c.edges = slices.Grow(c.edges[:0], waits)
}

// Renew lets the id of a stream stand for a new one.
func (c *Chip) Renew(stream int32) { c.ports[stream] = port{latest: None} }

// Len is how many works were issued since the reset.
func (c *Chip) Len() int { return len(c.works) }

// Work is an issued one, to look at.
func (c *Chip) Work(id int32) *Work { return &c.works[id] }

// End is when a work ended, or is to end, as things are, once it has started.
func (c *Chip) End(id int32) time.Duration { return c.works[id].end }
