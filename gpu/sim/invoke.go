package sim

import (
	"time"

	"github.com/gpu-overlap/overlap/gpu/sim/tables"
	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/schedule"
)

// short is how long the works of calls take that bring works of their own: next to nothing, but more than no time.
const short = time.Microsecond

// deed is what a call on a stream does: the node that it becomes in a capture, the work that it makes outside.
type deed struct {
	kind     graph.Kind
	class    class
	nothing  bool          // neither node nor work
	pageable bool          // outside a capture the host waits for the stream, then for the copy
	refused  bool          // in a capture
	code     schedule.Code // always
}

// deeds are those of the calls on streams.
var deeds = [schedule.MemAlloc]deed{
	schedule.MemcpyHtoD:         {kind: graph.MemcpyNode, class: toDevice},
	schedule.MemcpyHtoDPageable: {kind: graph.MemcpyNode, class: toDevice, pageable: true},
	schedule.MemcpyDtoH:         {kind: graph.MemcpyNode, class: toHost},
	schedule.MemcpyDtoHPageable: {kind: graph.MemcpyNode, class: toHost, pageable: true},
	schedule.MemcpyDtoD:         {kind: graph.MemcpyNode, class: kernel},
	schedule.MemsetD8:           {kind: graph.MemsetNode, class: kernel},
	schedule.MemsetD32:          {kind: graph.MemsetNode, class: kernel},
	schedule.Memset2D:           {kind: graph.MemsetNode, class: kernel},
	schedule.MemsetNothing:      {nothing: true},
	schedule.MemAllocAsync:      {kind: graph.MemAllocNode, class: join},
	schedule.MemFreeAsync:       {kind: graph.MemFreeNode, class: join},
	schedule.WriteValue:         {kind: graph.BatchMemOpNode, class: join},
	schedule.AddCallback:        {class: hostFunc, refused: true},
	schedule.AttachMem:          {class: join, refused: true},
	schedule.LaunchHostNull:     {code: schedule.InvalidValue},
	schedule.LaunchHostQuery:    {kind: graph.HostNode, class: hostFunc},
	schedule.LaunchEmpty:        {kind: graph.KernelNode, class: kernel},
}

// hostQuery is what a host function gets that queries its stream, where it runs itself.
var hostQuery = []int64{int64(schedule.NotReady)}

// invoke makes a call on resources of its own.
func (h *host) invoke(in schedule.Instr, a schedule.Args) schedule.Code {
	if !a.API.OnStream() {
		return h.invokeAlone(in, a.API)
	}
	d, s := &deeds[a.API], &h.streams[in.Stream.Index()]
	c := s.capture
	switch {
	case d.code != schedule.Success:
		return d.code
	case a.API == schedule.MemFreeAsync && h.allocated == 0:
		return schedule.InvalidHandle
	case c == nil:
		return h.invokeReal(in, a.API, d)
	case c.killed:
		return schedule.CaptureInvalidated
	case d.refused:
		c.killed = true
		return schedule.CaptureUnsupported
	case d.nothing:
		return schedule.Success
	case a.API == schedule.MemFreeAsync && h.pooled: // a graph frees what a graph allocates (measured)
		return schedule.InvalidValue
	}
	if code := h.unsafeFor(c, in.Thread, invokedCapturing(a.API)); code != schedule.Success {
		return code
	}
	n := node{class: d.class, op: schedule.None, more: &more{kind: d.kind, name: a.Node.Index(), event: schedule.None, api: a.API, dur: short}}
	switch a.API {
	case schedule.LaunchEmpty:
		n.priority = s.priority
	case schedule.LaunchHostQuery:
		n.more.asked = h.shown
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

func (h *host) invokeReal(in schedule.Instr, api schedule.API, d *deed) schedule.Code {
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
		h.arrive(in.Stream.Index())
		h.waitFor(h.streams[in.Stream.Index()].tips)
		h.leave(in.Stream.Index())
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

// enqueue gives a stream a work that is no op of the intent.
func (h *host) enqueue(id int32, c class, dur time.Duration) {
	s := h.arrive(id)
	w := work{class: c, op: schedule.None, stream: id, launch: schedule.None, ready: h.now + h.m.LaunchToStart, dur: dur}
	if c == kernel || c == toDevice || c == toHost {
		w.connection = s.connection
	}
	s.tips = h.works.single(h.add(w, s.tips))
	h.leave(id)
	if h.m.LaunchBlocking {
		h.waitFor(s.tips)
	}
}

// invokeAlone makes a call that takes no stream. What freed memory would hold up is the whole device (documented as possible).
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
		h.enqueue(h.elsewhere, kernel, short)
	}
	return schedule.Success
}

// copySync copies on the legacy stream and waits for it.
func (h *host) copySync() {
	id := h.legacy
	if id == schedule.None {
		id = h.elsewhere // nothing is ordered by a legacy stream that the program does not have
	}
	h.enqueue(id, toDevice, short)
	h.waitFor(h.streams[id].tips)
}

// waitForAll lets the device become idle.
func (h *host) waitForAll() {
	if len(h.engine.works) > 0 {
		h.now = max(h.now, h.engine.drain()+h.m.EndToReturn)
	}
}
