package sim

import (
	"time"

	"github.com/gpu-overlap/overlap/gpu/sim/hardware"
	"github.com/gpu-overlap/overlap/gpu/sim/tables"
	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/schedule"
)

// launchQueue is how many works of a connection are under way at most, when the machine does not say: the next launch
// holds the host until one has ended (L9; on the H200 1021 launches go through behind a kernel). It is counted where
// calls are made in bursts.
const launchQueue = 1022

// burst launches an empty kernel many times, and shows the first launch that held the host for a millisecond.
func (h *host) burst(in schedule.Instr, a schedule.Args) schedule.Code {
	s, first := &h.streams[in.Stream.Index()], int64(-1)
	if c := s.capture; c != nil {
		if c.lost {
			return schedule.CaptureInvalidated
		}
		for range a.Number {
			n := otherNode(hardware.Kernel, graph.KernelNode, schedule.None)
			n.priority, n.extra.api, n.extra.dur = s.priority, schedule.LaunchEmpty, short
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
	pending := h.pending(in.Stream.Index())
	for i := range a.Number {
		start := h.now
		for len(pending) > 0 && h.chip.Finished(pending[0], h.now) {
			pending = pending[1:]
		}
		if len(pending) >= depth {
			h.now = max(h.now, h.chip.Wait(pending[0]))
			pending = pending[1:]
		}
		h.now += h.m.Calls[schedule.Launch]
		h.enqueue(in.Stream.Index(), hardware.Kernel, short)
		pending = append(pending, s.tips)
		if first < 0 && h.now-start >= time.Millisecond {
			first = int64(i)
		}
	}
	h.shown.Values = []int64{first}
	return schedule.Success
}

// pending is what is under way in the connection that a stream's next work takes.
func (h *host) pending(id int32) (list [][]int32) {
	ids, shared := h.chip.UnderWay(id, h.now)
	if !shared {
		return [][]int32{h.streams[id].tips}
	}
	for _, w := range ids {
		list = append(list, h.works.single(w))
	}
	return list
}
