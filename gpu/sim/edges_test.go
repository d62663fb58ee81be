package sim

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/gpu/sim/hardware"
	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/schedule"
)

// edgeLists is the slow, obvious twin of a graph that is edited: the lists themselves.
type edgeLists struct {
	deps, dependents map[int32][]int32
	roots            []int32
}

func drop(list []int32, id int32) []int32 {
	at, end := slices.Index(list, id), len(list)-1
	list[at] = list[end]
	return list[:end]
}

func (l *edgeLists) node(id int32, deps []int32) {
	for _, d := range deps {
		l.add(d, id)
	}
	if len(deps) == 0 {
		l.roots = slices.Insert(l.roots, 0, id)
	}
}

func (l *edgeLists) add(from, to int32) {
	l.deps[to], l.dependents[from] = append(l.deps[to], from), append(l.dependents[from], to)
	if len(l.deps[to]) == 1 {
		l.roots = slices.DeleteFunc(l.roots, func(id int32) bool { return id == to })
	}
}

func (l *edgeLists) remove(from, to int32) {
	l.deps[to], l.dependents[from] = drop(l.deps[to], from), drop(l.dependents[from], to)
	if len(l.deps[to]) == 0 {
		l.roots = slices.Insert(l.roots, 0, to)
	}
}

func (l *edgeLists) destroy(id int32) {
	for len(l.deps[id]) > 0 {
		l.remove(l.deps[id][0], id)
	}
	for len(l.dependents[id]) > 0 {
		l.remove(id, l.dependents[id][0])
	}
	l.roots = slices.DeleteFunc(l.roots, func(r int32) bool { return r == id })
}

func TestEditedGraphsAgainstLists(t *testing.T) {
	p := program(t, "", "Ctx")
	removed := 0
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 6))
		g, l := &template{}, &edgeLists{deps: map[int32][]int32{}, dependents: map[int32][]int32{}}
		var alive []int32
		for range 40 {
			n := r.IntN(10)
			if len(alive) < 2 || n < 3 {
				id := int32(len(g.nodes))
				deps := slices.DeleteFunc(slices.Clone(alive), func(int32) bool { return r.IntN(2) == 0 })
				r.Shuffle(len(deps), func(i, k int) { deps[i], deps[k] = deps[k], deps[i] })
				g.nodes = append(g.nodes, node{class: hardware.Join, op: schedule.None, deps: slices.Clone(deps),
					extra: &extra{kind: graph.EmptyNode, name: id}})
				l.node(id, deps)
				alive = append(alive, id)
				continue
			}
			from, to := alive[r.IntN(len(alive))], alive[r.IntN(len(alive))]
			switch is := slices.Contains(l.deps[to], from); {
			case n == 3:
				g.destroy(to)
				l.destroy(to)
				alive = slices.DeleteFunc(alive, func(id int32) bool { return id == to })
			case is:
				g.removeEdge(from, to)
				l.remove(from, to)
				removed++
			case from != to:
				g.addEdge(from, to)
				l.add(from, to)
			}
		}
		ids, _ := g.numbers()
		renumbered := func(list []int32) (out []int32) {
			for _, id := range list {
				out = append(out, ids[id])
			}
			return out
		}
		got := g.list(p)
		require.Equal(t, renumbered(l.roots), got.Roots, "seed %d", seed)
		for _, id := range alive {
			require.Equal(t, renumbered(l.deps[id]), got.Deps[ids[id]], "seed %d", seed)
			require.Equal(t, renumbered(l.dependents[id]), got.Dependents[ids[id]], "seed %d", seed)
			require.Equal(t, renumbered(l.dependents[id]), renumbered(g.dependents(id)), "seed %d", seed)
		}
	}
	assert.Greater(t, removed, 500)
}
