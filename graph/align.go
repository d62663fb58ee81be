package graph

import "slices"

// alignment pairs the nodes of two graphs that are not isomorphic, so that few nodes and edges are left over. The fewest
// cannot be found in reasonable time; every pair shares kind and name, and no pair is missing that could be made.
type alignment struct {
	a, b     *colored
	to, from []int32
	keys     [][2][]uint64 // colours of both, those that say most first
	queue    []int32       // nodes of a that have a partner whose neighbours were not looked at
	room     []int32
}

// align takes labels of kind and name alone.
func align(a, b *colored) []int32 {
	al := &alignment{a: a, b: b, to: make([]int32, len(a.label)), from: make([]int32, len(b.label))}
	for _, list := range [][]int32{al.to, al.from} {
		for i := range list {
			list[i] = -1
		}
	}
	al.colors()
	for _, key := range al.keys {
		al.unique(key[0], key[1])
	}
	al.spread()
	al.rest()
	al.improve()
	return al.to
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

// unique pairs the nodes whose colour one node left in each graph has.
func (al *alignment) unique(as, bs []uint64) {
	type pair struct{ u, w, us, ws int32 }
	found := make(map[uint64]pair, len(as))
	for i, x := range as {
		if al.to[i] < 0 {
			p := found[x]
			found[x] = pair{u: int32(i), us: p.us + 1}
		}
	}
	for i, x := range bs {
		if p, ok := found[x]; ok && al.from[i] < 0 {
			p.w, p.ws = int32(i), p.ws+1
			found[x] = p
		}
	}
	for i, x := range as {
		if p := found[x]; p.u == int32(i) && p.us == 1 && p.ws == 1 && al.to[i] < 0 && al.a.label[p.u] == al.b.label[p.w] {
			al.pair(p.u, p.w)
		}
	}
}

// maxFan bounds how many neighbours are weighed against one another.
const maxFan = 64

// spread pairs the neighbours of pairs, each with the one that fits best, and follows every new pair to the end of its way
// before it looks at the next: what hangs together stays together.
func (al *alignment) spread() {
	for _, u := range al.queue {
		for walk := (walk{{node: u}}); len(walk) > 0; {
			x, side, ok := walk.next(al.a)
			if !ok {
				walk = walk[:len(walk)-1]
				continue
			}
			if al.to[x.node] >= 0 {
				continue
			}
			w := al.to[walk[len(walk)-1].node]
			if y := al.best(x.node, al.free(side, w, al.a.label[x.node])); y >= 0 {
				al.to[x.node], al.from[y] = y, x.node
				walk = append(walk, visited{node: x.node})
			}
		}
	}
	al.queue = al.queue[:0]
}

// free lists the neighbours of w on a side that have the label and no partner.
func (al *alignment) free(side int, w, label int32) []int32 {
	al.room = al.room[:0]
	for _, y := range [2]*adjacency{al.b.out, al.b.in}[side].of(w) {
		if al.from[y.node] < 0 && al.b.label[y.node] == label {
			if al.room = append(al.room, y.node); len(al.room) == maxFan {
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
	for _, side := range [2][2]*adjacency{{al.a.out, al.b.out}, {al.a.in, al.b.in}} {
		for _, x := range side[0].of(u) {
			y := al.to[x.node]
			if x.node == u {
				y = w
			}
			if y >= 0 && hasArc(side[1].of(w), arc{y, x.data}) {
				n++
			}
		}
	}
	return n
}

// rest pairs what no edge led to, in the order of creation.
func (al *alignment) rest() {
	free := map[int32][]int32{} // by label, nodes of b
	for w, u := range al.from {
		if u < 0 {
			free[al.b.label[w]] = append(free[al.b.label[w]], int32(w))
		}
	}
	for u := range al.to {
		if al.to[u] >= 0 {
			continue
		}
		label := al.a.label[u]
		for len(free[label]) > 0 && al.from[free[label][0]] >= 0 {
			free[label] = free[label][1:]
		}
		var list []int32
		for _, w := range free[label] {
			if al.from[w] < 0 && len(list) < maxFan {
				list = append(list, w)
			}
			if len(list) == maxFan {
				break
			}
		}
		if w := al.best(int32(u), list); w >= 0 {
			al.pair(int32(u), w)
			al.spread()
		}
	}
}
