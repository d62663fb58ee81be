package match

import (
	"slices"

	"github.com/gpu-overlap/overlap/graph"
)

// alignment pairs the nodes of two graphs that are not isomorphic, so that few nodes and edges are left over. The
// fewest cannot be found in reasonable time; every pair shares kind and name, and no pair is missing that could be
// made.
type alignment struct {
	a, b     *colored
	to, from []int32
	keys     [][2][]uint64 // colours of both, those that say most first
	queue    []int32       // nodes of a that have a partner whose neighbours were not looked at
	room     []int32
}

// colors looks at each node from ever nearer: all that is before and after it, all before, all after, and its
// neighbourhood. A node that a difference does not reach has the same colour in both.
func (al *alignment) colors() {
	keep := func() { al.keys = append(al.keys, [2][]uint64{slices.Clone(al.a.color), slices.Clone(al.b.color)}) }
	plain := [2][]uint64{slices.Clone(al.a.color), slices.Clone(al.b.color)}
	for i, step := range []func(*colored){
		(*colored).round,
		func(c *colored) { c.sweep(c.in, c.down, c.isDown, saltDown) },
		func(c *colored) { c.sweep(c.out, c.up, c.isUp, saltUp) },
	} {
		copy(al.a.color, plain[0])
		copy(al.b.color, plain[1])
		step(al.a)
		step(al.b)
		if i == 0 {
			step(al.a)
			step(al.b)
		}
		keep()
	}
	copy(al.a.color, plain[0])
	copy(al.b.color, plain[1])
	var near [][2][]uint64
	near = append(near, plain)
	for r := 1; r <= 8; r++ {
		al.a.near()
		al.b.near()
		if r&(r-1) == 0 {
			near = append(near, [2][]uint64{slices.Clone(al.a.color), slices.Clone(al.b.color)})
		}
	}
	slices.Reverse(near)
	al.keys = append(al.keys, near...)
}

func (al *alignment) pair(u, w int32) {
	al.to[u], al.from[w] = w, u
	al.queue = append(al.queue, u)
}

// maxFan bounds how many neighbours are weighed against one another.
const maxFan = 64

// free lists the neighbours of w on a side that have the label and no partner.
func (al *alignment) free(side int, w, label int32) []int32 {
	al.room = al.room[:0]
	for _, y := range [2]*graph.Adjacency{al.b.out, al.b.in}[side].Of(w) {
		if al.from[y.Node] < 0 && al.b.label[y.Node] == label {
			if al.room = append(al.room, y.Node); len(al.room) == maxFan {
				break
			}
		}
	}
	return al.room
}

// best is the candidate that shares most edges to pairs with u, then the one whose surroundings look most alike.
func (al *alignment) best(u int32, candidates []int32) int32 {
	best, most := int32(-1), 0
	for _, w := range candidates {
		score := 1 + al.shared(u, w)*(len(al.keys)+1)
		for k, key := range al.keys {
			if key[0][u] == key[1][w] {
				score += len(al.keys) - k
				break
			}
		}
		if score > most {
			best, most = w, score
		}
	}
	return best
}

// shared counts the edges of u whose partners w has.
func (al *alignment) shared(u, w int32) (n int) {
	for _, side := range [2][2]*graph.Adjacency{{al.a.out, al.b.out}, {al.a.in, al.b.in}} {
		for _, x := range side[0].Of(u) {
			y := al.to[x.Node]
			if x.Node == u {
				y = w
			}
			if y >= 0 && hasArc(side[1].Of(w), graph.Arc{Node: y, Data: x.Data}) {
				n++
			}
		}
	}
	return n
}
