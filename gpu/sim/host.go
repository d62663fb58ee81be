package sim

import (
	"time"

	"github.com/gpu-overlap/overlap/gpu"
	"github.com/gpu-overlap/overlap/gpu/sim/hardware"
	"github.com/gpu-overlap/overlap/gpu/sim/tables"
	"github.com/gpu-overlap/overlap/schedule"
)

// host interprets the calls of a program, one after the other, as the driver would.
type host struct {
	p   *schedule.Program
	m   *Machine
	now time.Duration // host time

	chip     *hardware.Chip
	jitter   *hardware.Jitter
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
	seen      []*capture // in the order in which the program asked for them
	allocated int        // pieces of memory that MemAllocAsync gave and none freed
	pooled    bool       // the last of them was given outside captures
	destroyed []handles  // by graph

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
	h := &host{tables: t, p: p, m: m, shown: &gpu.Step{}, jitter: hardware.NewJitter(m.Noise), legacy: schedule.None}
	h.streams = make([]stream, len(p.Streams))
	for i, s := range p.Streams {
		h.streams[i] = stream{alive: true, kind: s.Kind}
		if s.Kind.Created() {
			h.streams[i].priority = hardware.Clamped(s.Priority)
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
	h.chip = hardware.New(&m.Spec, p.Intent.Ops, load(p, len(h.streams)))
	h.captured = make([]*template, len(p.Graphs))
	h.execs = make([]*exec, len(p.Graphs))
	h.destroyed = make([]handles, len(p.Graphs))
	return h
}

// Behind the streams of the program stand those that it does not name: one on which calls work elsewhere, and the
// default stream of each thread, which is a blocking one.
func (h *host) ownStreams(n int32) {
	h.elsewhere = int32(len(h.streams))
	h.streams = append(h.streams, stream{alive: true, kind: schedule.NonBlocking})
	h.perThread = int32(len(h.streams))
	for range n {
		h.streams = append(h.streams, stream{alive: true, kind: schedule.Blocking})
	}
	h.modes = make([]schedule.CaptureMode, n)
}

// id is the stream under which an instruction's stream goes: all entries for the legacy stream are one, and so are
// those for the default stream of a thread.
func (h *host) id(s, thread int32) int32 {
	switch h.p.Streams[s].Kind {
	case schedule.Legacy:
		return h.legacy
	case schedule.PerThread:
		return h.perThread + thread
	}
	return s
}

// forgetWorks comes when the device is drained: everything that was issued has ended.
func (h *host) forgetWorks() {
	h.now, h.launches, h.dirty, h.orphaned = 0, 0, h.dirty[:0], nil
	h.works.reset()
	for i := range h.streams {
		s := &h.streams[i]
		s.tips, s.barrier, s.waited, s.dirty = nil, h.barrier, false, false
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

// alone is how long an op runs alone, in this repetition.
func (h *host) alone(op *schedule.Op) time.Duration {
	return h.jitter.Dur(h.m.Alone(op), hardware.ClassOf(op))
}
