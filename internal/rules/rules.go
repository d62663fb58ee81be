// Package rules is the slow and obvious reading of what driver calls impose. It goes through the calls of a program once, in
// the order in which the host makes them, and carries along, for each stream, each event and the host, the set of all works
// that are over at that point. What a call enqueues comes after that set, and joins it.
//
// It is an oracle: tests and internal/conform hold package order and the devices against it. So it rests on the model in
// package schedule alone, shares no code with what it is to judge, and no other code that is not a test may use it.
package rules

import (
	"slices"
	"time"

	"github.com/gpu-overlap/overlap/schedule"
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

// Follow goes through the Body of a program, given the codes of its calls; nil: all succeed. Of the Setup only what it creates
// and destroys is known here.
func Follow(p *schedule.Program, codes []schedule.Code) *Run {
	f := &follower{Run: &Run{Ends: make([]*Capture, len(p.Body))}, p: p, streams: make([]stream, len(p.Streams)),
		events: make([]event, len(p.Events)), graphs: make([]*Capture, len(p.Graphs)), execs: make([]*exec, len(p.Graphs))}
	for _, in := range p.Setup {
		f.handle(in)
	}
	for i, in := range p.Body {
		code := schedule.Success
		if codes != nil {
			code = codes[i]
		}
		if in.Verb == schedule.EndCapture {
			f.end(i, in, code)
		} else if code == schedule.Success {
			f.call(i, in)
		}
	}
	return f.Run
}

// Of gives, by op of n, its latest work; nil for an op without one.
func (r *Run) Of(n int) []*Work {
	works := make([]*Work, n)
	for i := range r.Works {
		works[r.Works[i].Op] = &r.Works[i]
	}
	return works
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

// Timetable gives start and end of each work when it starts as soon as all before it have ended, the first at 0, and takes
// the duration of its op.
func (r *Run) Timetable(in *schedule.Intent) (start, end []time.Duration) {
	start, end = make([]time.Duration, len(r.Works)), make([]time.Duration, len(r.Works))
	for i := range r.Works {
		for b := range r.Works[i].Before() {
			start[i] = max(start[i], end[b])
		}
		end[i] = start[i] + in.Ops[r.Works[i].Op].Dur
	}
	return start, end
}
