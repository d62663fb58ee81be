package sim

import (
	"slices"

	"github.com/gpu-overlap/overlap/gpu/sim/hardware"
	"github.com/gpu-overlap/overlap/gpu/sim/tables"
	"github.com/gpu-overlap/overlap/schedule"
)

// handle creates and destroys streams and events. Destroying returns at once; what was issued stays issued.
func (h *host) handle(in schedule.Instr) schedule.Code {
	switch in.Verb {
	case schedule.CreateStream:
		return h.createStream(in)
	case schedule.DestroyStream:
		if in.Stream.Index() == h.legacy || in.Stream.Index() >= h.elsewhere {
			return schedule.InvalidHandle
		}
		if code := h.unsafe(in.Thread, tables.KillStream); code != schedule.Success {
			return code
		}
		h.forget(in.Stream.Index())
		h.streams[in.Stream.Index()].alive = false
	case schedule.CreateEvent:
		return h.createEvent(in)
	case schedule.DestroyEvent:
		if code := h.unsafe(in.Thread, tables.KillEvent); code != schedule.Success {
			return code
		}
		h.events[in.Event.Index()] = event{}
	}
	return schedule.Success
}

// createStream makes a stream with the flags of the call, or with those that its kind has.
func (h *host) createStream(in schedule.Instr) schedule.Code {
	kind, priority := h.p.Streams[in.Stream.Index()].Kind, h.p.Streams[in.Stream.Index()].Priority
	if in.Arg > 0 {
		a := h.p.ArgsOf(in)
		if a.Number&^1 != 0 {
			return schedule.InvalidValue
		}
		kind, priority = schedule.NonBlocking, a.Priority
		if a.Number == 0 {
			kind = schedule.Blocking
		}
	}
	if code := h.unsafe(in.Thread, tables.MakeStream); code != schedule.Success {
		return code
	}
	h.forget(in.Stream.Index())
	h.streams[in.Stream.Index()] = stream{alive: true, kind: kind, priority: hardware.Clamped(priority)}
	h.chip.Renew(in.Stream.Index())
	return schedule.Success
}

// forget drops a stream: its pending work still holds back the legacy stream, and of a capture it is no member more.
func (h *host) forget(id int32) {
	s := &h.streams[id]
	if s.dirty {
		h.orphaned = h.works.union(h.orphaned, s.tips)
		s.dirty = false
	}
	s.tips = nil
	if c := s.capture; c != nil {
		s.capture, s.deps, s.data = nil, nil, nil
		if c.origin == id {
			h.release(c) // the graph goes with its origin (C19b)
		}
		c.blocking = slices.ContainsFunc(c.members, func(m int32) bool {
			return h.streams[m].capture == c && h.streams[m].kind == schedule.Blocking
		})
	}
}

// property is what a stream was created with.
func (h *host) property(in schedule.Instr) schedule.Code {
	s, call := &h.streams[in.Stream.Index()], tables.PriorityOther
	if s.capture != nil {
		call = tables.PriorityCapturing
	}
	if code := h.unsafe(in.Thread, call); code != schedule.Success {
		return code
	}
	value := int64(s.priority)
	if in.Verb == schedule.StreamFlags {
		value = 0
		if s.kind == schedule.NonBlocking {
			value = 1
		}
	}
	h.shown.Values = []int64{value}
	return schedule.Success
}

// The flags of cuEventCreate (E10): documented are that an event for other processes must not be timed, and that
// there are no others.
const (
	disableTiming = 2
	interprocess  = 4
	allEventFlags = 7
)

// createEvent makes an event with the flags of the call; without any it is not timed.
func (h *host) createEvent(in schedule.Instr) schedule.Code {
	flags := int32(disableTiming)
	if in.Arg > 0 {
		flags = h.p.ArgsOf(in).Number
	}
	if flags&^allEventFlags != 0 || flags&interprocess != 0 && flags&disableTiming == 0 {
		return schedule.InvalidValue
	}
	if code := h.unsafe(in.Thread, tables.MakeEvent); code != schedule.Success {
		return code
	}
	h.events[in.Event.Index()] = event{alive: true, untimed: flags&disableTiming != 0}
	return schedule.Success
}
