package bound

import (
	"cmp"
	"slices"
	"time"
)

// machine is the scratch space of the bounds of one engine; its zero value is ready for use.
type machine struct{ heap []piece }

// piece is the rest of an op that is available to run.
type piece struct{ tail, left time.Duration }

// load is why an engine needs its time: between head and tail it has work to do.
type load struct{ bound, head, work, tail time.Duration }

// exclusive is the bound of an engine of capacity 1: Jackson's preemptive schedule (1955; Carlier 1982). It runs, at
// any time, the available op with the largest tail; the bound is the largest end + tail. It sorts ops by head and takes
// O(n log n).
func (m *machine) exclusive(ops []int32, dur, head, tail []time.Duration) load {
	slices.SortFunc(ops, func(a, b int32) int { return cmp.Or(cmp.Compare(head[a], head[b]), cmp.Compare(a, b)) })
	var now time.Duration
	var l load
	m.heap = m.heap[:0]
	for i := 0; i < len(ops) || len(m.heap) > 0; {
		if len(m.heap) == 0 {
			now = max(now, head[ops[i]])
		}
		for ; i < len(ops) && head[ops[i]] <= now; i++ {
			m.push(piece{tail[ops[i]], dur[ops[i]]})
		}
		run := &m.heap[0]
		if i < len(ops) && now+run.left > head[ops[i]] {
			run.left -= head[ops[i]] - now
			now = head[ops[i]]
			continue
		}
		now += run.left
		if now+run.tail >= l.bound { // of equal ones the last: it has the smallest tail and so the most work
			l.bound, l.tail = now+run.tail, run.tail
		}
		m.pop()
	}
	l.head, l.work = reason(ops, dur, head, tail, l)
	return l
}

// reason finds the set of ops that makes up a bound: all those with at least its tail and with at least some head, such
// that head + work + tail is the bound. Carlier's theorem says that there is one; of several it takes the largest. ops
// are sorted by head.
func reason(ops []int32, dur, head, tail []time.Duration, l load) (from, work time.Duration) {
	var sum time.Duration
	for _, op := range slices.Backward(ops) {
		if tail[op] < l.tail {
			continue
		}
		sum += dur[op]
		if head[op]+sum+l.tail == l.bound {
			from, work = head[op], sum
		}
	}
	return from, work
}

// shared is the bound of an engine of capacity c > 1: its work spread evenly between its smallest head and tail.
func shared(ops []int32, c int32, dur, head, tail []time.Duration) load {
	if len(ops) == 0 {
		return load{}
	}
	l := load{head: head[ops[0]], tail: tail[ops[0]]}
	for _, op := range ops {
		l.head, l.tail = min(l.head, head[op]), min(l.tail, tail[op])
		l.work += dur[op]
	}
	each := l.work / time.Duration(c)
	if l.work%time.Duration(c) > 0 {
		each++
	}
	l.bound = l.head + each + l.tail
	return l
}

// push and pop keep the heap: the largest tail is at its root.
func (m *machine) push(p piece) {
	m.heap = append(m.heap, p)
	h := m.heap
	for i := len(h) - 1; i > 0; {
		up := (i - 1) / 2
		if h[up].tail >= h[i].tail {
			return
		}
		h[up], h[i] = h[i], h[up]
		i = up
	}
}

func (m *machine) pop() {
	last := len(m.heap) - 1
	m.heap[0] = m.heap[last]
	m.heap = m.heap[:last]
	h := m.heap
	for i := 0; ; {
		down := 2*i + 1
		if down+1 < last && h[down+1].tail > h[down].tail {
			down++
		}
		if down >= last || h[i].tail >= h[down].tail {
			return
		}
		h[i], h[down] = h[down], h[i]
		i = down
	}
}
