package match

import (
	"cmp"
	"slices"
	"sort"

	"github.com/gpu-overlap/overlap/graph"
)

// matcher pairs the nodes of two coloured graphs.
type matcher struct {
	a, b     *colored
	to, from []int32 // the partner of each node of a, of b; -1 while it has none
	pairs    []int32 // the nodes of a that the running extend paired
	fan      [2]fan  // of b: out, in
	work     *int
}

// fan lists the neighbours on one side sorted by colour, so that those that fit are found at once, and remembers how
// many of them, from the front, have a partner.
type fan struct {
	side    *graph.Adjacency
	sorted  []graph.Arc
	next    []int32 // at the first of a run of equals: the first that may be free
	touched []int32 // where the running extend moved next
}

func newMatcher(a, b *colored, work *int) *matcher {
	m := &matcher{a: a, b: b, work: work, to: make([]int32, len(a.label)), from: make([]int32, len(b.label))}
	for i := range m.to {
		m.to[i] = -1
	}
	for i := range m.from {
		m.from[i] = -1
	}
	m.fan = [2]fan{newFan(b, b.out), newFan(b, b.in)}
	return m
}

func newFan(c *colored, side *graph.Adjacency) fan {
	f := fan{side: side, sorted: slices.Clone(side.Arcs), next: make([]int32, len(side.Arcs))}
	for v := range c.label {
		lo, hi := side.Start[v], side.Start[v+1]
		if arcs := f.sorted[lo:hi]; len(arcs) > 1 {
			slices.SortFunc(arcs, func(p, q graph.Arc) int {
				return cmp.Or(cmp.Compare(c.color[p.Node], c.color[q.Node]), cmp.Compare(p.Data, q.Data),
					cmp.Compare(p.Node, q.Node))
			})
		}
		for i := lo; i < hi; i++ {
			f.next[i] = i
		}
	}
	return f
}

func (m *matcher) set(u, w int32) {
	m.to[u], m.from[w] = w, u
	m.pairs = append(m.pairs, u)
}

// extend pairs a connected part of a with one of b, walking both from a node of the rarest colour, each way to its end
// before the next. It takes the first partner that fits all pairs so far and does not look back: it may fail where a
// bijection exists, but what it gives is one.
func (m *matcher) extend(as, bs []int32) bool {
	m.pairs, m.fan[0].touched, m.fan[1].touched = m.pairs[:0], m.fan[0].touched[:0], m.fan[1].touched[:0]
	u, w := m.start(as, bs)
	if u < 0 {
		return len(as) == 0
	}
	m.set(u, w)
	walk := walk{{node: u}}
	for len(walk) > 0 {
		x, side, ok := walk.next(m.a)
		if !ok {
			walk = walk[:len(walk)-1]
			continue
		}
		if m.to[x.Node] >= 0 {
			continue
		}
		y := m.partner(side, x, m.to[walk[len(walk)-1].node])
		if y < 0 {
			m.undo()
			return false
		}
		m.set(x.Node, y)
		walk = append(walk, visited{node: x.Node})
	}
	if len(m.pairs) != len(as) { // not connected: of a search within a part this cannot be
		m.undo()
		return false
	}
	return true
}

// walk goes over a graph in depth, along edges and against them.
type walk []visited

type visited struct {
	node int32
	side int   // 0 the edges that leave it, 1 those that reach it
	arc  int32 // the next on that side
}

// next is the next edge of the last node of the walk, and its side.
func (w walk) next(c *colored) (x graph.Arc, side int, ok bool) {
	v := &w[len(w)-1]
	for v.side < 2 {
		arcs := [2]*graph.Adjacency{c.out, c.in}[v.side].Of(v.node)
		if int(v.arc) < len(arcs) {
			v.arc++
			return arcs[v.arc-1], v.side, true
		}
		v.side, v.arc = v.side+1, 0
	}
	return x, 0, false
}

func (m *matcher) undo() {
	for s := range m.fan {
		f := &m.fan[s]
		for _, i := range f.touched {
			f.next[i] = i
		}
	}
	for _, u := range m.pairs {
		m.from[m.to[u]], m.to[u] = -1, -1
	}
	m.pairs = m.pairs[:0]
}

// start is a node of the rarest colour and one of the same colour on the other side.
func (m *matcher) start(as, bs []int32) (u, w int32) {
	if len(as) == 0 || len(bs) == 0 {
		return -1, -1
	}
	u = as[0]
	if len(as) > 1 {
		count := make(map[uint64]int32, len(as))
		for _, v := range as {
			count[m.a.color[v]]++
		}
		for _, v := range as {
			if count[m.a.color[v]] < count[m.a.color[u]] {
				u = v
			}
		}
	}
	for _, w := range bs {
		if m.b.color[w] == m.a.color[u] && m.b.label[w] == m.a.label[u] && m.fits(u, w) {
			return u, w
		}
	}
	return -1, -1
}

// partner finds among the neighbours of w one that x, a neighbour on the same side, can be; -1 when there is none.
func (m *matcher) partner(s int, x graph.Arc, w int32) int32 {
	f := &m.fan[s]
	lo, hi := f.side.Start[w], f.side.Start[w+1]
	arcs := f.sorted[lo:hi]
	color := m.a.color[x.Node]
	at := sort.Search(len(arcs), func(i int) bool {
		c := m.b.color[arcs[i].Node]
		return c > color || c == color && arcs[i].Data >= x.Data
	})
	same := func(i int32) bool {
		return i < hi && f.sorted[i].Data == x.Data && m.b.color[f.sorted[i].Node] == color
	}
	first := lo + int32(at)
	if !same(first) {
		return -1
	}
	i := f.next[first]
	for same(i) && m.from[f.sorted[i].Node] >= 0 {
		i++
	}
	if i != f.next[first] {
		f.next[first] = i
		f.touched = append(f.touched, first)
	}
	for ; same(i) && *m.work >= 0; i++ {
		y := f.sorted[i].Node
		*m.work--
		if m.from[y] < 0 && m.a.label[x.Node] == m.b.label[y] && m.fits(x.Node, y) {
			return y
		}
	}
	return -1
}

// fits says whether u can be w beside all pairs so far: each edge between u and a node that has a partner is one of w.
func (m *matcher) fits(u, w int32) bool {
	for s, side := range [2]*graph.Adjacency{m.a.out, m.a.in} {
		arcs := side.Of(u)
		*m.work -= len(arcs)
		other := m.fan[s].side.Of(w)
		if len(arcs) != len(other) {
			return false
		}
		for _, x := range arcs {
			y := m.to[x.Node]
			if x.Node == u {
				y = w
			}
			if y >= 0 && !hasArc(other, graph.Arc{Node: y, Data: x.Data}) {
				return false
			}
		}
	}
	return true
}

// hasArc searches the arcs of a node, which come in the order of edges.
func hasArc(arcs []graph.Arc, x graph.Arc) bool {
	_, ok := slices.BinarySearchFunc(arcs, x, func(p, q graph.Arc) int {
		return cmp.Or(cmp.Compare(p.Node, q.Node), cmp.Compare(p.Data, q.Data))
	})
	return ok
}
