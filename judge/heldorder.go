package judge

import (
	"github.com/gpu-overlap/overlap/gpu"
	"github.com/gpu-overlap/overlap/timeline"
	"github.com/gpu-overlap/overlap/verdict"
)

// heldOrder asks of every repetition that each op ran and that every imposed and intended order held. Of ops that are
// launched again nothing is known: the spans of all but their last launch are gone.
func heldOrder(f *facts) []verdict.Finding {
	if f.relaunched {
		return nil
	}
	for i := range f.Reps {
		if found := heldIn(f, &f.Reps[i]); len(found) > 0 {
			return found
		}
	}
	return nil
}

func heldIn(f *facts, t *gpu.Transcript) []verdict.Finding {
	imposed := f.imposed()
	for op := range f.Intent.Ops {
		id := int32(op)
		if op >= len(t.Spans) || !t.Spans[op].Ran {
			return one(verdict.Found(verdict.BadCode, f.opWhere(id),
				"%s was issued without an error but left no stamp: it did not run", f.name(id)))
		}
		before := [2][]int32{f.Intent.Ops[op].After}
		if imposed != nil {
			before[1] = imposed.Preds(id)
		}
		for _, list := range before {
			for _, u := range list {
				if violated(t.Spans[u], t.Spans[op]) {
					return one(verdict.Found(verdict.MissingOrder, f.opWhere(id), "%s started before %s had ended",
						f.name(id), f.name(u)))
				}
			}
		}
	}
	return nil
}

// violated says whether the second op started before the first had ended. Of two clock domains nothing is known.
func violated(first, then timeline.Span) bool {
	return first.Ran && then.Ran && first.Clock == then.Clock && then.Start < first.End
}
