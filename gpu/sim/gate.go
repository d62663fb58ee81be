package sim

import (
	"time"

	"github.com/gpu-overlap/overlap/gpu/sim/tables"
	"github.com/gpu-overlap/overlap/schedule"
)

// gateLimit is how long a gate holds its stream, by its own clock, when nobody opens it.
const gateLimit = time.Second

// gate launches a kernel that holds its stream until the host's store of openGate. Into a capture it is not supported here:
// nothing needs it.
func (h *host) gate(in schedule.Instr) schedule.Code {
	if c := h.streams[in.Stream.Index()].capture; c != nil {
		if c.killed {
			return schedule.CaptureInvalidated
		}
		return schedule.NotSupported
	}
	if code := h.refuseLegacy(in.Stream.Index(), tables.LegacyLaunch); code != schedule.Success {
		return code
	}
	s := h.arrive(in.Stream.Index())
	s.tips = h.works.single(h.add(work{class: gate, op: schedule.None, stream: in.Stream.Index(), launch: schedule.None,
		ready: h.now + h.m.LaunchToStart, dur: gateLimit, connection: h.connect(s)}, s.tips))
	h.leave(in.Stream.Index())
	if h.m.LaunchBlocking {
		h.waitFor(s.tips)
	}
	return schedule.Success
}

// openGate ends the gates that run and those that are to come in this repetition: the store stays. It reaches the device
// at once (not measured).
func (e *engine) openGate(now time.Duration) {
	e.pass(now)
	e.open = true
	for _, id := range e.gates {
		if w := &e.works[id]; !w.done {
			e.end(id, max(w.ready, now))
		}
	}
	e.gates = e.gates[:0]
}

// closed says how long a gate that starts now may last.
func (e *engine) closed(id int32) time.Duration {
	if e.open {
		return 0
	}
	e.gates = append(e.gates, id)
	return gateLimit
}
