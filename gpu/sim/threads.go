package sim

import (
	"github.com/gpu-overlap/overlap/gpu/sim/tables"
	"github.com/gpu-overlap/overlap/schedule"
)

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

// caller says as what a thread stands to a capture. The mode of a thread lets it ignore captures of others unless it is
// global, and its own when it is relaxed.
func (h *host) caller(c *capture, thread int32) tables.Caller {
	own, mode := c.thread == thread, h.modes[thread]
	switch {
	case own && mode != schedule.Relaxed:
		return tables.Owner
	case !own && mode == schedule.Global:
		return tables.Other
	}
	return tables.Exchanged
}
