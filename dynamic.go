package overlap

import (
	"slices"
	"time"

	"github.com/gpu-overlap/overlap/bound"
	"github.com/gpu-overlap/overlap/gpu"
	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/timeline"
)

// dynamicOrder asks of every repetition that each op ran and that every imposed and intended order held.
func (j *judgement) dynamicOrder() Verdict {
	if j.again {
		return met // spans of all but the last launch of an op are gone
	}
	for i := range j.Reps {
		if v := j.orderOf(&j.Reps[i]); v.Cause != "" {
			return v
		}
	}
	return met
}

func (j *judgement) orderOf(t *gpu.Transcript) Verdict {
	for op := range j.Intent.Ops {
		id := int32(op)
		if op >= len(t.Spans) || !t.Spans[op].Ran {
			return fail(BadCode, j.opWhere(id), "%s was issued without an error but left no stamp: it did not run", j.name(id))
		}
		before := [2][]int32{j.Intent.Ops[op].After}
		if j.order != nil {
			before[1] = j.order.Preds(id)
		}
		for _, list := range before {
			for _, u := range list {
				if violated(t.Spans[u], t.Spans[op]) {
					return fail(MissingOrder, j.opWhere(id), "%s started before %s had ended", j.name(id), j.name(u))
				}
			}
		}
	}
	return met
}

// violated says whether the second op started before the first had ended. Of two clock domains nothing is known.
func violated(first, then timeline.Span) bool {
	return first.Ran && then.Ran && first.Clock == then.Clock && then.Start < first.End
}

// concurrency asks that the share of an engine's time that lies under another's is what the case expects. What a
// hand-off takes from each op at its ends is granted.
func (j *judgement) concurrency() Verdict {
	if j.Expect == nil {
		return met
	}
	for _, h := range j.Expect.Hides {
		if j.again {
			return fail(Vacuous, j.expectWhere(h.Line), "ops that are launched again leave the span of their last launch alone")
		}
		samples, total := j.hidden(h)
		hidden := estimate(samples, j.Steady)
		need := j.hiddenNeeded(h, total)
		switch {
		case h.Percent <= 0:
			return fail(Vacuous, j.expectWhere(h.Line), "the case asks for no share of %s to be hidden", h.What)
		case total == 0:
			return fail(Vacuous, j.expectWhere(h.Line), "nothing of %s runs, so nothing of it can be hidden", h.What)
		case need <= 0:
			return fail(Vacuous, j.expectWhere(h.Line), "hiding %v%% of %s in ops this short is lost in the cost of handing over", h.Percent, h.What)
		case hidden.N > 0 && hidden.Hi < need:
			return j.explain(hidesLess(h), j.expectWhere(h.Line))
		case hidden.Lo < need:
			return j.undecided(hidesLess(h)+", or not: the samples do not decide", j.expectWhere(h.Line), samples, need)
		}
	}
	return met
}

func hidesLess(h schedule.Hides) string { return "less of " + h.What + " is hidden than expected" }

// hidden gives the samples of the time that is hidden, in proportion to the time that there is over all repetitions.
func (j *judgement) hidden(h schedule.Hides) (samples []time.Duration, total time.Duration) {
	hidden, of := make([]time.Duration, len(j.Reps)), make([]time.Duration, len(j.Reps))
	for i := range j.Reps {
		hidden[i], of[i] = HiddenShare(j.Intent, j.Reps[i].Spans, h)
	}
	total = middle(of)
	for i := range hidden {
		hidden[i] = nanoseconds(float64(hidden[i]) * float64(total) / float64(max(of[i], 1)))
	}
	return j.samples(hidden), total
}

// HiddenShare gives the time of the ops that h names that lies under ops of other engines (or of those that h names),
// and their time in all.
func HiddenShare(in *schedule.Intent, spans []timeline.Span, h schedule.Hides) (hidden, total time.Duration) {
	of := matcher(in, h.What)
	under := func(op int32) bool { return !of(op) }
	if h.Under != "" {
		under = matcher(in, h.Under)
	}
	return timeline.Hidden(in, spans, of, under)
}

// matcher tells the ops of a kind, of an engine, or the op of that name.
func matcher(in *schedule.Intent, name string) func(op int32) bool {
	return func(op int32) bool {
		o := &in.Ops[op]
		return o.Kind.String() == name || in.Engines[o.On()].Name == name || o.Name == name
	}
}

func (j *judgement) hiddenNeeded(h schedule.Hides, total time.Duration) time.Duration {
	need := percent(total, h.Percent)
	if j.Exact {
		return need
	}
	of, ops := matcher(j.Intent, h.What), 0
	for op := range j.Intent.Ops {
		if of(int32(op)) {
			ops++
		}
	}
	return need - percent(total, 2) - time.Duration(ops)*j.Costs.HandOff
}

func (j *judgement) expectWhere(line int32) string {
	if j.Program == nil {
		return ""
	}
	return j.Program.Where(schedule.Instr{Line: line})
}

// percent is p % of d, rounded to the nanosecond.
func percent(d time.Duration, p float64) time.Duration {
	return time.Duration(float64(d)*p/100 + 0.5)
}

// byStart sorts ops by their start in a timetable, then by id.
func byStart(ops []int32, t bound.Timetable) []int32 {
	sorted := slices.Clone(ops)
	slices.SortFunc(sorted, func(a, b int32) int {
		if t.Start[a] != t.Start[b] {
			return int(min(max(t.Start[a]-t.Start[b], -1), 1))
		}
		return int(a - b)
	})
	return sorted
}
