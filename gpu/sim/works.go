package sim

import (
	"time"

	"github.com/gpu-overlap/overlap/gpu/sim/hardware"
	"github.com/gpu-overlap/overlap/schedule"
)

// maxTips bounds how many works a stream waits for one by one; more are folded into one join.
const maxTips = 64

// beforeWork makes a stream ready for real work: it brings in what the legacy stream orders before it. An afterWork
// follows each.
func (h *host) beforeWork(id int32) *stream {
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

// afterWork notes that a stream has new work, or new works to wait for.
func (h *host) afterWork(id int32) {
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
		s.tips = h.works.single(h.add(h.work(id, hardware.Join), s.tips))
	}
}

// work is one of a stream that is no op of the intent, and no node of a graph.
func (h *host) work(stream int32, c hardware.Class) hardware.Work {
	priority := h.streams[stream].priority
	return hardware.Work{Class: c, Op: hardware.None, Stream: stream, Launch: hardware.None, Priority: priority}
}

// add gives the device a work that comes after others.
func (h *host) add(w hardware.Work, after []int32) int32 {
	id := h.chip.Add(w)
	h.chip.After(id, after)
	h.chip.Issue(id)
	return id
}

// enqueue gives a stream a work that is no op of the intent.
func (h *host) enqueue(id int32, c hardware.Class, dur time.Duration) {
	s := h.beforeWork(id)
	w := h.work(id, c)
	w.Ready, w.Dur = h.now+h.m.LaunchToStart, dur
	if c == hardware.Kernel || c == hardware.ToDevice || c == hardware.ToHost {
		w.Connection = h.chip.Connection(id)
	}
	s.tips = h.works.single(h.add(w, s.tips))
	h.afterWork(id)
	if h.m.LaunchBlocking {
		h.waitFor(s.tips)
	}
}

// reserve makes room for the works of a repetition, as far as the Body tells how many there are: what grows otherwise
// is copied again and again. A repetition that needs more takes more, and the next one uses it again.
func (h *host) reserve() {
	works, edges := 0, 0
	for i := range h.p.Body {
		switch in := &h.p.Body[i]; in.Verb {
		case schedule.Launch, schedule.HostFunc, schedule.Copy, schedule.Gate:
			works, edges = works+1, edges+1
		case schedule.Wait:
			edges++
		case schedule.Replay:
			if x := h.execs[in.Graph.Index()]; x != nil {
				works += len(x.nodes) + 3 // two forks and a join
				edges += x.edges
			}
		}
	}
	h.works.reserve(works)
	h.chip.Reserve(works, edges)
}
