package sim

import "github.com/gpu-overlap/overlap/schedule"

// threads is how many host threads a program has.
func threads(p *schedule.Program) int32 {
	last := int32(0)
	for _, instrs := range [][]schedule.Instr{p.Setup, p.Body} {
		for i := range instrs {
			last = max(last, instrs[i].Thread)
		}
	}
	return last + 1
}

// Behind the streams of the program stand those that it does not name: one on which calls work elsewhere, and the default
// stream of each thread, which is a blocking one.
func (h *host) ownStreams(n int32) {
	h.elsewhere = int32(len(h.streams))
	h.streams = append(h.streams, stream{alive: true, kind: schedule.NonBlocking})
	h.perThread = int32(len(h.streams))
	for range n {
		h.streams = append(h.streams, stream{alive: true, kind: schedule.Blocking})
	}
	h.modes = make([]schedule.CaptureMode, n)
}

// id is the stream under which an instruction's stream goes: all entries for the legacy stream are one, and so are those
// for the default stream of a thread.
func (h *host) id(s, thread int32) int32 {
	switch h.p.Streams[s].Kind {
	case schedule.Legacy:
		return h.legacy
	case schedule.PerThread:
		return h.perThread + thread
	}
	return s
}

// exchange is cuThreadExchangeStreamCaptureMode: the mode belongs to the thread. The driver takes any number.
func (h *host) exchange(in schedule.Instr) schedule.Code {
	h.shown.Values = []int64{int64(h.modes[in.Thread])}
	h.modes[in.Thread] = in.Mode
	return schedule.Success
}

// unsafe says what a call gives that could interfere with a capture, and does to each capture what the table says. One that
// was lost before still refuses what it refused, until it is ended (measured).
func (h *host) unsafe(thread int32, call string) schedule.Code {
	code := schedule.Success
	if len(h.captures) == 0 {
		return code
	}
	row, ok := h.tables.unsafe.rows[call]
	if !ok {
		return code
	}
	for _, c := range h.captures {
		cell := row[h.caller(c, thread)*numModes+int(c.mode)]
		if code == schedule.Success {
			code = cell.code
		}
		c.killed = c.killed || cell.lost
	}
	return code
}

// unsafeFor is unsafe for the one capture that the call asks after.
func (h *host) unsafeFor(c *capture, thread int32, call string) schedule.Code {
	cell := h.tables.unsafe.cell(call, h.caller(c, thread)*numModes+int(c.mode))
	c.killed = c.killed || cell.lost
	return cell.code
}

// refuse is what a call gives that works on a stream which does not capture, while others do.
func (h *host) refuse(in schedule.Instr, legacy, other string) schedule.Code {
	if len(h.captures) == 0 {
		return schedule.Success
	}
	if code := h.refuseLegacy(in.Stream.Index(), legacy); code != schedule.Success {
		return code
	}
	return h.unsafe(in.Thread, other)
}

// lookCall is how the tables spell a query or a sync of a stream.
func lookCall(in schedule.Instr, stream string) string {
	if in.Verb.Blocks() {
		return stream + ": sync"
	}
	return stream + ": query"
}

// legacyLaunch is how table legacy spells a launch.
func legacyLaunch(op *schedule.Op) string {
	switch classOf(op) {
	case hostFunc:
		return "legacy: host H 20us"
	case toDevice, toHost:
		return "legacy: call memcpy-htod"
	}
	return "legacy: call launch-empty"
}

// The callers of table unsafe, in the order of its columns.
const (
	byOwner = iota
	byOther
	byExchanged
)

const numModes = int(schedule.Relaxed) + 1

// caller says as what a thread stands to a capture. The mode of a thread lets it ignore captures of others unless it is
// global, and its own when it is relaxed.
func (h *host) caller(c *capture, thread int32) int {
	own, mode := c.thread == thread, h.modes[thread]
	switch {
	case own && mode != schedule.Relaxed:
		return byOwner
	case !own && mode == schedule.Global:
		return byOther
	}
	return byExchanged
}

// refuseLegacy says what a call on the legacy stream gives while streams capture, and does to each capture what the table
// says.
func (h *host) refuseLegacy(id int32, call string) schedule.Code {
	if id != h.legacy || len(h.captures) == 0 {
		return schedule.Success
	}
	return h.usesLegacy(call)
}

func (h *host) usesLegacy(call string) schedule.Code {
	code := schedule.Success
	row, ok := h.tables.legacy.rows[call]
	if !ok {
		return code
	}
	for _, c := range h.captures {
		cell := row[h.beside(c)]
		if code == schedule.Success || cell.code == schedule.CaptureImplicit { // which comes before all that is wrong otherwise
			code = cell.code
		}
		c.killed = c.killed || cell.lost
	}
	return code
}

// The captures of table legacy, in the order of its columns.
const (
	nonBlockingCapture = iota
	blockingOrigin
	blockingFork
	perThreadOrigin
)

// beside says beside what kind of capture the legacy stream is used.
func (h *host) beside(c *capture) int {
	switch {
	case !c.blocking:
		return nonBlockingCapture
	case c.origin >= h.perThread:
		return perThreadOrigin
	case h.streams[c.origin].kind == schedule.Blocking:
		return blockingOrigin
	}
	return blockingFork
}
