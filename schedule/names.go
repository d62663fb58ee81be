package schedule

import (
	"hash/maphash"
	"math/bits"
)

// names finds a name that stands twice in a list. It keeps where each name is in an open table: a map of a million
// strings takes several times as long.
type names struct {
	seed  maphash.Seed
	list  []string
	table []int32 // 1 + the index into list
}

func newNames(n int) *names {
	size := 1 << bits.Len(uint(2*n))
	return &names{seed: maphash.MakeSeed(), list: make([]string, 0, n), table: make([]int32, size)}
}

// add says whether the name was there before.
func (s *names) add(name string) bool {
	mask := uint64(len(s.table) - 1)
	at := maphash.String(s.seed, name) & mask
	for s.table[at] != 0 {
		if s.list[s.table[at]-1] == name {
			return true
		}
		at = (at + 1) & mask
	}
	s.list = append(s.list, name)
	s.table[at] = int32(len(s.list))
	return false
}
