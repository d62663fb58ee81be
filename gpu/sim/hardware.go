package sim

import (
	"math"
	"math/bits"
	"time"

	"github.com/gpu-overlap/overlap/schedule"
)

// hardware is what works compete for: SMs, memory bandwidth, copy engines and hardware queues. A program none of whose
// works holds more than a block, copies or shares a queue does not look at it.
//
// SMs: a kernel holds its share of them from start to end. Ready kernels are served by priority, then in the order in which
// they became ready; one that does not fit keeps back all of its own and of lower priority, and none is preempted
// (documented: priorities only choose what is scheduled next). That a grid starts as a whole is a simplification: blocks
// start as SMs become free. A kernel of one block takes next to nothing, but finds no room where a grid holds everything.
//
// Bandwidth: kernels whose needs add up to more than there is progress at the same fraction of their speed (assumed).
//
// Copy engines: one for each direction, one copy at a time, in the order in which copies become ready; priority does not
// count (documented; the order was not measured).
//
// Queues: the streams share Connections of them, round robin in the order of their ids (documented is only that streams
// beyond share; the mapping was not measured). What was submitted to a queue is handed to the hardware in that order: what
// is not ready holds back what is behind it.
type hardware struct {
	used    int32   // units of SMs, of all
	waiting []int32 // kernels that are ready and found no room, in the order in which they are served
	copies  [2]copyEngine
	queues  []queue
	greedy  []greedy      // running kernels that need bandwidth
	need    int64         // the sum of their needs in per cent
	since   time.Duration // of the last change of greedy
}

// allSMs is the number of units that a device's SMs count as: a hundred to a per cent.
const allSMs = 10_000

type copyEngine struct {
	busy    bool
	pending []int32
	next    int // the first of pending that has not been started
}

// queue holds what was submitted and has not been handed to the hardware, in order.
type queue struct {
	works []int32
	next  int
}

// greedy is a running kernel that needs bandwidth, and what is left of it: nanoseconds at full speed, times 2^16.
type greedy struct {
	work int32
	left uint64
}

const fraction = 16 // bits of a nanosecond

func (h *hardware) reset(m *Machine) {
	h.used, h.need, h.since = 0, 0, 0
	h.waiting, h.greedy = h.waiting[:0], h.greedy[:0]
	for i := range h.copies {
		h.copies[i] = copyEngine{pending: h.copies[i].pending[:0]}
	}
	for len(h.queues) < m.Connections {
		h.queues = append(h.queues, queue{})
	}
	for i := range h.queues {
		h.queues[i] = queue{works: h.queues[i].works[:0]}
	}
}

func (h *hardware) submit(q, id int32) { h.queues[q].works = append(h.queues[q].works, id) }

// contends says whether a work may have to wait for hardware, or makes others wait.
func (e *engine) contends(w *work) bool {
	return w.queue != schedule.None || w.class == copyIn || w.class == copyOut || w.class == kernel && e.scarce
}

// becomeReady hands a work whose predecessors have ended to the hardware, once all before it in its queue have been.
func (e *engine) becomeReady(id int32, now time.Duration) {
	w := &e.works[id]
	w.handed = true
	if w.queue == schedule.None {
		e.hand(id, now)
		return
	}
	q := &e.hw.queues[w.queue]
	for q.next < len(q.works) && e.works[q.works[q.next]].handed {
		first := q.works[q.next]
		q.next++
		e.hand(first, now)
	}
}

// hand lets a work start, or wait for SMs or its copy engine.
func (e *engine) hand(id int32, now time.Duration) {
	w := &e.works[id]
	switch w.class {
	case copyIn, copyOut:
		c := &e.hw.copies[w.class-copyIn]
		if c.busy {
			c.pending = append(c.pending, id)
			return
		}
		c.busy = true
		e.start(id, now)
	case kernel:
		e.enqueue(id)
		e.serve(now)
	default:
		e.start(id, now)
	}
}

// enqueue puts a ready kernel behind those of its own priority.
func (e *engine) enqueue(id int32) {
	list := append(e.hw.waiting, id)
	i := len(list) - 1
	for ; i > 0 && e.works[list[i-1]].priority > e.works[id].priority; i-- {
		list[i] = list[i-1]
	}
	list[i] = id
	e.hw.waiting = list
}

// serve starts kernels for as long as the first that waits fits.
func (e *engine) serve(now time.Duration) {
	h, n := &e.hw, 0
	for ; n < len(h.waiting); n++ {
		id := h.waiting[n]
		need := e.smUnits(id)
		if h.used+need > allSMs {
			break
		}
		h.used += need
		e.startKernel(id, now)
	}
	h.waiting = h.waiting[:copy(h.waiting, h.waiting[n:])]
}

func (e *engine) smUnits(id int32) int32 {
	if w := &e.works[id]; w.op != schedule.None && e.in.Ops[w.op].SMs > 0 {
		return e.in.Ops[w.op].SMs * (allSMs / 100)
	}
	return 1
}

func (e *engine) startKernel(id int32, now time.Duration) {
	e.start(id, now)
	if b := e.bandwidth(id); b > 0 {
		e.progress(now)
		e.hw.greedy = append(e.hw.greedy, greedy{id, uint64(e.works[id].dur) << fraction})
		e.hw.need += b
		e.stretch(now)
	}
}

func (e *engine) bandwidth(id int32) int64 {
	if w := &e.works[id]; w.class == kernel && w.op != schedule.None {
		return int64(e.in.Ops[w.op].Bandwidth)
	}
	return 0
}

// progress takes off what the kernels that need bandwidth have done since the last change.
func (e *engine) progress(now time.Duration) {
	h := &e.hw
	done := uint64(now-h.since) << fraction
	if h.need > 100 {
		hi, lo := bits.Mul64(done, 100)
		done, _ = bits.Div64(hi, lo, uint64(h.need))
	}
	for i := range h.greedy {
		h.greedy[i].left -= min(done, h.greedy[i].left)
	}
	h.since = now
}

// stretch finds when each of them ends as things are, rounded up to a nanosecond, or that this is days away: it then
// ends at another time, since all ops in sequence take less.
func (e *engine) stretch(now time.Duration) {
	h := &e.hw
	for _, g := range h.greedy {
		left := g.left
		if h.need > 100 {
			hi, lo := bits.Mul64(left, uint64(h.need))
			lo, carry := bits.Add64(lo, 99, 0)
			left = math.MaxInt64
			if hi+carry < 50 { // else it does not fit
				left, _ = bits.Div64(hi+carry, lo, 100)
			}
		}
		w := &e.works[g.work]
		if end := now + time.Duration((left+1<<fraction-1)>>fraction); end != w.end {
			w.end = end
			e.queue.push(happening{at: end, phase: ends, work: g.work})
		}
	}
}

// release gives back what a work held, and lets others start.
func (e *engine) release(id int32) {
	w := &e.works[id]
	if !e.contends(w) {
		return
	}
	h, now := &e.hw, w.end
	switch w.class {
	case copyIn, copyOut:
		c := &h.copies[w.class-copyIn]
		c.busy = c.next < len(c.pending)
		if c.busy {
			c.next++
			e.start(c.pending[c.next-1], now)
		}
	case kernel:
		h.used -= e.smUnits(id)
		if b := e.bandwidth(id); b > 0 {
			e.progress(now)
			for i := range h.greedy {
				if h.greedy[i].work == id {
					h.greedy = append(h.greedy[:i], h.greedy[i+1:]...)
					break
				}
			}
			h.need -= b
			e.stretch(now)
		}
		e.serve(now)
	}
}
