package rules

import (
	"slices"
	"time"
)

// Work is one run of an op, alone or as a node of a graph that is launched.
type Work struct {
	Op   int32 // an index into the intent
	Call int   // that issues it, an index into the Body
	Past       // what the device makes it wait for
	Host Past  // what the host had waited for when it issued the work
}

// Before gives all works that must have ended when it starts.
func (w *Work) Before() Set { return w.All.plus(w.Host.All) }

// Direct gives the works that come directly before it: from each of them some calls lead to it without passing another.
func (w *Work) Direct() Set { return w.Last.plus(w.Host.Last) }

// Forked says whether it starts after all earlier work of the origin.
func (w *Work) Forked() bool { return w.Origin || w.Host.Origin }

// Run is what the calls of a program made.
type Run struct {
	Works   []Work     // in the order of issue
	Ends    []*Capture // by call of the Body: the capture that its origin ended there, nil for none
	Joined  Set        // the works that a call on the origin would wait for after its last one
	Unknown bool       // a call succeeded for which there is no rule here, as a launch of a graph into a capture
}

// Ops gives the ops of some works, sorted, each once.
func (r *Run) Ops(works Set) []int32 {
	ops := []int32{}
	for w := range works {
		ops = append(ops, r.Works[w].Op)
	}
	slices.Sort(ops)
	return slices.Compact(ops)
}

// Timetable gives start and end of each work when it starts as soon as all before it have ended, the first at 0, and
// takes the duration of its op; dur has one of each op.
func (r *Run) Timetable(dur []time.Duration) (start, end []time.Duration) {
	start, end = make([]time.Duration, len(r.Works)), make([]time.Duration, len(r.Works))
	for i := range r.Works {
		for b := range r.Works[i].Before() {
			start[i] = max(start[i], end[b])
		}
		end[i] = start[i] + dur[r.Works[i].Op]
	}
	return start, end
}

// Capture is what a capture recorded.
type Capture struct {
	Ops    []int32 // by node
	Past   []Past  // by node: of nodes
	Joined bool    // its origin came after all nodes when it ended the capture

	origin  int32
	members []int32
}

// node adds a node, and gives what is over after it.
func (c *Capture) node(op int32, past Past) Past {
	c.Ops, c.Past = append(c.Ops, op), append(c.Past, past)
	return past.then(len(c.Ops) - 1)
}
