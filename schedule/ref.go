package schedule

import (
	"fmt"
	"math"
	"strconv"
)

// None is the index of nothing.
const None int32 = -1

// Ref names an element of one of a program's lists: an op, a stream, an event, a graph, a node. The zero value names
// none.
type Ref struct {
	n int32 // 1 + the index; 0 names none, −1 is Null
}

// Null is a handle that is NULL, where a driver call must refuse it. It names something, but nothing in a list.
var Null = Ref{-1}

// At is the i-th element; none when i is negative.
func At(i int32) Ref { return Ref{max(i, None) + 1} }

// Refs are the elements of these indices.
func Refs(list []int32) []Ref {
	refs := make([]Ref, len(list))
	for i, id := range list {
		refs[i] = At(id)
	}
	return refs
}

// Index is the index of the element; None when there is none, −2 for Null.
func (r Ref) Index() int32 { return r.n - 1 }

// Is says whether it is the i-th element, of i >= 0.
func (r Ref) Is(i int32) bool { return r.n == i+1 && i >= 0 }

// Within says whether it is an element of a list of n.
func (r Ref) Within(n int) bool { return r.n > 0 && int(r.n) <= n }

// Some says whether it names something: an element, or Null.
func (r Ref) Some() bool { return r.n != 0 }

// String is the index; "none" or "null" when there is none.
func (r Ref) String() string {
	switch r {
	case Ref{}:
		return "none"
	case Null:
		return "null"
	}
	return strconv.Itoa(int(r.Index()))
}

// MarshalText is what String prints.
func (r Ref) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads what MarshalText prints.
func (r *Ref) UnmarshalText(text []byte) error {
	switch string(text) {
	case "none":
		*r = Ref{}
		return nil
	case "null":
		*r = Null
		return nil
	}
	i, err := strconv.ParseInt(string(text), 10, 32)
	if err != nil || i < 0 || i == math.MaxInt32 {
		return fmt.Errorf("schedule: no index %q; want a number from 0, none or null", text)
	}
	*r = At(int32(i))
	return nil
}
