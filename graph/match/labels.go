package match

import (
	"encoding/binary"

	"github.com/gpu-overlap/overlap/graph"
)

// labels numbers what nodes must share to be the same: kind, name and, unless loose, the graphs that they hold, up to
// the numbering of theirs.
type labels struct {
	loose   bool
	numbers map[nodeLabel]int32
	classes map[*graph.Graph]int32
	known   map[signature][]known
	count   int32 // of classes
	work    *int
	unsure  bool // two graphs that nodes hold were not compared to the end
}

type nodeLabel struct {
	kind graph.Kind
	name string
	held string // the classes of the graphs that it holds
}

// signature is the same for isomorphic graphs.
type signature struct {
	nodes, edges int
	sum          uint64
}

// known is a graph that stands for its class.
type known struct {
	graph *graph.Graph
	label []int32
	class int32
}

func newLabels(loose bool, work *int) *labels {
	return &labels{loose: loose, numbers: map[nodeLabel]int32{}, classes: map[*graph.Graph]int32{},
		known: map[signature][]known{}, work: work}
}

// of numbers the nodes of a graph.
func (l *labels) of(g *graph.Graph) []int32 {
	list := make([]int32, len(g.Nodes))
	for i := range g.Nodes {
		n := &g.Nodes[i]
		key := nodeLabel{kind: n.Kind, name: n.Name}
		if !l.loose && len(n.Children) > 0 {
			var held []byte
			for _, child := range n.Children {
				held = binary.LittleEndian.AppendUint32(held, uint32(l.class(child)))
			}
			key.held = string(held)
		}
		number, ok := l.numbers[key]
		if !ok {
			number = int32(len(l.numbers))
			l.numbers[key] = number
		}
		list[i] = number
	}
	return list
}

// class numbers graphs; isomorphic ones share a number.
func (l *labels) class(g *graph.Graph) int32 {
	if class, ok := l.classes[g]; ok {
		return class
	}
	k := known{graph: g, label: l.of(g)}
	c := newColored(g, k.label)
	c.round()
	c.round()
	s := signature{nodes: len(g.Nodes), edges: len(g.Edges)}
	for _, x := range c.color {
		s.sum += mix(x)
	}
	k.class = -1
	for _, other := range l.known[s] {
		_, found := isomorphism(newColored(g, k.label), newColored(other.graph, other.label), l.work)
		if found == yes {
			k.class = other.class
			break
		}
		l.unsure = l.unsure || found == undecided
	}
	if k.class < 0 {
		k.class = l.count
		l.count++
		l.known[s] = append(l.known[s], k)
	}
	l.classes[g] = k.class
	return k.class
}
