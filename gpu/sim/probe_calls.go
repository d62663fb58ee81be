package sim

import (
	"github.com/gpu-overlap/overlap/gpu/sim/tables"
	"github.com/gpu-overlap/overlap/schedule"
)

// Codes that only calls of probes give.
const (
	lossyQuery    schedule.Code = 402
	updateFailure schedule.Code = 910
)

// probe makes one of the calls that only probes make.
func (h *host) probe(in schedule.Instr) schedule.Code {
	a := h.p.ArgsOf(in)
	switch in.Verb {
	case schedule.ExchangeMode:
		return h.exchange(in)
	case schedule.CaptureInfo, schedule.IsCapturing:
		return h.captureInfo(in, a)
	case schedule.Depend:
		return h.depend(in, a)
	case schedule.BeginCaptureTo:
		return h.beginInto(in, a)
	case schedule.RecordExternal:
		return h.recordExternal(in, a)
	case schedule.WaitExternal:
		return h.waitExternal(in, a)
	case schedule.Elapsed:
		return h.elapsed(in, a)
	case schedule.StreamPriority, schedule.StreamFlags:
		return h.property(in)
	case schedule.Invoke:
		return h.invoke(in, a)
	case schedule.LaunchWith:
		return h.launchWith(in, a)
	case schedule.Burst:
		return h.burst(in, a)
	case schedule.Pause:
		h.now += a.Dur
		return schedule.Success
	}
	return h.editGraph(in, a)
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
	h.streams[in.Stream.Index()] = stream{alive: true, kind: kind, priority: int8(clamped(priority)), latest: schedule.None}
	if h.engine.sms != nil {
		h.engine.sms.level[in.Stream.Index()] = levelOf(priority)
	}
	return schedule.Success
}

// The flags of cuEventCreate: documented are that an event for other processes must not be timed, and that there are no
// others.
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
