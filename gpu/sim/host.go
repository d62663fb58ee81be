package sim

import (
	"time"

	"github.com/gpu-overlap/overlap/schedule"
)

// stream is what the driver knows of a stream. A stream that is captured keeps its real tips: capturing severs them
// from what is captured, and the first work after the capture comes after them again.
type stream struct {
	alive   bool
	kind    schedule.StreamKind
	tips    []int32  // works that the stream's next work must wait for, beside the legacy stream's
	barrier int32    // the last barrier of the legacy stream that is among tips
	dirty   bool     // has tips that the legacy stream has not yet waited for; blocking streams only
	capture *capture // nil when not capturing
	deps    []int32  // nodes that the next captured node depends on

	connection uint8 // the hardware queue that it shares, from 1; 0 for one of its own
}

// event is what an event holds: nothing, a point in streams, or a point in a capture.
type event struct {
	alive    bool
	recorded bool
	tips     []int32  // works
	capture  *capture // nil when it was recorded outside
	deps     []int32  // nodes
}

// host interprets the calls of a program, one after the other, as the driver would.
type host struct {
	p   *schedule.Program
	m   *Machine
	now time.Duration // host time

	engine   engine
	noise    *noise
	works    sets
	streams  []stream
	events   []event
	captured []*capture // by graph: what a capture left there
	execs    []*exec    // by graph
	captures []*capture // those that have not ended, in the order of begin
	launches int32      // graph launches so far
	nodes    int        // that a capture of the Setup may have, to make room for them

	created, afterSetup int // streams so far, and when the Setup had run

	legacy   int32   // the id under which the legacy stream goes; None when the program has none
	barrier  int32   // barriers of the legacy stream so far
	dirty    []int32 // blocking streams whose tips the legacy stream must wait for
	orphaned []int32 // tips of blocking streams that were destroyed with work pending
}

// newHost has the streams and events that the program never creates: they exist from the start.
func newHost(p *schedule.Program, m *Machine) *host {
	h := &host{p: p, m: m, engine: newEngine(p, m), noise: newNoise(m.Noise), legacy: schedule.None}
	h.streams = make([]stream, len(p.Streams))
	for i, s := range p.Streams {
		h.streams[i] = stream{alive: true, kind: s.Kind}
		if s.Kind == schedule.Legacy && h.legacy == schedule.None {
			h.legacy = int32(i)
		}
	}
	h.events = make([]event, len(p.Events))
	for i := range h.events {
		h.events[i].alive = true
	}
	for _, instrs := range [][]schedule.Instr{p.Setup, p.Body} {
		for i := range instrs {
			switch in := &instrs[i]; in.Verb {
			case schedule.CreateStream:
				h.streams[in.Stream].alive = false
			case schedule.CreateEvent:
				h.events[in.Event].alive = false
			}
		}
	}
	h.nodes = nodesPerCapture(p.Setup)
	for i := range h.streams {
		if s := &h.streams[i]; s.alive && (s.kind != schedule.Legacy || h.legacy == int32(i)) {
			s.connection = h.connect()
		}
	}
	h.captured = make([]*capture, len(p.Graphs))
	h.execs = make([]*exec, len(p.Graphs))
	return h
}

// rest is what a drained device leaves: everything that was issued has ended.
func (h *host) rest() {
	h.now, h.launches, h.dirty, h.orphaned = 0, 0, h.dirty[:0], nil
	h.works.reset()
	h.created = h.afterSetup
	for i := range h.streams {
		s := &h.streams[i]
		s.tips, s.barrier, s.dirty = nil, h.barrier, false
	}
	for i := range h.events {
		h.events[i].tips = nil
	}
	for _, x := range h.execs {
		if x != nil {
			x.last = nil
		}
	}
}

// id is the stream under which an instruction's stream goes: all entries for the legacy stream are one.
func (h *host) id(s int32) int32 {
	if h.p.Streams[s].Kind == schedule.Legacy {
		return h.legacy
	}
	return s
}

// took is how long an op runs alone, in this repetition.
func (h *host) took(op *schedule.Op) time.Duration { return h.noise.dur(h.m.took(op), classOf(op)) }

// call makes one driver call: it takes its time, then it has its effect.
func (h *host) call(in schedule.Instr) schedule.Code {
	h.now += h.m.Calls[in.Verb]
	if uses[in.Verb]&usesStream != 0 {
		in.Stream = h.id(in.Stream)
		if !h.streams[in.Stream].alive && in.Verb != schedule.CreateStream {
			return schedule.InvalidHandle // of a destroyed stream; newer drivers leave it undefined
		}
	}
	if uses[in.Verb]&usesEvent != 0 && !h.events[in.Event].alive && in.Verb != schedule.CreateEvent {
		return schedule.InvalidHandle
	}
	switch in.Verb {
	case schedule.Launch, schedule.HostFunc, schedule.Copy:
		return h.launch(in)
	case schedule.Gate:
		return h.gate(in)
	case schedule.OpenGate:
		h.engine.openGate(h.now)
		return schedule.Success
	case schedule.Record:
		return h.record(in.Stream, in.Event)
	case schedule.Wait:
		return h.wait(in.Stream, in.Event)
	case schedule.BeginCapture:
		return h.beginCapture(in)
	case schedule.EndCapture:
		return h.endCapture(in)
	case schedule.Instantiate:
		return h.instantiate(in)
	case schedule.Upload:
		return h.upload(in)
	case schedule.Replay:
		return h.replay(in)
	case schedule.SyncStream, schedule.QueryStream:
		return h.lookAtStream(in)
	case schedule.SyncEvent, schedule.QueryEvent:
		return h.lookAtEvent(in)
	case schedule.SyncContext:
		return h.syncContext(in)
	}
	return h.handle(in)
}

// handle creates and destroys streams and events. Destroying returns at once; what was issued stays issued.
func (h *host) handle(in schedule.Instr) schedule.Code {
	switch in.Verb {
	case schedule.CreateStream:
		h.forget(in.Stream)
		h.streams[in.Stream] = stream{alive: true, kind: h.p.Streams[in.Stream].Kind, connection: h.connect()}
	case schedule.DestroyStream:
		if in.Stream == h.legacy {
			return schedule.InvalidHandle
		}
		h.forget(in.Stream)
		h.streams[in.Stream].alive = false
	case schedule.CreateEvent:
		h.events[in.Event] = event{alive: true}
	case schedule.DestroyEvent:
		h.events[in.Event] = event{}
	}
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
		s.capture, s.deps = nil, nil
		if c.origin == id {
			h.release(c) // the graph goes with its origin; not measured
		}
	}
}
