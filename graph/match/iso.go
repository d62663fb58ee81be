package match

import (
	"cmp"
	"errors"
	"slices"

	"github.com/gpu-overlap/overlap/graph"
)

// ErrUndecided is why two graphs were not compared to the end: they are so regular that telling them apart, or finding
// out that they are the same, took too many steps.
var ErrUndecided = errors.New("the graphs are too regular to be compared in a few seconds")

// maxWork bounds the steps of a comparison; a step is a node or an edge looked at.
const maxWork = 400_000_000

// answer of a search.
type answer uint8

const (
	no answer = iota
	yes
	undecided
)

// isomorphism looks for a bijection of the nodes that preserves labels and edges with their data: to[i] is the node of
// b that node i of a is. Colours tell most nodes apart; where several are alike, one is tried.
func isomorphism(a, b *colored, work *int) (to []int32, found answer) {
	if len(a.label) != len(b.label) || len(a.out.Arcs) != len(b.out.Arcs) || !refine(a, b, work) {
		return nil, no
	}
	m := newMatcher(a, b, work)
	partsA, partsB := a.parts(), b.parts()
	if len(partsA) != len(partsB) {
		return nil, no
	}
	for len(partsA) > 0 { // a run of parts that colours do not tell apart
		n := 1
		for n < len(partsA) && partsA[n].alike(partsA[0]) {
			n++
		}
		if got := m.pairUp(partsA[:n], partsB[:n]); got != yes {
			return nil, got
		}
		partsA, partsB = partsA[n:], partsB[n:]
	}
	return m.to, yes
}

// part is the nodes of a graph that edges connect, whichever way they lead.
type part struct {
	nodes []int32
	sum   uint64 // of the colours
}

func (p part) alike(q part) bool { return p.sum == q.sum && len(p.nodes) == len(q.nodes) }

// parts come sorted, so that the parts of isomorphic graphs come in an order that fits.
func (c *colored) parts() []part {
	var list []part
	seen := make([]bool, len(c.label))
	room := make([]int32, 0, len(c.label))
	for v := range seen {
		if seen[v] {
			continue
		}
		seen[v] = true
		first := len(room)
		room = append(room, int32(v))
		p := part{}
		for k := first; k < len(room); k++ {
			at := room[k]
			p.sum += mix(c.color[at])
			for _, side := range [2]*graph.Adjacency{c.out, c.in} {
				for _, a := range side.Of(at) {
					if !seen[a.Node] {
						seen[a.Node] = true
						room = append(room, a.Node)
					}
				}
			}
		}
		p.nodes = room[first:len(room):len(room)]
		list = append(list, p)
	}
	slices.SortStableFunc(list, func(p, q part) int {
		return cmp.Or(cmp.Compare(len(p.nodes), len(q.nodes)), cmp.Compare(p.sum, q.sum))
	})
	return list
}

// pairUp matches parts that colours do not tell apart. When one part is isomorphic to another, they can be matched for
// good: what is left of both graphs is isomorphic exactly if the graphs are.
func (m *matcher) pairUp(as, bs []part) answer {
	taken := make([]bool, len(bs))
	first := 0
	for _, p := range as {
		found := no
		for first < len(bs) && taken[first] {
			first++
		}
		for j := first; j < len(bs) && found != yes; j++ {
			if taken[j] || !bs[j].alike(p) {
				continue
			}
			got := m.match(p.nodes, bs[j].nodes)
			taken[j] = got == yes
			if got != no {
				found = got
			}
		}
		if found != yes {
			return found
		}
	}
	return yes
}

// match first goes ahead without looking back, which suffices when all that look alike are alike, and else searches.
func (m *matcher) match(a, b []int32) answer {
	if m.extend(a, b) {
		return yes
	}
	if *m.work < 0 {
		return undecided
	}
	subA, subB := m.a.only(a), m.b.only(b)
	to, got := search(subA, subB, m.work)
	for i, w := range to {
		m.set(a[i], b[w])
	}
	return got
}

// search tries every node of b that a node of a could be, gives the pair a colour of its own and looks what follows.
func search(a, b *colored, work *int) (to []int32, found answer) {
	switch same := refine(a, b, work); {
	case *work < 0:
		return nil, undecided
	case !same || len(a.out.Arcs) != len(b.out.Arcs):
		return nil, no
	}
	*work -= 40 * len(a.label) // what a level of the search keeps
	m := newMatcher(a, b, work)
	if all := ascending(len(a.label)); m.extend(all, all) {
		return m.to, yes
	}
	u := a.ambiguous()
	if u < 0 {
		return nil, no
	}
	colorsA, colorsB := slices.Clone(a.color), slices.Clone(b.color)
	for w := range b.color {
		if colorsB[w] != colorsA[u] {
			continue
		}
		copy(a.color, colorsA)
		copy(b.color, colorsB)
		a.color[u] = mix(a.color[u] ^ saltUp)
		b.color[w] = a.color[u]
		if to, got := search(a, b, work); got != no {
			return to, got
		}
	}
	return nil, no
}

func ascending(n int) []int32 {
	list := make([]int32, n)
	for i := range list {
		list[i] = int32(i)
	}
	return list
}

// ambiguous is a node of the smallest class of more than one; -1 when every node has a colour of its own.
func (c *colored) ambiguous() int {
	count := make(map[uint64]int, len(c.color))
	for _, x := range c.color {
		count[x]++
	}
	best := -1
	for v, x := range c.color {
		if count[x] > 1 && (best < 0 || count[x] < count[c.color[best]]) {
			best = v
		}
	}
	return best
}

// only is the part of a graph between some nodes, numbered as they are listed; its colours go on from what they were.
func (c *colored) only(nodes []int32) *colored {
	g := &graph.Graph{Nodes: make([]graph.Node, len(nodes))}
	label := make([]int32, len(nodes))
	number := make(map[int32]int32, len(nodes))
	for i, v := range nodes {
		label[i], number[v] = c.label[v], int32(i)
	}
	for i, v := range nodes {
		for _, a := range c.out.Of(v) {
			g.Edges = append(g.Edges, a.Edge(int32(i), number[a.Node]))
		}
	}
	g.Sort()
	sub := newColored(g, label)
	for i, v := range nodes {
		sub.color[i] = c.color[v]
	}
	return sub
}
