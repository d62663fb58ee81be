package sim

import "slices"

// addEdge appends to the dependencies of a node.
func (t *template) addEdge(from, to int32) {
	n := t.change(to)
	n.extra.data = append(n.extra.data, edgeData{added: t.count()})
	n.deps = append(n.deps, from)
}

// removeEdge lets the last dependency take the place of the one that goes, and the last dependent likewise (GR34). A
// node that has none left is a root, the newest.
func (t *template) removeEdge(from, to int32) {
	place := t.came(to, slices.Index(t.nodes[to].deps, from))
	if last, k := t.lastDependent(from); last != to {
		t.change(last).extra.data[k].added = place
	}
	n := t.change(to)
	at, end := slices.Index(n.deps, from), len(n.deps)-1
	n.deps[at], n.extra.data[at] = n.deps[end], n.extra.data[end]
	n.deps, n.extra.data = n.deps[:end], n.extra.data[:end]
	if end == 0 {
		n.extra.rooted = t.count()
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

// destroy takes the edges of a node away, those to it first.
func (t *template) destroy(id int32) {
	t.own()
	for len(t.nodes[id].deps) > 0 {
		t.removeEdge(t.nodes[id].deps[0], id)
	}
	for list := t.dependents(id); len(list) > 0; list = t.dependents(id) {
		t.removeEdge(id, list[0]) // the first is then another (GR35: of four, first, last, third, second)
	}
	t.change(id).extra.gone = true
}
