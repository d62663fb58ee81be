package match

import "github.com/gpu-overlap/overlap/graph"

// maxImproved is the largest graph whose pairs are all tried the other way round.
const maxImproved = 512

// improve exchanges the partners of two nodes while that saves edges.
func (al *alignment) improve() {
	if max(len(al.to), len(al.from)) > maxImproved {
		return
	}
	for again, sweeps := true, 0; again && sweeps < 20; sweeps++ {
		again = false
		for u := range al.to {
			for v := range al.to {
				if u != v && al.a.label[u] == al.a.label[v] && al.to[u] >= 0 && al.exchange(int32(u), int32(v)) {
					again = true
				}
			}
			for w := range al.from {
				if al.from[w] < 0 && al.to[u] >= 0 && al.a.label[u] == al.b.label[w] && al.move(int32(u), int32(w)) {
					again = true
				}
			}
		}
	}
}

// exchange gives u the partner of v and v that of u, which v may lack, if more edges are shared then.
func (al *alignment) exchange(u, v int32) bool {
	w, x := al.to[u], al.to[v]
	before := al.sharedBoth(u, v)
	al.put(u, x)
	al.put(v, w)
	if al.sharedBoth(u, v) > before {
		return true
	}
	al.put(u, w)
	al.put(v, x)
	return false
}

func (al *alignment) put(u, w int32) {
	al.to[u] = w
	if w >= 0 {
		al.from[w] = u
	}
}

// sharedBoth counts the edges of two nodes that their partners have, those between the two once.
func (al *alignment) sharedBoth(u, v int32) (n int) {
	for _, x := range [2]int32{u, v} {
		if al.to[x] >= 0 {
			n += al.shared(x, al.to[x])
		}
	}
	if al.to[u] < 0 || al.to[v] < 0 {
		return n
	}
	for _, ends := range [2][2]int32{{u, v}, {v, u}} {
		for _, x := range al.a.out.Of(ends[0]) {
			if x.Node == ends[1] && hasArc(al.b.out.Of(al.to[ends[0]]), graph.Arc{Node: al.to[ends[1]], Data: x.Data}) {
				n--
			}
		}
	}
	return n
}

// move gives u a partner that nobody has, if more edges are shared then.
func (al *alignment) move(u, w int32) bool {
	old := al.to[u]
	before := al.shared(u, old)
	al.to[u] = w
	if al.shared(u, w) <= before {
		al.to[u] = old
		return false
	}
	al.from[old], al.from[w] = -1, u
	return true
}
