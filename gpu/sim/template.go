package sim

import (
	"slices"

	"github.com/gpu-overlap/overlap/schedule"
)

// numbers are those of the nodes once the destroyed ones are left out; None of these.
func (t *template) numbers() (ids []int32, count int) {
	if n := len(t.nodes); len(t.sets.ids) >= n && !slices.ContainsFunc(t.nodes, func(n node) bool { return n.gone() }) {
		return t.sets.ids[:n:n], n // 0, 1, 2, …
	}
	ids = make([]int32, len(t.nodes))
	for i := range t.nodes {
		if ids[i] = schedule.None; !t.nodes[i].gone() {
			ids[i] = int32(count)
			count++
		}
	}
	return ids, count
}

// mostCloned is up to how many nodes a graph becomes a child: children of children grow fast.
const mostCloned = 1 << 16

// size counts the nodes, those of children too.
func (t *template) size() int {
	n := len(t.nodes)
	for i := range t.nodes {
		if m := t.nodes[i].extra; m != nil && m.child != nil {
			n += m.child.size()
		}
	}
	return n
}

// clone is a graph that later changes of this one do not reach. Its nodes have no handles, but names.
func (t *template) clone() *template {
	t.aliased = true
	return &template{nodes: slices.Clip(t.nodes), aliased: true, added: t.added, tips: t.tips}
}

// own lets nodes be changed that an exec or a clone may look at.
func (t *template) own() {
	if t.aliased {
		t.nodes, t.aliased = slices.Clone(t.nodes), false
	}
}

// change gives a node of which nobody else has a part.
func (t *template) change(id int32) *node {
	n := &t.nodes[id]
	m := *n.extended()
	n.deps, m.data = slices.Clone(n.deps), slices.Clone(m.data)
	for len(m.data) < len(n.deps) {
		m.data = append(m.data, edgeData{})
	}
	n.extra = &m
	return n
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

// sinks are the nodes on which none depends.
func (t *template) sinks() (ids []int32) {
	covered := make([]bool, len(t.nodes))
	for i := range t.nodes {
		covered[i] = covered[i] || t.nodes[i].gone()
		for _, d := range t.nodes[i].deps {
			covered[d] = true
		}
	}
	for i, c := range covered {
		if !c {
			ids = append(ids, int32(i))
		}
	}
	return ids
}
