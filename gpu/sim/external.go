package sim

import (
	"time"

	"github.com/gpu-overlap/overlap/gpu/sim/tables"
	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/schedule"
)

// external is the flag of records and waits that become nodes.
const external = 1

// recordExternal is cuEventRecordWithFlags. In a capture an external record becomes a node, and leaves the event as it is;
// outside it makes no sense.
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

// waitExternal is cuStreamWaitEvent with flags.
func (h *host) waitExternal(in schedule.Instr, a schedule.Args) schedule.Code {
	s := &h.streams[in.Stream.Index()]
	switch {
	case a.Number&^external != 0:
		return schedule.InvalidValue
	case a.Number == 0:
		return h.wait(in)
	case s.capture == nil:
		return h.outside(in, tables.LegacyWait, tables.WaitOther)
	}
	return s.capture.event(s, graph.WaitEventNode, in.Event.Index())
}

// outside is what an external record or wait gives that is not captured.
func (h *host) outside(in schedule.Instr, legacy tables.LegacyCall, other tables.UnsafeCall) schedule.Code {
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

// append gives a captured stream a node that is more than an op. An edge may be programmatic whatever node it leads to.
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
		case c != nil && (c.ended || c.killed): // of a lost one: taken over from the other calls that look at an event
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
		if !h.engine.finished(e.tips, h.now) {
			return schedule.NotReady
		}
		ev := [2]int32{in.Event.Index(), a.Event.Index()}[i]
		last := h.noted[ev].at
		for _, id := range e.tips {
			last = max(last, h.engine.works[id].end)
		}
		at[i].time, at[i].order = int64(last), h.noted[ev].order
	}
	h.shown.Values = []int64{sign(at[1].time-at[0].time, int64(at[1].order-at[0].order))}
	return schedule.Success
}

// note is what few programs need to know of an event: host time and order of its record, or the data of the edges to what
// waits for it in a capture; nil when all are plain.
type note struct {
	at    time.Duration
	order int32
	data  []edgeData
}

// notes are those of a program that asks for times, or has edges that are not plain.
func notes(p *schedule.Program) []note {
	for _, instrs := range [][]schedule.Instr{p.Setup, p.Body} {
		for i := range instrs {
			if v := instrs[i].Verb; v == schedule.Elapsed || v == schedule.LaunchWith {
				return make([]note, len(p.Events))
			}
		}
	}
	return nil
}

// recorded lets an event hold works.
func (h *host) recorded(ev int32, tips []int32) {
	e := &h.events[ev]
	*e = event{alive: true, recorded: true, untimed: e.untimed, tips: tips}
	if h.noted != nil {
		h.records++
		h.noted[ev] = note{at: h.now, order: h.records}
	}
}

// recordedIn lets an event hold nodes of a capture.
func (h *host) recordedIn(c *capture, ev int32, deps []int32, data []edgeData) {
	e := &h.events[ev]
	*e = event{alive: true, recorded: true, untimed: e.untimed, capture: c, deps: deps}
	if h.noted != nil {
		h.noted[ev] = note{data: data}
	}
}

// edgesOf is the data of the edges from what a captured event holds.
func (h *host) edgesOf(ev int32) []edgeData {
	if h.noted == nil {
		return nil
	}
	return h.noted[ev].data
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
