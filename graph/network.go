package graph

// network joins nodes into chains: every node is a chain of its own, and each unit of flow from u, by edges and through
// other nodes, to v makes v the next of u's chain. The largest flow leaves the fewest chains. Each node has two places,
// out (0 to n-1), where a chain goes on, and in (n to 2n-1), where one arrives.
type network struct {
	n           int
	out         *Adjacency
	inStart     []int32 // of each node's part of inEdge
	inEdge      []int32 // edges, as indices of out.arcs, by head
	tail        []int32 // of each edge
	left, right []int   // how many more chains may go on from a node, may arrive
	flow        []int   // over each edge
	pass        []int   // through each node, from in to out
	level       []int32 // of each place: steps from where chains may go on; -1 out of reach
	next        []int32 // of each place: the first step not tried
	queue       []int32
	work        *int
}

func newNetwork(out *Adjacency, weight []int, work *int) *network {
	n := len(weight)
	f := &network{n: n, out: out, work: work, inStart: make([]int32, n+2), inEdge: make([]int32, len(out.Arcs)),
		tail: make([]int32, len(out.Arcs)), left: make([]int, n), right: make([]int, n),
		flow: make([]int, len(out.Arcs)), pass: make([]int, n), level: make([]int32, 2*n), next: make([]int32, 2*n),
		queue: make([]int32, 0, 2*n)}
	copy(f.left, weight)
	copy(f.right, weight)
	for _, a := range out.Arcs {
		f.inStart[a.Node+2]++
	}
	for i := 2; i < len(f.inStart); i++ {
		f.inStart[i] += f.inStart[i-1]
	}
	for u := range int32(n) {
		for e := out.Start[u]; e < out.Start[u+1]; e++ {
			f.tail[e] = u
			at := &f.inStart[out.Arcs[e].Node+1]
			f.inEdge[*at] = e
			*at++
		}
	}
	return f
}

// greedy joins along single edges.
func (f *network) greedy(order []int32) {
	for _, u := range order {
		for e := f.out.Start[u]; e < f.out.Start[u+1] && f.left[u] > 0; e++ {
			v := f.out.Arcs[e].Node
			d := min(f.left[u], f.right[v])
			f.flow[e] += d
			f.left[u] -= d
			f.right[v] -= d
		}
	}
}

// chains counts them: each has one end.
func (f *network) chains() (n int) {
	for _, x := range f.left {
		n += x
	}
	return n
}

// step is the i-th step from a place: where it leads and how much fits; ok is false past the last.
func (f *network) step(place, i int32) (to int32, room int, ok bool) {
	const all = int(^uint(0) >> 1)
	n := int32(f.n)
	if place < n {
		first, end := f.out.Start[place], f.out.Start[place+1]
		if e := first + i; e < end {
			return n + f.out.Arcs[e].Node, all, true
		}
		return n + place, f.pass[place], i == end-first // less passes through place
	}
	v := place - n
	if i == 0 {
		return v, all, true // a chain that passes through
	}
	if at := f.inStart[v] + i - 1; at < f.inStart[v+1] {
		e := f.inEdge[at]
		return f.tail[e], f.flow[e], true // less arrives over this edge
	}
	return 0, 0, false
}

// push moves d over a step.
func (f *network) push(place, i int32, d int) {
	n := int32(f.n)
	if place < n {
		if e := f.out.Start[place] + i; e < f.out.Start[place+1] {
			f.flow[e] += d
		} else {
			f.pass[place] -= d
		}
		return
	}
	if v := place - n; i == 0 {
		f.pass[v] += d
	} else {
		f.flow[f.inEdge[f.inStart[v]+i-1]] -= d
	}
}

// layers finds how far each place is from where a chain may go on, and whether some place is reached where one may
// arrive.
func (f *network) layers() (found bool) {
	f.queue = f.queue[:0]
	for p := range f.level {
		f.level[p], f.next[p] = -1, 0
		if p < f.n && f.left[p] > 0 {
			f.level[p] = 0
			f.queue = append(f.queue, int32(p))
		}
	}
	for k := 0; k < len(f.queue); k++ {
		p := f.queue[k]
		found = found || int(p) >= f.n && f.right[int(p)-f.n] > 0
		if found {
			continue // what is further is not needed
		}
		for i := int32(0); ; i++ {
			to, room, ok := f.step(p, i)
			if !ok {
				break
			}
			*f.work--
			if room > 0 && f.level[to] < 0 {
				f.level[to] = f.level[p] + 1
				f.queue = append(f.queue, to)
			}
		}
	}
	return found
}

// join sends flow along shortest ways until none is left.
func (f *network) join() {
	var way []int32 // the places on the way
	for u := range int32(f.n) {
		for f.left[u] > 0 && *f.work >= 0 {
			if way = f.way(append(way[:0], u)); way == nil {
				break
			}
			last := int(way[len(way)-1]) - f.n
			d := min(f.left[u], f.right[last])
			for _, p := range way[:len(way)-1] {
				_, room, _ := f.step(p, f.next[p])
				d = min(d, room)
			}
			for _, p := range way[:len(way)-1] {
				f.push(p, f.next[p], d)
			}
			f.left[u] -= d
			f.right[last] -= d
		}
	}
}

// way walks from the place in it, a layer a step, to where a chain may arrive; nil when there is no way. next of each
// place on it is the step that it takes.
func (f *network) way(way []int32) []int32 {
	for len(way) > 0 {
		p := way[len(way)-1]
		if int(p) >= f.n && f.right[int(p)-f.n] > 0 {
			return way
		}
		to, room, ok := f.step(p, f.next[p])
		*f.work--
		switch {
		case !ok: // a dead end
			f.level[p] = -1
			if way = way[:len(way)-1]; len(way) > 0 {
				f.next[way[len(way)-1]]++
			}
		case room > 0 && f.level[to] == f.level[p]+1:
			way = append(way, to)
		default:
			f.next[p]++
		}
	}
	return nil
}

// antichain is the nodes that the last layers tell apart: a chain may go on from them but none can be led to them.
func (f *network) antichain() (nodes []int32) {
	for v := range f.n {
		if f.level[v] >= 0 && f.level[f.n+v] < 0 {
			nodes = append(nodes, int32(v))
		}
	}
	return nodes
}
