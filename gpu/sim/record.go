package sim

import (
	"github.com/gpu-overlap/overlap/gpu/sim/tables"
	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/schedule"
)

// record lets an event hold what the stream's next work would wait for.
func (h *host) record(in schedule.Instr) schedule.Code {
	stream, ev := in.Stream.Index(), in.Event.Index()
	s := &h.streams[stream]
	if c := s.capture; c != nil {
		if c.lost {
			return schedule.CaptureInvalidated
		}
		h.recordedIn(c, ev, s.deps, s.data)
		return schedule.Success
	}
	if code := h.refuse(in, tables.LegacyRecord, tables.RecordOther); code != schedule.Success {
		return code
	}
	h.beforeWork(stream)
	h.recorded(ev, s.tips)
	h.afterWork(stream)
	return schedule.Success
}

// external is the flag of records and waits that become nodes.
const external = 1

// recordExternal is cuEventRecordWithFlags. In a capture an external record becomes a node, and leaves the event as
// it is; outside it makes no sense.
func (h *host) recordExternal(in schedule.Instr, a schedule.Args) schedule.Code {
	s := &h.streams[in.Stream.Index()]
	switch {
	case a.Number&^external != 0:
		return schedule.InvalidValue
	case a.Number == 0:
		return h.record(in)
	case s.capture == nil:
		return h.outside(in, tables.LegacyRecord, tables.RecordOther)
	}
	return s.capture.event(s, graph.EventRecordNode, in.Event.Index())
}

// outside is what an external record or wait gives that is not captured.
func (h *host) outside(in schedule.Instr, legacy tables.LegacyCall, other tables.UnsafeCall) schedule.Code {
	if code := h.refuse(in, legacy, other); code != schedule.Success {
		return code
	}
	return schedule.IllegalState
}
