package text

import (
	"fmt"
	"slices"
	"strings"
)

// checkAfter refuses ops that are after themselves by way of others.
func (r *spelledReader) checkAfter(sec *section) error {
	cycle := r.sched.Intent.Cycle()
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
