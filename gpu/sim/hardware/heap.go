package hardware

import "time"

// phase orders what happens at one instant: ends come before what they make ready.
type phase uint8

const (
	ends phase = iota
	becomesReady
)

// happening is one event of the simulation.
type happening struct {
	at    time.Duration
	work  int32
	phase phase
}

// before is a total order: the simulation is deterministic. Ties go to what was issued first.
func (a happening) before(b happening) bool {
	if a.at != b.at {
		return a.at < b.at
	}
	if a.phase != b.phase {
		return a.phase < b.phase
	}
	return a.work < b.work
}

// heap is a binary heap, the earliest happening first.
type heap []happening

func (h *heap) push(x happening) {
	*h = append(*h, x)
	q := *h
	i := len(q) - 1
	for i > 0 {
		parent := (i - 1) / 2
		if !x.before(q[parent]) {
			break
		}
		q[i] = q[parent]
		i = parent
	}
	q[i] = x
}

func (h *heap) pop() happening {
	q := *h
	top, x := q[0], q[len(q)-1]
	q = q[:len(q)-1]
	*h = q
	i := 0
	for child := 1; child < len(q); child = 2*i + 1 {
		if child+1 < len(q) && q[child+1].before(q[child]) {
			child++
		}
		if !q[child].before(x) {
			break
		}
		q[i] = q[child]
		i = child
	}
	if len(q) > 0 {
		q[i] = x
	}
	return top
}
