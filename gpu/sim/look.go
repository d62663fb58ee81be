package sim

import (
	"github.com/gpu-overlap/overlap/gpu/sim/tables"
	"github.com/gpu-overlap/overlap/schedule"
)

// lookAtStream is cuStreamSynchronize and cuStreamQuery.
func (h *host) lookAtStream(in schedule.Instr) schedule.Code {
	s, rows := &h.streams[in.Stream.Index()], queries
	if in.Verb.Blocks() {
		rows = syncs
	}
	if c := s.capture; c != nil { // also one that was lost before (U13)
		if code := h.unsafeFor(c, in.Thread, rows.capturing); code != schedule.Success {
			return code
		}
	}
	if code := h.refuse(in, rows.legacy, rows.other); code != schedule.Success {
		return code
	}
	tips := s.tips
	if in.Stream.Index() == h.legacy {
		tips = h.behindLegacy()
	}
	return h.look(tips, in.Verb.Blocks())
}

// lookAtEvent is cuEventSynchronize and cuEventQuery. An event that a capture recorded can not be looked at (C20,
// C21, C23).
func (h *host) lookAtEvent(in schedule.Instr) schedule.Code {
	e := &h.events[in.Event.Index()]
	if c := e.capture; c != nil {
		if c.ended || c.lost {
			return schedule.InvalidValue
		}
		c.lost = true
		return schedule.CapturedEvent
	}
	call := tables.QueryEvent
	if in.Verb.Blocks() {
		call = tables.SyncEvent
	}
	if code := h.unsafe(in.Thread, call); code != schedule.Success {
		return code
	}
	return h.look(e.tips, in.Verb.Blocks())
}

// syncContext waits for all streams.
func (h *host) syncContext(in schedule.Instr) schedule.Code {
	code := h.unsafe(in.Thread, tables.SyncContext)
	if code == schedule.Success {
		h.waitForAll()
	}
	return code
}

// elapsed is cuEventElapsedTime. Two records at one time are in the order in which they were made.
func (h *host) elapsed(in schedule.Instr, a schedule.Args) schedule.Code {
	const withoutResult = 1
	var at [2]struct {
		time  int64
		order int32
	}
	for _, ev := range [2]schedule.Ref{in.Event, a.Event} {
		if ev == schedule.Null || !h.events[ev.Index()].alive {
			return schedule.InvalidHandle
		}
	}
	if code := h.unsafe(in.Thread, tables.ElapsedElsewhere); code != schedule.Success {
		return code
	}
	events := [2]*event{&h.events[in.Event.Index()], &h.events[a.Event.Index()]}
	for _, e := range events {
		switch c := e.capture; {
		case c != nil && (c.ended || c.lost): // of a lost one: taken over from the other calls that look at an event
			return schedule.InvalidValue
		case c != nil: // which costs the capture nothing
			return schedule.CapturedEvent
		case !e.recorded || e.untimed:
			return schedule.InvalidHandle
		}
	}
	if a.Number == withoutResult {
		return schedule.InvalidHandle
	}
	for i, e := range events {
		if !h.chip.Finished(e.tips, h.now) {
			return schedule.NotReady
		}
		ev := [2]int32{in.Event.Index(), a.Event.Index()}[i]
		last := h.noted[ev].at
		for _, id := range e.tips {
			last = max(last, h.chip.End(id))
		}
		at[i].time, at[i].order = int64(last), h.noted[ev].order
	}
	h.shown.Values = []int64{sign(at[1].time-at[0].time, int64(at[1].order-at[0].order))}
	return schedule.Success
}

// sign is that of a, or that of b when a is 0.
func sign(a, b int64) int64 {
	switch {
	case a > 0 || a == 0 && b > 0:
		return 1
	case a == 0 && b == 0:
		return 0
	}
	return -1
}
