package sim

import (
	"slices"

	"github.com/gpu-overlap/overlap/gpu/sim/tables"
	"github.com/gpu-overlap/overlap/schedule"
)

// captureInfo is cuStreamGetCaptureInfo and cuStreamIsCapturing. Neither costs a capture anything.
func (h *host) captureInfo(in schedule.Instr, a schedule.Args) schedule.Code {
	const withoutData, withoutStatus = 1, 2
	status := in.Verb == schedule.IsCapturing
	if a.Number == withoutStatus || status && a.Number != 0 {
		return schedule.InvalidValue
	}
	rows := infos
	if status {
		rows = asks
	}
	s := &h.streams[in.Stream.Index()]
	c := s.capture
	if c == nil {
		if code := h.refuse(in, rows.legacy, rows.other); code != schedule.Success {
			return code
		}
		h.shown.Values = []int64{0}
		return schedule.Success
	}
	if code := h.unsafeFor(c, in.Thread, rows.capturing); code != schedule.Success {
		return code
	}
	switch {
	case c.lost:
		h.shown.Values = []int64{invalidated}
	case status:
		h.shown.Values = []int64{active}
	case a.Number == withoutData && slices.ContainsFunc(s.data, func(d edgeData) bool { return !d.full() }):
		return lossyQuery
	default:
		h.shown.Values = []int64{active, h.ordinal(c)}
		for _, d := range s.deps {
			h.shown.Nodes = append(h.shown.Nodes, schedule.At(c.nodes[d].name()))
		}
	}
	return schedule.Success
}

// depend is cuStreamUpdateCaptureDependencies. What a stream depends on no longer need not be joined (G5).
func (h *host) depend(in schedule.Instr, a schedule.Args) schedule.Code {
	s := &h.streams[in.Stream.Index()]
	c := s.capture
	if c == nil {
		if code := h.refuseLegacy(in.Stream.Index(), tables.LegacyInfo); code != schedule.Success {
			return code
		}
	}
	switch {
	case a.Number != schedule.DependAdd && a.Number != schedule.DependSet:
		return schedule.InvalidValue // an array that is NULL, too
	case c == nil:
		return schedule.IllegalState
	case c.lost:
		return schedule.CaptureInvalidated
	}
	ids, code := h.nodesOf(c.template, a.Nodes)
	if code != schedule.Success {
		return code
	}
	if a.Number == schedule.DependAdd {
		own := len(s.deps)
		s.deps = c.sets.union(shared(s.deps), ids)
		s.data = joinedData(s.deps, own, s.data, nil, nil)
		return schedule.Success
	}
	for _, d := range s.deps {
		if !slices.Contains(ids, d) {
			c.excused = append(c.excused, d)
		}
	}
	s.deps, s.data = c.sets.union(nil, c.sets.distinct(ids)), nil
	return schedule.Success
}

// exchange is cuThreadExchangeStreamCaptureMode: the mode belongs to the thread. The driver takes any number.
func (h *host) exchange(in schedule.Instr) schedule.Code {
	h.shown.Values = []int64{int64(h.modes[in.Thread])}
	h.modes[in.Thread] = in.Mode
	return schedule.Success
}
