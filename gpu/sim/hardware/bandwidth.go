package hardware

import (
	"math/bits"
	"time"
)

// bandwidth is the memory bandwidth, shared by the kernels that need some (L22). As long as they need more than there
// is, each progresses at 100/sum of its rate alone. So all progress alike, and the one that has the least left ends
// first.
//
// Progress counts in whole nanoseconds, rounded down whenever a kernel starts or ends; an end falls on the first
// nanosecond at which all is done. A kernel that never meets too little lasts exactly as long as alone.
type bandwidth struct {
	sum     int64         // per cent that the running kernels need in all
	done    time.Duration // progress of each since the repetition began, had it run all along
	at      time.Duration // when done was last brought up to date
	running heap          // by the progress at which they end
	next    int32         // the first of running, whose end is expected; None when there is none
}

func (b *bandwidth) reset() { *b = bandwidth{running: b.running[:0], next: None} }

// add lets a kernel take part from now on that needs so many per cent, and would take dur alone.
func (b *bandwidth) add(id int32, need int64, dur, now time.Duration) {
	b.advance(now)
	b.sum += need
	b.running.push(happening{at: b.done + dur, work: id})
}

// remove takes out the kernel that ends now: it is the first of running.
func (b *bandwidth) remove(need int64, now time.Duration) {
	b.advance(now)
	b.sum -= need
	b.running.pop()
	b.next = None
}

// first is the kernel that ends next, as things are, and how long it takes until then; and the one that was expected
// to be the next before. None when there is none.
func (b *bandwidth) first() (id int32, left time.Duration, before int32) {
	if len(b.running) == 0 {
		return None, 0, None
	}
	top := b.running[0]
	before, b.next = b.next, top.work
	return top.work, b.takes(top.at - b.done), before
}

// advance brings the progress up to date.
func (b *bandwidth) advance(now time.Duration) {
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
