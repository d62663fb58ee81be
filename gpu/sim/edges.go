package sim

import (
	"slices"

	"github.com/gpu-overlap/overlap/schedule"
)

// editEdges is cuGraphAddDependencies and cuGraphRemoveDependencies: pair by pair, up to one that is there already, or is
// not (measured: those before it stay). What is no node of the graph, or a pair of one node with itself, is found before.
func (h *host) editEdges(t *template, names []schedule.Ref, add bool) schedule.Code {
	ids, code := h.nodesOf(t, names)
	if code != schedule.Success {
		return code
	}
	for i := 0; i+1 < len(ids); i += 2 {
		if ids[i] == ids[i+1] {
			return schedule.InvalidValue
		}
	}
	t.own()
	for i := 0; i+1 < len(ids); i += 2 {
		from, to := ids[i], ids[i+1]
		switch is := slices.Contains(t.nodes[to].deps, from); {
		case is == add:
			return schedule.InvalidValue
		case add:
			t.addEdge(from, to)
		default:
			t.removeEdge(from, to)
		}
	}
	return schedule.Success
}

// count gives the place of a change in the order of all: after all nodes that are there, before the next one.
func (t *template) count() int64 {
	t.added++
	return int64(len(t.nodes)-1)<<32 | t.added
}

// came is the place of the edge from a node's k-th dependency in that order.
func (t *template) came(to int32, k int) int64 {
	if e := t.nodes[to].data(k); e.added > 0 {
		return e.added
	}
	return int64(to) << 32
}

// addEdge appends to the dependencies of a node.
func (t *template) addEdge(from, to int32) {
	n := t.change(to)
	n.more.data = append(n.more.data, edgeData{added: t.count()})
	n.deps = append(n.deps, from)
}

// removeEdge lets the last dependency take the place of the one that goes, and the last dependent likewise (measured,
// both). A node that has none left is a root, the newest.
func (t *template) removeEdge(from, to int32) {
	place := t.came(to, slices.Index(t.nodes[to].deps, from))
	if last, k := t.lastDependent(from); last != to {
		t.change(last).more.data[k].added = place
	}
	n := t.change(to)
	at, end := slices.Index(n.deps, from), len(n.deps)-1
	n.deps[at], n.more.data[at] = n.deps[end], n.more.data[end]
	n.deps, n.more.data = n.deps[:end], n.more.data[:end]
	if end == 0 {
		n.more.rooted = t.count()
	}
}

// lastDependent is the node that stands last among the dependents of another, and which of its dependencies that is.
func (t *template) lastDependent(from int32) (id int32, k int) {
	latest := int64(-1)
	for i := range t.nodes {
		at := slices.Index(t.nodes[i].deps, from)
		if at < 0 {
			continue
		}
		if came := t.came(int32(i), at); came > latest {
			id, k, latest = int32(i), at, came
		}
	}
	return id, k
}

// change gives a node of which nobody else has a part.
func (t *template) change(id int32) *node {
	n := &t.nodes[id]
	m := *n.refined()
	n.deps, m.data = slices.Clone(n.deps), slices.Clone(m.data)
	for len(m.data) < len(n.deps) {
		m.data = append(m.data, edgeData{})
	}
	n.more = &m
	return n
}

// destroyNode takes a node and its edges out of its graph.
func (h *host) destroyNode(name schedule.Ref) schedule.Code {
	if name == schedule.Null {
		return schedule.InvalidValue
	}
	t, id := h.nodeNamed(nil, name.Index())
	switch {
	case t == nil:
		return schedule.InvalidHandle
	case h.capturing(t): // documented as not allowed; the code is not measured
		return schedule.InvalidValue
	}
	t.destroy(id)
	return schedule.Success
}

// destroy takes the edges of a node away, those to it first.
func (t *template) destroy(id int32) {
	t.own()
	for len(t.nodes[id].deps) > 0 {
		t.removeEdge(t.nodes[id].deps[0], id)
	}
	for list := t.dependents(id); len(list) > 0; list = t.dependents(id) {
		t.removeEdge(id, list[0]) // the first is then another (measured: of four, first, last, third, second)
	}
	t.change(id).more.gone = true
}

// dependents are the nodes that depend on another, in the driver's order.
func (t *template) dependents(from int32) (list []int32) {
	var came []int64
	for i := range t.nodes {
		if at := slices.Index(t.nodes[i].deps, from); at >= 0 {
			key := t.came(int32(i), at)
			place, _ := slices.BinarySearch(came, key)
			list, came = slices.Insert(list, place, int32(i)), slices.Insert(came, place, key)
		}
	}
	return list
}
