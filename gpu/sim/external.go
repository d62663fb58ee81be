package sim

import (
	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/schedule"
)

// external is the flag of records and waits that become nodes.
const external = 1

// recordExternal is cuEventRecordWithFlags. In a capture an external record becomes a node, and leaves the event as it is;
// outside it makes no sense.
func (h *host) recordExternal(in schedule.Instr, a schedule.Args) schedule.Code {
	s := &h.streams[in.Stream]
	switch {
	case a.Number&^external != 0:
		return schedule.InvalidValue
	case a.Number == 0:
		return h.record(in)
	case s.capture == nil:
		return h.outside(in, "legacy: record f", "s9: record f")
	}
	return s.capture.event(s, graph.EventRecordNode, in.Event)
}

// waitExternal is cuStreamWaitEvent with flags.
func (h *host) waitExternal(in schedule.Instr, a schedule.Args) schedule.Code {
	s := &h.streams[in.Stream]
	switch {
	case a.Number&^external != 0:
		return schedule.InvalidValue
	case a.Number == 0:
		return h.wait(in)
	case s.capture == nil:
		return h.outside(in, "legacy: wait r", "s9: wait e")
	}
	return s.capture.event(s, graph.WaitEventNode, in.Event)
}

// outside is what an external record or wait gives that is not captured.
func (h *host) outside(in schedule.Instr, legacy, other string) schedule.Code {
	if code := h.refuse(in, legacy, other); code != schedule.Success {
		return code
	}
	return schedule.IllegalState
}

// event appends an event node.
func (c *capture) event(s *stream, kind graph.Kind, ev int32) schedule.Code {
	if c.killed {
		return schedule.CaptureInvalidated
	}
	return c.append(s, eventNode(kind, schedule.None, ev))
}

func eventNode(kind graph.Kind, name, ev int32) node {
	return node{class: join, op: schedule.None, more: &more{kind: kind, name: name, event: ev}}
}

// append gives a captured stream a node that is more than an op. Any kind may stand behind a programmatic edge (measured).
func (c *capture) append(s *stream, n node) schedule.Code {
	if s.data != nil {
		n.refined().data = s.data
	}
	n.deps = s.deps
	c.nodes = append(c.nodes, n)
	s.deps, s.data = c.sets.single(int32(len(c.nodes)-1)), nil
	return schedule.Success
}

// refined makes room for what most nodes do not have.
func (n *node) refined() *more {
	if n.more == nil {
		n.more = &more{kind: n.kind(), name: n.op, event: schedule.None}
	}
	return n.more
}

// elapsed is cuEventElapsedTime. Two records at one time are in the order in which they were made.
func (h *host) elapsed(in schedule.Instr, a schedule.Args) schedule.Code {
	const withoutResult = 1
	var at [2]struct {
		time  int64
		order int32
	}
	for _, ev := range [2]int32{in.Event, a.Event} {
		if ev == schedule.Null || !h.events[ev].alive {
			return schedule.InvalidHandle
		}
	}
	if a.Number == withoutResult {
		return schedule.InvalidValue
	}
	if code := h.unsafe(in.Thread, "call elapsed-elsewhere"); code != schedule.Success {
		return code
	}
	events := [2]*event{&h.events[in.Event], &h.events[a.Event]}
	for _, e := range events {
		switch c := e.capture; {
		case c != nil && c.ended:
			return schedule.InvalidValue
		case c != nil:
			c.killed = true
			return schedule.CapturedEvent
		case !e.recorded || e.untimed:
			return schedule.InvalidHandle
		}
	}
	for i, e := range events {
		if !h.engine.finished(e.tips, h.now) {
			return schedule.NotReady
		}
		last := e.at
		for _, id := range e.tips {
			last = max(last, h.engine.works[id].end)
		}
		at[i].time, at[i].order = int64(last), e.order
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
