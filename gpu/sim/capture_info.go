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
	case c.killed:
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

// ordinal numbers captures, from 1, in the order in which the program first asked for them.
func (h *host) ordinal(c *capture) int64 {
	at := slices.Index(h.seen, c)
	if at < 0 {
		at = len(h.seen)
		h.seen = append(h.seen, c)
	}
	return int64(at + 1)
}

// depend is cuStreamUpdateCaptureDependencies. What a stream depends on no longer need not be joined (documented).
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
	case c.killed:
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

// distinct is a set of ids that may stand there twice.
func (s *sets) distinct(ids []int32) []int32 {
	var out []int32
	for _, id := range ids {
		s.single(id)
		if !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out
}

// joinedData is the edge data of a union: a's, of which there were own, then that of what b added. Of two edges from one node
// the one that waits for its end counts.
func joinedData(deps []int32, own int, a []edgeData, b []int32, data []edgeData) []edgeData {
	if a == nil && data == nil {
		return nil
	}
	out := make([]edgeData, len(deps))
	copy(out[:own], a)
	for i := range deps {
		at := slices.Index(b, deps[i])
		switch {
		case at < 0:
		case data == nil || data[at].full():
			out[i] = edgeData{}
		case i >= own:
			out[i] = data[at]
		}
	}
	return out
}

// nodesOf finds nodes of a graph by name.
func (h *host) nodesOf(t *template, names []schedule.Ref) ([]int32, schedule.Code) {
	ids := make([]int32, 0, len(names))
	for _, name := range names {
		if name == schedule.Null {
			return nil, schedule.InvalidValue
		}
		owner, id := h.nodeNamed(t, name.Index())
		switch {
		case owner == nil:
			return nil, schedule.InvalidHandle
		case owner != t:
			return nil, schedule.InvalidValue
		}
		ids = append(ids, id)
	}
	return ids, schedule.Success
}

// nodeNamed finds a node by name: in a graph, or else in any. Of several the last counts; nil when there is none.
func (h *host) nodeNamed(t *template, name int32) (*template, int32) {
	all := []*template{t}
	for _, c := range h.captures {
		all = append(all, c.template)
	}
	for _, t := range append(all, h.captured...) {
		if t == nil || t.gone {
			continue
		}
		for i := len(t.nodes) - 1; i >= 0; i-- {
			if n := &t.nodes[i]; n.name() == name && !n.gone() {
				return t, int32(i)
			}
		}
	}
	return nil, 0
}

// beginInto is cuStreamBeginCaptureToGraph. No two captures go into one graph at once (B25).
func (h *host) beginInto(in schedule.Instr, a schedule.Args) schedule.Code {
	if code := h.refuseBegin(in); code != schedule.Success {
		return code
	}
	t, code := h.graphOf(in.Graph)
	if code != schedule.Success {
		return code
	}
	deps, code := h.nodesOf(t, a.Nodes)
	switch {
	case code != schedule.Success:
		return code
	case h.capturing(t):
		return schedule.IllegalState
	}
	h.begin(in, t, t.sets.distinct(deps))
	return schedule.Success
}

// capturing says whether a capture goes into a graph now.
func (h *host) capturing(t *template) bool {
	return slices.ContainsFunc(h.captures, func(c *capture) bool { return c.template == t })
}

// graphOf is a graph that a call names: NULL when it was never made, which the driver refuses; one that was destroyed is no
// more handed to it.
func (h *host) graphOf(g schedule.Ref) (*template, schedule.Code) {
	switch id := g.Index(); {
	case g == schedule.Null:
		return nil, schedule.InvalidValue
	case h.lost[id].graph:
		return nil, schedule.InvalidHandle
	case h.captured[id] == nil || h.captured[id].gone: // gone with the capture that went into it
		return nil, schedule.InvalidValue
	}
	return h.captured[g.Index()], schedule.Success
}
