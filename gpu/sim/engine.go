package sim

import (
	"time"

	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/timeline"
)

// class says how the device treats a piece of work.
type class uint8

const (
	kernel   class = iota // runs as soon as it may
	hostFunc              // runs on the one thread that runs host functions
	fork                  // before the roots of a graph launch; takes no time
	join                  // after several others; takes no time
	copyIn                // runs on the copy engine of its direction, host to device
	copyOut               // likewise, device to host
	gate                  // a kernel that runs until the host opens the gate
)

// work is one thing that the device does. Ids are indices of engine.works, in the order of issue.
type work struct {
	ready    time.Duration // the earliest start that is known so far
	dur      time.Duration // alone
	start    time.Duration // once it has started
	end      time.Duration // when done; of one that runs, when it will be as things are
	stream   int32
	launch   int32 // the graph launch that it belongs to; None when it was issued alone
	op       int32 // of the intent; None for fork and join
	waiting  int32 // works that must end first and have not
	out      int32 // first of the edges to those that wait for this; None for none
	queue    int32 // the hardware queue that it was submitted to; None for none
	priority int32
	class    class
	handed   bool // it has started, or has been found ready before the hardware was free
	done     bool
}

type edge struct{ to, next int32 }

// engine runs works in virtual time. The host adds works and lets time pass only where it looks at the device: to
// synchronize, to query, or at the end. So nothing that happened can depend on a call that was not yet made.
type engine struct {
	m     *Machine
	works []work
	edges []edge
	queue heap
	spans []timeline.Span // by op

	in      *schedule.Intent
	scarce  bool    // some kernel holds more than a block, or needs bandwidth
	busy    bool    // a host function is running
	pending []int32 // host functions that are ready, in the order in which they became it
	last    time.Duration

	hw     hardware
	gates  []int32       // gates that have been issued
	opened time.Duration // when the host opened them; negative when it has not
}

// reset forgets everything: the device is idle, at time 0.
func (e *engine) reset(spans []timeline.Span) {
	e.hw.reset(e.m)
	*e = engine{m: e.m, in: e.in, scarce: e.scarce, works: e.works[:0], edges: e.edges[:0], queue: e.queue[:0], pending: e.pending[:0], spans: spans,
		hw: e.hw, gates: e.gates[:0], opened: -1}
}

// add appends a work. Its predecessors follow, by after, then issue.
func (e *engine) add(w work) int32 {
	w.out = schedule.None
	e.works = append(e.works, w)
	id := int32(len(e.works) - 1)
	if w.class == gate {
		e.gates = append(e.gates, id)
	}
	if w.queue != schedule.None {
		e.hw.submit(w.queue, id)
	}
	return id
}

// after lets id start only after each of before has ended.
func (e *engine) after(id int32, before []int32) {
	for _, b := range before {
		w := &e.works[b]
		if w.done {
			e.works[id].ready = max(e.works[id].ready, w.end+e.handOff(b, id))
			continue
		}
		e.edges = append(e.edges, edge{to: id, next: w.out})
		w.out = int32(len(e.edges) - 1)
		e.works[id].waiting++
	}
}

// issue hands a work to the device: it starts when its predecessors allow.
func (e *engine) issue(id int32) {
	w := &e.works[id]
	switch {
	case w.waiting > 0:
	case w.class == hostFunc || e.contends(w):
		e.queue.push(happening{at: w.ready, phase: becomesReady, work: id})
	default:
		e.start(id, w.ready)
	}
}

func (e *engine) start(id int32, at time.Duration) {
	w := &e.works[id]
	w.start, w.end = at, at+w.dur
	if w.class == gate && e.opened >= 0 {
		w.end = max(at, e.opened)
	}
	e.queue.push(happening{at: w.end, phase: ends, work: id})
}

// open opens the gates, those that still have to start too.
func (e *engine) open(now time.Duration) {
	e.opened = now
	for _, id := range e.gates {
		if w := &e.works[id]; !w.done && w.end > now {
			w.end = max(w.start, now)
			e.queue.push(happening{at: w.end, phase: ends, work: id})
		}
	}
}

// handOff is the time from the end of a to the earliest start of b.
func (e *engine) handOff(a, b int32) time.Duration {
	from, to := &e.works[a], &e.works[b]
	switch {
	case to.class == join, from.class == fork:
		return 0
	case from.launch != schedule.None && from.launch == to.launch:
		return e.m.GraphEdge
	case from.stream == to.stream:
		return e.m.SameStream
	}
	return e.m.CrossStream
}

// step lets the next thing happen; false when nothing is left.
func (e *engine) step() bool {
	if len(e.queue) == 0 {
		return false
	}
	h := e.queue.pop()
	w := &e.works[h.work]
	switch {
	case h.phase == ends && (w.done || h.at != w.end): // it ends at another time, or has ended
	case h.phase == ends:
		e.finish(h.work)
	case w.class != hostFunc:
		e.becomeReady(h.work, h.at)
	case e.busy:
		e.pending = append(e.pending, h.work)
	default:
		e.busy = true
		e.start(h.work, h.at)
	}
	return true
}

func (e *engine) finish(id int32) {
	w := &e.works[id]
	w.done = true
	e.last = w.end
	if w.op != schedule.None {
		e.spans[w.op] = timeline.Span{Start: w.start, End: w.end, Ran: true, SM: -1}
	}
	e.release(id)
	if w.class == hostFunc {
		e.spans[w.op].Clock = timeline.HostClock
		e.busy = len(e.pending) > 0
		if e.busy {
			e.start(e.pending[0], w.end)
			e.pending = e.pending[1:]
		}
	}
	for i := w.out; i != schedule.None; i = e.edges[i].next {
		to := e.edges[i].to
		next := &e.works[to]
		next.ready = max(next.ready, w.end+e.handOff(id, to))
		next.waiting--
		e.issue(to)
	}
}

// finished lets time pass until now and says whether all of ids have ended.
func (e *engine) finished(ids []int32, now time.Duration) bool {
	for len(e.queue) > 0 && e.queue[0].at <= now {
		e.step()
	}
	for _, id := range ids {
		if !e.works[id].done {
			return false
		}
	}
	return true
}

// wait lets time pass until all of ids have ended and gives the latest end; 0 for no ids.
func (e *engine) wait(ids []int32) time.Duration {
	var last time.Duration
	for _, id := range ids {
		for !e.works[id].done && e.step() {
		}
		last = max(last, e.works[id].end)
	}
	return last
}

// drain lets time pass until the device is idle and gives the last end; 0 when it never worked.
func (e *engine) drain() time.Duration {
	for e.step() {
	}
	return e.last
}
