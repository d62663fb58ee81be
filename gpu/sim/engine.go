package sim

import (
	"slices"
	"time"

	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/timeline"
)

// engine runs works in virtual time. The host adds works and lets time pass only where it looks at the device: to
// synchronize, to query, or at the end. So nothing that happened can depend on a call that was not yet made.
//
// At one instant, ends come first; what they free is handed out to what waits. Then comes what is ready now, in the order
// of issue: each takes what is free. So the machine without costs is the limit of one with small ones.
type engine struct {
	m     *Machine
	ops   []schedule.Op
	works []work
	edges []edge
	queue heap
	spans []timeline.Span // by op

	now   time.Duration
	owed  bool // something became ready or free and was not yet handed out
	last  time.Duration
	lines [numLines]line
	sms   *sms // nil when kernels never contend

	bandwidth   bandwidth
	connections []connection // none when each stream has its own
	crowded     bool         // more than two streams get ops

	open  bool    // the host has opened the gates
	gates []int32 // that have started, until they are opened
}

func newEngine(p *schedule.Program, m *Machine) engine {
	c := newConnections(p, m)
	return engine{m: m, ops: p.Intent.Ops, sms: newSMs(p, m, len(c) > 0), connections: c,
		crowded: crowded(p)}
}

// crowded says whether the Body gives ops to more than two streams. It looks at the program as a whole, so that nothing
// depends on how far the device has come when the host looks at it.
func crowded(p *schedule.Program) bool {
	var streams [2]int32
	n := 0
	for i := range p.Body {
		switch in := &p.Body[i]; in.Verb {
		case schedule.Launch, schedule.HostFunc, schedule.Copy:
			switch {
			case slices.Contains(streams[:n], in.Stream.Index()):
			case n == len(streams):
				return true
			default:
				streams[n] = in.Stream.Index()
				n++
			}
		}
	}
	return false
}

// reset forgets everything: the device is idle, at time 0.
func (e *engine) reset(spans []timeline.Span) {
	e.works, e.edges, e.queue, e.spans = e.works[:0], e.edges[:0], e.queue[:0], spans
	e.now, e.owed, e.last, e.open, e.gates = 0, false, 0, false, e.gates[:0]
	for i := range e.lines {
		e.lines[i] = line{waiting: e.lines[i].waiting[:0]}
	}
	e.bandwidth.reset()
	if e.sms != nil {
		e.sms.reset(e.m)
	}
	for i := range e.connections {
		e.connections[i] = connection{items: e.connections[i].items[:0]}
	}
}

// add appends a work. Its predecessors follow, by after, then issue.
func (e *engine) add(w work) int32 {
	w.out = schedule.None
	e.works = append(e.works, w)
	id := int32(len(e.works) - 1)
	if w.connection > 0 {
		c := &e.connections[w.connection-1]
		c.items = append(c.items, id)
		c.live++
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

// handOff is the time from the end of a to the earliest start of b.
func (e *engine) handOff(a, b int32) time.Duration {
	from, to := &e.works[a], &e.works[b]
	if to.class == join || from.class == fork {
		return 0
	}
	gap, inGraph := e.m.CrossStream, from.launch != schedule.None && from.launch == to.launch
	switch {
	case inGraph:
		gap = e.m.GraphEdge
	case from.stream == to.stream && to.waited:
		gap = e.m.SameStream + e.m.Waited
	case from.stream == to.stream:
		gap = e.m.SameStream
	}
	if e.crowded && !inGraph {
		gap += e.m.ThirdStream
	}
	if to.class == hostFunc && from.class != hostFunc {
		gap += e.m.HostStart
	}
	return gap
}

// skew is from the start of a node of a graph to that of the next which waits for the same node, or which is a root too.
func (e *engine) skew(from *work) time.Duration {
	switch {
	case from.launch == schedule.None:
		return 0
	case from.class == fork:
		return e.m.GraphRoot
	}
	return e.m.GraphFork
}

// issue hands a work to the device, once nothing is left that it waits for. What never contends starts when it is
// ready, without more ado.
func (e *engine) issue(id int32) {
	w := &e.works[id]
	switch {
	case w.waiting > 0:
	case e.contends(w):
		e.queue.push(happening{at: w.ready, phase: becomesReady, work: id})
	default:
		e.start(id, w.ready)
	}
}

// contends says whether a work may have to wait for others that it does not depend on.
func (e *engine) contends(w *work) bool {
	switch w.class {
	case fork, join:
		return false
	case kernel, gate:
		return e.sms != nil
	}
	return true
}

func (e *engine) start(id int32, at time.Duration) {
	w := &e.works[id]
	w.ready = at
	switch {
	case w.class == gate:
		e.end(id, at+e.closed(id))
	case e.need(w) > 0:
		e.share(id)
	default:
		e.end(id, at+w.dur)
	}
	e.shift(w.connection)
}

// end says when a work that has started is to end. What was said before no longer holds: it stays in the queue, but the
// work does not end then.
func (e *engine) end(id int32, at time.Duration) {
	e.works[id].end = at
	e.queue.push(happening{at: at, phase: ends, work: id})
}

// step lets the next thing happen; false when nothing is left.
func (e *engine) step() bool {
	if len(e.queue) == 0 {
		return false
	}
	h := e.queue.pop()
	w := &e.works[h.work]
	var g *waves
	if e.sms != nil && len(e.sms.grids) > 0 {
		g = e.sms.grid(h.work)
	}
	if g == nil && h.phase == ends && (w.done || w.end != h.at) {
		return true // it ends, or has ended, at another time
	}
	e.now = max(e.now, h.at)
	if g != nil && h.phase == ends {
		if e.retire(g) {
			e.finish(h.work)
		}
	} else if h.phase == ends {
		e.finish(h.work)
	} else {
		e.offer(h.work)
	}
	e.serve()
	return true
}

// offer puts a work that is ready where it is served, when its turn has come.
func (e *engine) offer(id int32) {
	e.works[id].arrived = true
	if e.isHead(id) {
		e.enter(id)
	}
}

// enter lets a work wait for what serves it.
func (e *engine) enter(id int32) {
	w := &e.works[id]
	ready := happening{at: e.now, work: id}
	if int(w.class) < numLines {
		e.lines[w.class].waiting.push(ready)
	} else {
		e.sms.waiting[e.sms.level[w.stream]].push(ready)
	}
	e.owed = true
}

// serve hands out what is free to what is ready, until nothing more starts: what starts may let another work of its
// connection have its turn.
func (e *engine) serve() {
	for e.owed {
		e.owed = false
		e.serveLines()
		if e.sms != nil {
			e.place()
		}
	}
}

// release gives back what a work held.
func (e *engine) release(id int32) {
	w := &e.works[id]
	switch {
	case !e.contends(w):
		return
	case int(w.class) < numLines:
		e.lines[w.class].busy = false
	default:
		if e.rounds(w) == 1 {
			e.sms.free += e.units(w)
		}
		e.sms.running--
		if e.need(w) > 0 {
			e.unshare(id)
		}
	}
	e.owed = true
}

func (e *engine) finish(id int32) {
	w := &e.works[id]
	w.done = true
	if w.connection > 0 {
		e.connections[w.connection-1].live--
	}
	e.last = max(e.last, w.end)
	if w.op != schedule.None {
		e.spans[w.op] = timeline.Span{Start: w.ready, End: w.end, Ran: true}
	}
	if w.class == hostFunc && w.op != schedule.None {
		e.spans[w.op].Clock = timeline.HostClock
	}
	e.release(id)
	late, skew := w.end, e.skew(w)
	if skew > 0 {
		late += skew * time.Duration(e.rivals(w))
	}
	for i := w.out; i != schedule.None; i = e.edges[i].next { // the latest first
		to := e.edges[i].to
		next := &e.works[to]
		if next.class == join {
			next.ready = max(next.ready, w.end)
		} else {
			next.ready = max(next.ready, late+e.handOff(id, to))
			late = max(w.end, late-skew)
		}
		next.waiting--
		e.issue(to)
	}
}

// rivals is how many nodes start after another that waits for the same work.
func (e *engine) rivals(w *work) int {
	n := -1
	for i := w.out; i != schedule.None; i = e.edges[i].next {
		if e.works[e.edges[i].to].class != join {
			n++
		}
	}
	return max(n, 0)
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
