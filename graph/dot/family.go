package dot

import (
	"strings"

	"github.com/gpu-overlap/overlap/graph"
)

// family is the graphs of one file, by the numbers that it gives them, and which of them the nodes of each hold.
type family struct {
	order   []int // as the file first names them
	members map[int]*member
}

type member struct {
	id    int
	at    token // where the file first names it
	graph *graph.Graph
	edges []*dotEdge // those of graph, as they stand in the file
	holds [][]int    // by node, the numbers of the graphs that it holds; nil when none does
	held  bool
	state visit

	numbers []int // of the nodes, ascending, when some are missing; nil when each is its index
}

type visit uint8

const (
	unseen visit = iota
	open         // on the way from the root to where the walk is
	done
)

// of is the member of a number, a new one when the file has not named it yet.
func (f *family) of(id int, at token) *member {
	if m := f.members[id]; m != nil {
		return m
	}
	if f.members == nil {
		f.members = map[int]*member{}
	}
	m := &member{id: id, at: at, graph: &graph.Graph{Nodes: []graph.Node{}}}
	f.members[id] = m
	f.order = append(f.order, id)
	return m
}

// maxNest is more than any program nests child graphs.
const maxNest = 64

// tie hangs the graphs on the nodes that hold them, and refuses a file with one that no node holds, beside the root. A
// number that the file says nothing else of stands for a graph that it does not show.
func (f *family) tie(root *member) error {
	if err := f.hang(root, 0); err != nil {
		return err
	}
	for _, id := range f.order {
		if m := f.members[id]; m.state == unseen && len(m.graph.Nodes) > 0 {
			return errorAt(m.at.line,
				"want one graph, found a second: graph_%d and graph_%d, which no node of it holds", root.id, id)
		}
	}
	return nil
}

func (f *family) hang(m *member, depth int) error {
	if depth > maxNest {
		return errorAt(m.at.line, "want at most %d child graphs within one another", maxNest)
	}
	m.state = open
	for node, ids := range m.holds {
		for _, id := range ids {
			child := f.members[id]
			if child == nil {
				continue
			}
			if child.state == open {
				return errorAt(child.at.line, "graph_%d holds itself, want a child graph that is another", id)
			}
			if child.state == unseen {
				if err := f.hang(child, depth+1); err != nil {
					return err
				}
			}
			m.graph.Nodes[node].Children = append(m.graph.Nodes[node].Children, child.graph)
		}
	}
	m.state = done
	return nil
}

// numbers reads "1 2".
func numbers(s string) (ids []int, ok bool) {
	for _, field := range strings.Fields(s) {
		id, ok := number(field)
		if !ok {
			return nil, false
		}
		ids = append(ids, id)
	}
	return ids, true
}
