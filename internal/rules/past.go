package rules

import "maps"

// Set is a set of works, or of the nodes of a capture, by index. It is never changed once it is made.
type Set map[int]bool

func (s Set) plus(others ...Set) Set {
	all := maps.Clone(s)
	if all == nil {
		all = Set{}
	}
	for _, o := range others {
		maps.Copy(all, o)
	}
	return all
}

// Past is what is over at a point of a stream, of an event or of the host: works, or nodes of a capture.
type Past struct {
	All    Set  // with one it holds all that come before that one
	Last   Set  // those of All from which the point is reached without passing another
	Origin bool // a call on the origin is before the point
}

// and is what is over when all of these are.
func (p Past) and(others ...Past) Past {
	for _, o := range others {
		p = Past{All: p.All.plus(o.All), Last: p.Last.plus(o.Last), Origin: p.Origin || o.Origin}
	}
	return p
}

// then is what is over after i, which comes after p.
func (p Past) then(i int) Past {
	return Past{All: p.All.plus(Set{i: true}), Last: Set{i: true}, Origin: p.Origin}
}
