package sim

import (
	"slices"

	"github.com/gpu-overlap/overlap/gpu/sim/tables"
	"github.com/gpu-overlap/overlap/schedule"
)

// maxTips bounds how many works a stream waits for one by one; more are folded into one join.
const maxTips = 64

// arrive makes a stream ready for real work: it brings in what the legacy stream orders before it. Every arrive
// is followed by one leave.
func (h *host) arrive(id int32) *stream {
	s := &h.streams[id]
	switch {
	case id == h.legacy:
		h.gather()
	case s.kind == schedule.Blocking && h.legacy != schedule.None && s.barrier != h.barrier:
		s.tips = h.works.union(s.tips, h.streams[h.legacy].tips)
		s.barrier = h.barrier
	}
	return s
}

// gather brings the tips of all blocking streams into the legacy stream.
func (h *host) gather() {
	legacy := &h.streams[h.legacy]
	legacy.tips = h.works.union(legacy.tips, h.orphaned)
	h.orphaned = nil
	for _, b := range h.dirty {
		if s := &h.streams[b]; s.dirty {
			legacy.tips = h.works.union(legacy.tips, s.tips)
			s.dirty = false
		}
	}
	h.dirty = h.dirty[:0]
	h.fold(h.legacy)
}

// leave notes that a stream has new work, or new works to wait for.
func (h *host) leave(id int32) {
	s := &h.streams[id]
	switch {
	case id == h.legacy:
		h.barrier++
	case s.kind == schedule.Blocking && !s.dirty && h.legacy != schedule.None:
		s.dirty = true
		h.dirty = append(h.dirty, id)
	}
}

// fold keeps the tips of a stream few.
func (h *host) fold(id int32) {
	if s := &h.streams[id]; len(s.tips) > maxTips {
		s.tips = h.works.single(h.add(work{class: join, op: schedule.None, stream: id, launch: schedule.None}, s.tips))
	}
}

// add gives the device a work that comes after others.
func (h *host) add(w work, after []int32) int32 {
	id := h.engine.add(w)
	h.engine.after(id, after)
	h.engine.issue(id)
	return id
}

// launch is cuLaunchKernel, cuLaunchHostFunc and cuMemcpyAsync. A copy from or to pageable memory returns at its end
// (documented for D2H, and measured; for H2D it may return once the data is staged), unless it is a small one to the device.
func (h *host) launch(in schedule.Instr) schedule.Code {
	s, op := &h.streams[in.Stream.Index()], &h.p.Intent.Ops[in.Op.Index()]
	if c := s.capture; c != nil {
		if c.killed {
			return schedule.CaptureInvalidated
		}
		if s.data != nil || s.priority != 0 {
			return c.appendOp(s, classOf(op), in.Op.Index())
		}
		s.deps = c.node(classOf(op), in.Op.Index(), s.deps)
		return schedule.Success
	}
	if code := h.refuse(in, legacyLaunch(op), tables.LaunchOther); code != schedule.Success {
		return code
	}
	h.arrive(in.Stream.Index())
	w := work{class: classOf(op), op: in.Op.Index(), stream: in.Stream.Index(), launch: schedule.None,
		ready: h.now + h.m.LaunchToStart, dur: h.took(op), waited: s.waited}
	s.waited = false
	if h.stamps && op.Kind.Copies() {
		h.stamp(in.Stream.Index())
	}
	if w.class != hostFunc {
		w.connection = h.connect(s)
	}
	s.tips = h.works.single(h.add(w, s.tips))
	h.leave(in.Stream.Index())
	if h.m.LaunchBlocking || in.Verb == schedule.Copy && op.HoldsHost() {
		h.waitFor(s.tips)
	}
	return schedule.Success
}

// staged is up to how many bytes a copy from pageable memory is staged at once, so that the call returns (documented as
// 64 KiB; measured at 16 KiB and at 4 MiB).
const staged = 64 << 10

// record lets an event hold what the stream's next work would wait for.
func (h *host) record(in schedule.Instr) schedule.Code {
	stream, ev := in.Stream.Index(), in.Event.Index()
	s := &h.streams[stream]
	if c := s.capture; c != nil {
		if c.killed {
			return schedule.CaptureInvalidated
		}
		h.recordedIn(c, ev, s.deps, s.data)
		return schedule.Success
	}
	if code := h.refuse(in, tables.LegacyRecord, tables.RecordOther); code != schedule.Success {
		return code
	}
	h.arrive(stream)
	h.recorded(ev, s.tips)
	h.leave(stream)
	return schedule.Success
}

// wait adds what an event holds now to what the stream's next work waits for. That is nothing when it was never recorded.
func (h *host) wait(in schedule.Instr) schedule.Code {
	stream, ev := in.Stream.Index(), in.Event.Index()
	s, e := &h.streams[stream], &h.events[ev]
	if s.capture != nil && s.capture.killed {
		return schedule.CaptureInvalidated
	}
	if s.capture == nil && e.capture == nil {
		if code := h.refuse(in, tables.LegacyWait, tables.WaitOther); code != schedule.Success {
			return code
		}
	}
	switch {
	case !e.recorded:
		return schedule.Success
	case e.capture != nil:
		return h.waitCaptured(stream, ev)
	case s.capture != nil:
		s.capture.killed = true
		return schedule.CaptureIsolation
	}
	h.arrive(stream)
	s.waited = s.waited || len(e.tips) > 0
	s.tips = h.works.union(s.tips, e.tips)
	h.fold(stream)
	h.leave(stream)
	return schedule.Success
}

// lookAtStream is cuStreamSynchronize and cuStreamQuery.
func (h *host) lookAtStream(in schedule.Instr) schedule.Code {
	s, rows := &h.streams[in.Stream.Index()], queries
	if in.Verb.Blocks() {
		rows = syncs
	}
	if c := s.capture; c != nil { // also one that was lost before (measured)
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

// behindLegacy is what must have ended for the legacy stream to be idle: its own works and those of all blocking streams. To
// look at it orders nothing: its next work will wait for these, but not what a blocking stream is given before.
func (h *host) behindLegacy() []int32 {
	tips := h.works.union(shared(h.streams[h.legacy].tips), h.orphaned)
	for _, b := range h.dirty {
		if s := &h.streams[b]; s.dirty {
			tips = h.works.union(tips, s.tips)
		}
	}
	return tips
}

// lookAtEvent is cuEventSynchronize and cuEventQuery. An event of a killed capture counts as captured until the origin
// ends it; not measured.
func (h *host) lookAtEvent(in schedule.Instr) schedule.Code {
	e := &h.events[in.Event.Index()]
	if c := e.capture; c != nil {
		if c.ended || c.killed { // measured, both
			return schedule.InvalidValue
		}
		c.killed = true
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

// look waits for works, or says whether they have ended.
func (h *host) look(ids []int32, block bool) schedule.Code {
	if block {
		h.waitFor(ids)
		return schedule.Success
	}
	if h.engine.finished(ids, h.now) {
		return schedule.Success
	}
	return schedule.NotReady
}

// waitFor holds the host until works have ended.
func (h *host) waitFor(ids []int32) {
	if len(ids) > 0 {
		h.now = max(h.now, h.engine.wait(ids)+h.m.EndToReturn)
	}
}

// syncContext waits for all streams.
func (h *host) syncContext(in schedule.Instr) schedule.Code {
	killed := slices.ContainsFunc(h.captures, func(c *capture) bool { return c.killed })
	code := h.unsafe(in.Thread, tables.SyncContext)
	if killed && code == schedule.Success {
		code = schedule.CaptureInvalidated
	}
	if code == schedule.Success {
		h.waitForAll()
	}
	return code
}
