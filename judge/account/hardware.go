package account

import (
	"cmp"
	"slices"
	"sort"
	"time"

	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/timeline"
)

// hardware answers what held SMs and copy engines at a time, of the ops of one repetition.
type hardware struct {
	in      *schedule.Intent
	spans   []timeline.Span // by op, in host time
	at      []int32         // by op: the call that issues it
	byStart []int32
	latest  []time.Duration // by position in byStart: the latest end up to there
	byEnd   []int32
	shares  bool // some op holds more than one SM, or copies
}

func newHardware(in *schedule.Intent, spans []timeline.Span, at []int32) *hardware {
	h := &hardware{in: in, spans: spans, at: at}
	for op := range spans {
		h.byStart = append(h.byStart, int32(op))
		h.shares = h.shares || in.Ops[op].SMs > 0 || in.Ops[op].Kind.Copies()
	}
	h.byEnd = slices.Clone(h.byStart)
	slices.SortStableFunc(h.byStart, func(a, b int32) int { return cmp.Compare(spans[a].Start, spans[b].Start) })
	slices.SortStableFunc(h.byEnd, func(a, b int32) int { return cmp.Compare(spans[a].End, spans[b].End) })
	last := time.Duration(0)
	for i, op := range h.byStart {
		if i == 0 || spans[op].End > last {
			last = spans[op].End
		}
		h.latest = append(h.latest, last)
	}
	return h
}

// lastEnded is the op that ended last, up to a time, of those that were issued before a call; None when none did.
func (h *hardware) lastEnded(by time.Duration, call int32) int32 {
	i := sort.Search(len(h.byEnd), func(i int) bool { return h.spans[h.byEnd[i]].End > by })
	for i--; i >= 0; i-- {
		if op := h.byEnd[i]; h.at[op] != schedule.None && h.at[op] < call {
			return op
		}
	}
	return schedule.None
}

// during visits the other ops that ran between two times, the one that started last first, until visit says false.
func (h *hardware) during(op int32, from, to time.Duration, visit func(other int32) bool) {
	i := sort.Search(len(h.byStart), func(i int) bool { return h.spans[h.byStart[i]].Start >= to })
	for i--; i >= 0 && h.latest[i] > from; i-- {
		if other := h.byStart[i]; other != op && h.spans[other].End > from && !visit(other) {
			return
		}
	}
}

// fullUntil is the last moment between two times at which an op that did not run yet would not have fitted beside those
// that did, and the op that made room then; None when it would always have fitted.
func (h *hardware) fullUntil(op int32, from, to time.Duration) (until time.Duration, holder int32) {
	until, holder = from, schedule.None
	if !h.shares {
		return until, holder
	}
	var rivals []int32
	h.during(op, from, to, func(other int32) bool {
		if h.rival(op, other) {
			rivals = append(rivals, other)
		}
		return true
	})
	for _, r := range rivals {
		end := min(h.spans[r].End, to)
		if end <= until {
			continue
		}
		held := h.share(op)
		for _, s := range rivals { // just before r ended
			if h.spans[s].Start < end && h.spans[s].End >= end {
				held += h.share(s)
			}
		}
		if held > 100 {
			until, holder = end, r
		}
	}
	return until, holder
}

// behind is for a kernel that would have fitted and did not start: another that was ready before it, and does not fit,
// keeps it back. It gives the last moment between two times at which one that started in between found no room, and the
// op that made room then; None when none did.
func (h *hardware) behind(op int32, from, to time.Duration) (until time.Duration, holder int32) {
	until, holder = from, schedule.None
	if h.in.Ops[op].Kind.Copies() {
		return until, holder
	}
	h.during(op, from, to+1, func(other int32) bool {
		if start := h.spans[other].Start; h.rival(op, other) && start > from {
			if u, x := h.fullUntil(other, from, start); x != schedule.None && x != op && u > until {
				until, holder = u, x
			}
		}
		return true
	})
	return until, holder
}

// rival says whether two ops use hardware that they cannot share at will: the same copy engine, or SMs.
func (h *hardware) rival(a, b int32) bool { return schedule.Rivals(h.in.Ops[a].Kind, h.in.Ops[b].Kind) }

// share is the part of its hardware that an op holds, in per cent.
func (h *hardware) share(op int32) int32 { return h.in.Ops[op].Share() }

// startedLast is, of the ops that were issued before op on whichever stream, the one that started last between two
// times; None when none did.
func (h *hardware) startedLast(op int32, from, to time.Duration) int32 {
	i := sort.Search(len(h.byStart), func(i int) bool { return h.spans[h.byStart[i]].Start > to })
	for i--; i >= 0 && h.spans[h.byStart[i]].Start > from; i-- {
		if other := h.byStart[i]; other != op && h.at[other] < h.at[op] {
			return other
		}
	}
	return schedule.None
}

// beside is the op that ran longest at the same time as op; None when none did.
func (h *hardware) beside(op int32) int32 {
	s, best, most := h.spans[op], schedule.None, time.Duration(0)
	h.during(op, s.Start, s.End, func(other int32) bool {
		o := h.spans[other]
		if d := min(s.End, o.End) - max(s.Start, o.Start); d > most || d == most && other < best {
			best, most = other, d
		}
		return true
	})
	return best
}
