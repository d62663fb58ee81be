package sim

import (
	"slices"

	"github.com/gpu-overlap/overlap/schedule"
)

// graphOf is a graph that a call names: NULL when it was never made, which the driver refuses; one that was destroyed
// is no more handed to it.
func (h *host) graphOf(g schedule.Ref) (*template, schedule.Code) {
	switch id := g.Index(); {
	case g == schedule.Null:
		return nil, schedule.InvalidValue
	case h.destroyed[id].graph:
		return nil, schedule.InvalidHandle
	case h.captured[id] == nil || h.captured[id].gone: // gone with the capture that went into it
		return nil, schedule.InvalidValue
	}
	return h.captured[g.Index()], schedule.Success
}

// execOf is the exec of a graph that a call names.
func (h *host) execOf(g schedule.Ref) (*exec, schedule.Code) {
	switch id := g.Index(); {
	case g == schedule.Null:
		return nil, schedule.InvalidValue
	case h.destroyed[id].exec:
		return nil, schedule.InvalidHandle
	case h.execs[id] == nil:
		return nil, schedule.InvalidValue
	}
	return h.execs[g.Index()], schedule.Success
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

// capturing says whether a capture goes into a graph now.
func (h *host) capturing(t *template) bool {
	return slices.ContainsFunc(h.captures, func(c *capture) bool { return c.template == t })
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
