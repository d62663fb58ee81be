package text

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gpu-overlap/overlap/schedule"
)

// checkAfter refuses ops that are after themselves by way of others.
func (r *spelledReader) checkAfter(sec *section) error {
	cycle := findCycle(r.sched.Intent.Ops)
	if cycle == nil {
		return nil
	}
	const most = 8
	var names []string
	for i, op := range cycle {
		if i == most {
			names = append(names, fmt.Sprintf("(%d more)", len(cycle)-most))
			break
		}
		names = append(names, r.sched.Intent.Ops[op].Name)
	}
	names = append(names, r.sched.Intent.Ops[cycle[0]].Name)
	return sec.each(func(l *line) error {
		if l.no != r.sched.Intent.Ops[cycle[0]].Line {
			return nil
		}
		at := slices.IndexFunc(l.toks, func(t token) bool { return t.text == "after" })
		return l.errorf(l.toks[at], "an order that ends somewhere", "a cycle: %s", strings.Join(names, " after "))
	})
}

// findCycle gives ops of which each is after the next, and the last after the first; nil when there are none.
// It starts with the op of the cycle that has the smallest id.
func findCycle(ops []schedule.Op) []int32 {
	const unseen, open, done = 0, 1, 2
	state := make([]uint8, len(ops))
	next := make([]int32, len(ops)) // the first of After that was not followed yet
	var path []int32
	for root := range ops {
		if state[root] != unseen {
			continue
		}
		path = append(path[:0], int32(root))
		state[root] = open
		for len(path) > 0 {
			op := path[len(path)-1]
			if int(next[op]) == len(ops[op].After) {
				state[op] = done
				path = path[:len(path)-1]
				continue
			}
			pred := ops[op].After[next[op]]
			next[op]++
			switch state[pred] {
			case unseen:
				state[pred] = open
				path = append(path, pred)
			case open:
				cycle := path[slices.Index(path, pred):]
				first := slices.Index(cycle, slices.Min(cycle))
				return slices.Concat(cycle[first:], cycle[:first])
			}
		}
	}
	return nil
}
