package sim

import (
	"time"

	"github.com/gpu-overlap/overlap/gpu/sim/tables"
	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/schedule"
)

// launchQueue is how many works of a connection are under way at most, when the machine does not say: the next launch holds
// the host until one has ended (measured on the H200: behind a kernel 1021 launches go through). It is counted where calls are
// made in bursts.
const launchQueue = 1022

// burst launches an empty kernel many times, and shows the first launch that held the host for a millisecond.
func (h *host) burst(in schedule.Instr, a schedule.Args) schedule.Code {
	s, first := &h.streams[in.Stream.Index()], int64(-1)
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
	if code := h.refuse(in, tables.LegacyLaunch, tables.LaunchOther); code != schedule.Success {
		return code
	}
	depth := h.m.LaunchQueue
	if depth == 0 {
		depth = launchQueue
	}
	pending := h.pending(s)
	for i := range a.Number {
		start := h.now
		for len(pending) > 0 && h.engine.finished(pending[0], h.now) {
			pending = pending[1:]
		}
		if len(pending) >= depth {
			h.now = max(h.now, h.engine.wait(pending[0]))
			pending = pending[1:]
		}
		h.now += h.m.Calls[schedule.Launch]
		h.enqueue(in.Stream.Index(), kernel, short)
		pending = append(pending, s.tips)
		if first < 0 && h.now-start >= time.Millisecond {
			first = int64(i)
		}
	}
	h.shown.Values = []int64{first}
	return schedule.Success
}

// pending is what is under way in the connection that a stream's next work takes.
func (h *host) pending(s *stream) (list [][]int32) {
	e := &h.engine
	if len(e.connections) == 0 {
		return [][]int32{s.tips}
	}
	latest := s.latest
	n := h.connect(s)
	s.latest = latest // nothing is issued yet
	for _, id := range e.connections[n-1].items {
		if !e.works[id].done {
			list = append(list, h.works.single(id))
		}
	}
	return list
}
