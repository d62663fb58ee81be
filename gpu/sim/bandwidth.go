package sim

import (
	"math"
	"math/bits"
	"time"

	"github.com/gpu-overlap/overlap/schedule"
)

// bandwidth is the memory bandwidth, shared by the kernels that need some. As long as they need more than there is, each
// progresses at 100/sum of its rate alone. So all progress alike, and the one that has the least left ends first.
//
// Progress counts in whole nanoseconds, rounded down whenever a kernel starts or ends; an end falls on the first
// nanosecond at which all is done. A kernel that never meets too little lasts exactly as long as alone.
type bandwidth struct {
	sum     int64         // per cent that the running kernels need in all
	done    time.Duration // progress of each since the repetition began, had it run all along
	at      time.Duration // when done was last brought up to date
	running heap          // by the progress at which they end
	next    int32         // the first of running, whose end stands in the engine's queue; None when there is none
}

// never is the end of a work that has started, as long as others end sooner.
const never time.Duration = math.MaxInt64

func (b *bandwidth) reset() { *b = bandwidth{running: b.running[:0], next: schedule.None} }

// need is the bandwidth that a work needs, in per cent.
func (e *engine) need(w *work) int64 {
	if w.class != kernel || w.op == schedule.None {
		return 0
	}
	return int64(e.ops[w.op].Bandwidth)
}

// share lets a kernel that starts now take part.
func (e *engine) share(id int32) {
	b, w := &e.bandwidth, &e.works[id]
	b.settle(e.now)
	b.sum += e.need(w)
	b.running.push(happening{at: b.done + w.dur, work: id})
	w.end = never
	e.foresee()
}

// unshare takes out the kernel that ends now: it is the next.
func (e *engine) unshare(id int32) {
	b := &e.bandwidth
	b.settle(e.now)
	b.sum -= e.need(&e.works[id])
	b.running.pop()
	b.next = schedule.None
	e.foresee()
}

// foresee says when the next kernel is to end, as things are.
func (e *engine) foresee() {
	b := &e.bandwidth
	if len(b.running) == 0 {
		return
	}
	first := b.running[0]
	if b.next != schedule.None && b.next != first.work {
		e.works[b.next].end = never
	}
	b.next = first.work
	if at := e.now + b.takes(first.at-b.done); at != e.works[first.work].end {
		e.end(first.work, at)
	}
}

// settle brings the progress up to date.
func (b *bandwidth) settle(now time.Duration) {
	took := now - b.at
	b.at = now
	if b.sum <= 100 {
		b.done += took
		return
	}
	hi, lo := bits.Mul64(uint64(took), 100)
	q, _ := bits.Div64(hi, lo, uint64(b.sum))
	b.done += time.Duration(q)
}

// takes is how long a progress takes, as things are.
func (b *bandwidth) takes(progress time.Duration) time.Duration {
	if b.sum <= 100 {
		return progress
	}
	hi, lo := bits.Mul64(uint64(progress), uint64(b.sum))
	q, r := bits.Div64(hi, lo, 100)
	if r > 0 {
		q++
	}
	return time.Duration(q)
}
