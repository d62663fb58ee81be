package sim

import (
	"time"

	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/schedule"
)

// launchQueue is how many launches of a hardware queue wait at most for their turn on the device, when the machine does not say: the
// next holds the host until one has ended. It is counted where calls are made in bursts.
const launchQueue = 1022

// burst launches an empty kernel many times, and shows the first launch that held the host for a millisecond.
func (h *host) burst(in schedule.Instr, a schedule.Args) schedule.Code {
	s, first := &h.streams[in.Stream], int64(-1)
	if c := s.capture; c != nil {
		if c.killed {
			return schedule.CaptureInvalidated
		}
		for range a.Number {
			n := node{class: kernel, priority: s.priority, op: schedule.None,
				more: &more{kind: graph.KernelNode, name: schedule.None, event: schedule.None, api: schedule.LaunchEmpty, dur: short}}
			c.append(s, n)
		}
		h.shown.Values = []int64{first}
		return schedule.Success
	}
	if code := h.refuse(in, "legacy: call launch-empty", "s9: call launch-empty"); code != schedule.Success {
		return code
	}
	depth := h.m.LaunchQueue
	if depth == 0 {
		depth = launchQueue
	}
	queue := -1 - in.Stream // its own
	if s.connection > 0 {
		queue = int32(s.connection)
	}
	if h.pending == nil {
		h.pending = map[int32][][]int32{}
	}
	pending := h.pending[queue]
	for i := range a.Number {
		start := h.now
		for len(pending) > 0 && h.engine.finished(pending[0], h.now) {
			pending = pending[1:]
		}
		if len(pending) >= depth {
			h.now = max(h.now, h.engine.wait(pending[0]))
			pending = pending[1:]
		}
		if i == 0 && len(s.tips) > 0 && !h.engine.finished(s.tips, h.now) {
			pending = append(pending, s.tips)
		}
		h.now += h.m.Calls[schedule.Launch]
		h.enqueue(in.Stream, kernel, short)
		pending = append(pending, s.tips)
		if first < 0 && h.now-start >= time.Millisecond {
			first = int64(i)
		}
	}
	h.pending[queue] = pending
	h.shown.Values = []int64{first}
	return schedule.Success
}
