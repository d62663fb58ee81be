package sim

import (
	"github.com/gpu-overlap/overlap/gpu/sim/hardware"
	"github.com/gpu-overlap/overlap/gpu/sim/tables"
	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/schedule"
)

// invoke makes a call on resources of its own.
func (h *host) invoke(in schedule.Instr, a schedule.Args) schedule.Code {
	if !a.API.OnStream() {
		return h.invokeAlone(in, a.API)
	}
	d, s := &effects[a.API], &h.streams[in.Stream.Index()]
	c := s.capture
	switch {
	case d.code != schedule.Success:
		return d.code
	case a.API == schedule.MemFreeAsync && h.allocated == 0:
		return schedule.InvalidHandle
	case c == nil:
		return h.invokeReal(in, a.API, d)
	case c.lost:
		return schedule.CaptureInvalidated
	case d.refused:
		c.lost = true
		return schedule.CaptureUnsupported
	case d.nothing:
		return schedule.Success
	case a.API == schedule.MemFreeAsync && h.pooled: // a graph frees what a graph allocates (N6)
		return schedule.InvalidValue
	}
	if code := h.unsafeFor(c, in.Thread, invokedCapturing(a.API)); code != schedule.Success {
		return code
	}
	n := otherNode(d.class, d.kind, a.Node.Index())
	n.extra.api, n.extra.dur = a.API, short
	switch a.API {
	case schedule.LaunchEmpty:
		n.priority = s.priority
	case schedule.LaunchHostQuery:
		n.extra.asked = h.shown
	}
	code := c.append(s, n)
	if code == schedule.Success {
		h.counted(a.API, false)
	}
	return code
}

// counted keeps count of memory, which comes from the device's pool where no graph allocates it.
func (h *host) counted(api schedule.API, pooled bool) {
	switch api {
	case schedule.MemAllocAsync:
		h.allocated++
		h.pooled = pooled
	case schedule.MemFreeAsync:
		h.allocated--
	}
}

func (h *host) invokeReal(in schedule.Instr, api schedule.API, d *effect) schedule.Code {
	legacy := tables.LegacyLaunch
	switch d.kind {
	case graph.MemcpyNode:
		legacy = tables.LegacyMemcpy
	case graph.MemsetNode:
		legacy = tables.LegacyMemset
	case graph.HostNode:
		legacy = tables.LegacyHost
	}
	if code := h.refuse(in, legacy, invokedOther[api]); code != schedule.Success || d.nothing {
		return code
	}
	if d.pageable {
		h.beforeWork(in.Stream.Index())
		h.waitFor(h.streams[in.Stream.Index()].tips)
		h.afterWork(in.Stream.Index())
	}
	h.enqueue(in.Stream.Index(), d.class, short)
	if d.pageable {
		h.waitFor(h.streams[in.Stream.Index()].tips)
	}
	h.counted(api, true)
	if api == schedule.LaunchHostQuery {
		h.shown.Values = hostQuery
	}
	return schedule.Success
}

// invokeAlone makes a call that takes no stream. What freed memory would hold up is the whole device (L13).
func (h *host) invokeAlone(in schedule.Instr, api schedule.API) schedule.Code {
	if api == schedule.MemcpySync {
		if code := h.usesLegacy(tables.LegacyMemcpySync); code != schedule.Success {
			return code
		}
	}
	if code := h.unsafe(in.Thread, invokedAlone[api]); code != schedule.Success {
		return code
	}
	switch api {
	case schedule.MemAllocNothing:
		return schedule.InvalidValue
	case schedule.MemFree, schedule.MemFreeHost:
		h.waitForAll()
	case schedule.MemcpySync:
		h.copySync()
	case schedule.LaunchElsewhere, schedule.ReplayElsewhere:
		h.enqueue(h.elsewhere, hardware.Kernel, short)
	}
	return schedule.Success
}

// copySync copies on the legacy stream and waits for it.
func (h *host) copySync() {
	id := h.legacy
	if id == schedule.None {
		id = h.elsewhere // nothing is ordered by a legacy stream that the program does not have
	}
	h.enqueue(id, hardware.ToDevice, short)
	h.waitFor(h.streams[id].tips)
}
