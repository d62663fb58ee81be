package sim

import "slices"

// sets makes ordered sets of ids without duplicates, as int32 slices: what the next work of a stream must wait for, or
// the dependencies that the next node of a capture gets.
//
// A stream appends to its set in place. Who holds an older state of it (an event, a node) sees only its own length; who
// is to append to it too must take it as shared.
type sets struct {
	ids   []int32 // 0, 1, 2, …: the set of one id is a part of it
	mark  []int32 // by id: the last union that met it
	round int32

	slabs [][]int32 // where larger sets lie, one after the other
	slab  int       // the one that is being filled
}

// Slabs double from the first to the largest size, in ids.
const firstSlab, largestSlab = 64, 1 << 14

// reserve makes room for ids below n.
func (s *sets) reserve(n int) {
	s.mark = slices.Grow(s.mark, max(0, n-len(s.mark)))
	s.ids = slices.Grow(s.ids, max(0, n-len(s.ids)))
}

// reset takes back the room of all sets that were made.
func (s *sets) reset() {
	for i := range s.slabs {
		s.slabs[i] = s.slabs[i][:0]
	}
	s.slab = 0
}

// room is an empty set with room for n ids.
func (s *sets) room(n int) []int32 {
	for ; s.slab < len(s.slabs); s.slab++ {
		if at := len(s.slabs[s.slab]); cap(s.slabs[s.slab])-at >= n {
			s.slabs[s.slab] = s.slabs[s.slab][:at+n]
			return s.slabs[s.slab][at : at : at+n]
		}
	}
	size := firstSlab
	if len(s.slabs) > 0 {
		size = min(largestSlab, 2*cap(s.slabs[len(s.slabs)-1]))
	}
	s.slabs = append(s.slabs, make([]int32, n, max(n, size)))
	return s.slabs[s.slab][:0:n]
}

// single is the set of one id.
func (s *sets) single(id int32) []int32 {
	for int32(len(s.ids)) <= id {
		s.ids = append(s.ids, int32(len(s.ids)))
	}
	return s.ids[id : id+1 : id+1]
}

// union is a, then what b adds, in the order of b.
func (s *sets) union(a, b []int32) []int32 {
	switch {
	case len(b) == 0:
		return a
	case len(a) == 0:
		return shared(b)
	case len(a) == 1 && len(b) == 1 && a[0] == b[0]:
		return a
	}
	if len(s.mark) < len(s.ids) {
		s.mark = append(s.mark, make([]int32, len(s.ids)-len(s.mark))...)
	}
	s.round++
	for _, id := range a {
		s.mark[id] = s.round
	}
	for _, id := range b {
		if s.mark[id] != s.round {
			s.mark[id] = s.round
			if len(a) == cap(a) {
				a = append(s.room(2*len(a)), a...)
			}
			a = append(a, id)
		}
	}
	return a
}

// shared is the set without spare capacity: appending to it copies.
func shared(a []int32) []int32 { return a[:len(a):len(a)] }

// distinct is a set of ids that may stand there twice.
func (s *sets) distinct(ids []int32) []int32 {
	var out []int32
	for _, id := range ids {
		s.single(id)
		if !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out
}
