package match

import (
	"slices"

	"github.com/gpu-overlap/overlap/graph"
)

// colored is a graph whose nodes bear colours that do not rest on their numbers: nodes that some isomorphism maps to
// one another have the same. The converse does not hold; what rests on it is checked edge by edge.
type colored struct {
	out, in       *graph.Adjacency
	down, up      []int32 // topological orders, from the roots and from the sinks
	isDown, isUp  []bool  // which nodes are in them; those of a cycle and beyond it are not
	label         []int32 // two nodes share it when kind, name and the graphs that they hold are the same
	color         []uint64
	before, spare []uint64
}

func newColored(g *graph.Graph, label []int32) *colored {
	c := &colored{out: g.Successors(), in: g.Predecessors(), label: label}
	c.prepare()
	return c
}

func (c *colored) prepare() {
	n := len(c.label)
	c.down, c.up = graph.Topological(c.out, c.in), graph.Topological(c.in, c.out)
	c.isDown, c.isUp = members(c.down, n), members(c.up, n)
	c.color, c.before, c.spare = make([]uint64, n), make([]uint64, n), make([]uint64, n)
	for i, l := range c.label {
		c.color[i] = mix(uint64(l))
	}
}

func members(order []int32, n int) []bool {
	in := make([]bool, n)
	for _, v := range order {
		in[v] = true
	}
	return in
}

// mix spreads the bits of a number over all 64 (the finaliser of splitmix64).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// sweep lets every node take in the colours of its neighbours on one side, those of nearer nodes already taken in: in
// one sweep down, all that comes before a node colours it. In a cycle each node takes in what its neighbours were.
func (c *colored) sweep(side *graph.Adjacency, order []int32, in []bool, salt uint64) {
	old, now := c.color, c.before
	take := func(v int32) uint64 {
		var sum uint64
		for _, a := range side.Of(v) {
			x := old[a.Node]
			if in[a.Node] {
				x = now[a.Node]
			}
			sum += mix(x ^ uint64(a.Data)*0x9e3779b97f4a7c15 ^ salt)
		}
		return mix(old[v] ^ mix(sum^salt))
	}
	for _, v := range order {
		now[v] = take(v)
	}
	if len(order) < len(in) {
		for v := range in {
			if !in[v] {
				now[v] = take(int32(v))
			}
		}
	}
	c.color, c.before = now, old
}

const (
	saltDown = 0x5bd1e9955bd1e995
	saltUp   = 0xc2b2ae3d27d4eb4f
)

// round is a sweep down and one up.
func (c *colored) round() {
	c.sweep(c.in, c.down, c.isDown, saltDown)
	c.sweep(c.out, c.up, c.isUp, saltUp)
}

// near takes in direct neighbours only, on both sides.
func (c *colored) near() {
	none := make([]bool, len(c.color))
	c.sweep(c.in, nil, none, saltDown)
	c.sweep(c.out, nil, none, saltUp)
}

// classes counts the colours.
func (c *colored) classes() int {
	copy(c.spare, c.color)
	slices.Sort(c.spare)
	n := min(1, len(c.spare))
	for i := 1; i < len(c.spare); i++ {
		if c.spare[i] != c.spare[i-1] {
			n++
		}
	}
	return n
}

// maxRounds bounds refinement: colours that are not stable yet are right, only coarser.
const maxRounds = 64

// refine colours two graphs, the same number of rounds, until a round tells no more nodes apart. It says whether the
// colours are the same in both, each as often; when they are not, no isomorphism maps one on the other.
func refine(a, b *colored, work *int) bool {
	for round, classes := 0, 0; ; round++ {
		n := a.classes()
		if n != b.classes() || !slices.Equal(a.spare, b.spare) {
			return false
		}
		if n == classes || n == len(a.color) || round == maxRounds {
			return true
		}
		classes = n
		*work -= 2 * (len(a.color) + len(a.out.Arcs))
		a.round()
		b.round()
	}
}
