package match

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
		p := found[x]
		if p.u == int32(i) && p.us == 1 && p.ws == 1 && al.to[i] < 0 && al.a.label[p.u] == al.b.label[p.w] {
			al.pair(p.u, p.w)
		}
	}
}

// spread pairs the neighbours of pairs, each with the one that fits best, and follows every new pair to the end of its
// way before it looks at the next: what hangs together stays together.
func (al *alignment) spread() {
	for _, u := range al.queue {
		for walk := (walk{{node: u}}); len(walk) > 0; {
			x, side, ok := walk.next(al.a)
			if !ok {
				walk = walk[:len(walk)-1]
				continue
			}
			if al.to[x.Node] >= 0 {
				continue
			}
			w := al.to[walk[len(walk)-1].node]
			if y := al.best(x.Node, al.free(side, w, al.a.label[x.Node])); y >= 0 {
				al.to[x.Node], al.from[y] = y, x.Node
				walk = append(walk, visited{node: x.Node})
			}
		}
	}
	al.queue = al.queue[:0]
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
