package sim

import (
	"slices"
	"time"

	"github.com/gpu-overlap/overlap/gpu"
	"github.com/gpu-overlap/overlap/gpu/sim/tables"
	"github.com/gpu-overlap/overlap/schedule"
)

// stream is what the driver knows of a stream. A stream that is captured keeps its real tips: capturing severs them
// from what is captured, and the first work after the capture comes after them again.
type stream struct {
	alive   bool
	kind    schedule.StreamKind
	tips    []int32    // works that the stream's next work must wait for, beside the legacy stream's
	barrier int32      // the last barrier of the legacy stream that is among tips
	waited  bool       // for an event, since its last op
	dirty   bool       // has tips that the legacy stream has not yet waited for; blocking streams only
	capture *capture   // nil when not capturing
	deps    []int32    // nodes that the next captured node depends on
	data    []edgeData // of the edges from these; nil when all are plain

	latest     int32 // its latest work that went through a connection; None when none did
	connection uint8 // of that, from 1; 0 for one of its own
	priority   int8
}

// event is what an event holds: nothing, a point in streams, or a point in a capture.
type event struct {
	alive    bool
	recorded bool
	untimed  bool     // it was created without timing
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
	captured []*template // by graph: what a capture, or the program itself, left there
	execs    []*exec     // by graph
	captures []*capture  // those that have not ended, in the order of begin
	launches int32       // graph launches so far

	elsewhere int32                  // the stream on which calls work that name none
	perThread int32                  // the default stream of thread 0; those of the others follow
	modes     []schedule.CaptureMode // by thread
	tables    tables.Tables
	seen      []*capture    // in the order in which the program asked for them
	allocated int           // pieces of memory that MemAllocAsync gave and none freed
	pooled    bool          // the last of them was given outside captures
	lost      []lostHandles // by graph

	noted   []note // by event; none in programs that need none
	records int32  // so far

	stamps bool      // the spans of copies are seen as on a GPU
	shown  *gpu.Step // what the call under way shows beside its code; never nil
	nodes  int       // that a capture of the Setup may have, to make room for them

	legacy   int32   // the id under which the legacy stream goes; None when the program has none
	barrier  int32   // barriers of the legacy stream so far
	dirty    []int32 // blocking streams whose tips the legacy stream must wait for
	orphaned []int32 // tips of blocking streams that were destroyed with work pending
}

// newHost has the streams and events that the program never creates: they exist from the start.
func newHost(p *schedule.Program, m *Machine, t tables.Tables) *host {
	h := &host{tables: t, p: p, m: m, shown: &gpu.Step{}, engine: newEngine(p, m), noise: newNoise(m.Noise), legacy: schedule.None}
	h.streams = make([]stream, len(p.Streams))
	for i, s := range p.Streams {
		h.streams[i] = stream{alive: true, kind: s.Kind}
		if s.Kind.Created() {
			h.streams[i].priority = int8(clamped(s.Priority))
		}
		if s.Kind == schedule.Legacy && h.legacy == schedule.None {
			h.legacy = int32(i)
		}
	}
	h.events = make([]event, len(p.Events))
	for i := range h.events {
		h.events[i].alive = true
	}
	h.noted = notes(p)
	h.ownStreams(threads(p))
	for _, instrs := range [][]schedule.Instr{p.Setup, p.Body} {
		for i := range instrs {
			switch in := &instrs[i]; in.Verb {
			case schedule.CreateStream:
				h.streams[in.Stream.Index()].alive = false
			case schedule.CreateEvent:
				h.events[in.Event.Index()].alive = false
			}
		}
	}
	h.nodes = nodesPerCapture(p.Setup)
	for i := range h.streams {
		h.streams[i].latest = schedule.None
	}
	h.captured = make([]*template, len(p.Graphs))
	h.execs = make([]*exec, len(p.Graphs))
	h.lost = make([]lostHandles, len(p.Graphs))
	return h
}

// rest is what a drained device leaves: everything that was issued has ended.
func (h *host) rest() {
	h.now, h.launches, h.dirty, h.orphaned = 0, 0, h.dirty[:0], nil
	h.works.reset()
	for i := range h.streams {
		s := &h.streams[i]
		s.tips, s.barrier, s.waited, s.dirty, s.latest = nil, h.barrier, false, false, schedule.None
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

// took is how long an op runs alone, in this repetition.
func (h *host) took(op *schedule.Op) time.Duration { return h.noise.dur(h.m.took(op), classOf(op)) }

// call makes one driver call: it takes its time, then it has its effect.
func (h *host) call(in schedule.Instr) schedule.Code {
	h.now += h.m.Calls[in.Verb]
	if in.Verb.Takes()&schedule.TakesStream != 0 || in.Verb == schedule.Invoke && in.Stream.Index() >= 0 {
		in.Stream = schedule.At(h.id(in.Stream.Index(), in.Thread))
		if !h.streams[in.Stream.Index()].alive && in.Verb != schedule.CreateStream {
			return schedule.InvalidHandle // of a destroyed stream; newer drivers leave it undefined
		}
	}
	if in.Verb.Takes()&schedule.TakesEvent != 0 && (in.Event.Index() < 0 || !h.events[in.Event.Index()].alive && in.Verb != schedule.CreateEvent) {
		return schedule.InvalidHandle // a NULL event too
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
		return h.record(in)
	case schedule.Wait:
		return h.wait(in)
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
	if in.Verb.Role() == schedule.OfProbe {
		return h.probe(in)
	}
	return h.handle(in)
}

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
