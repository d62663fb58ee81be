package judge

import (
	"time"

	"github.com/gpu-overlap/overlap/judge/sample"
	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/timeline"
	"github.com/gpu-overlap/overlap/verdict"
)

// concurrency asks that the share of an engine's time that lies under another's is what the case expects. What a
// hand-off takes from each op at its ends is granted.
func concurrency(f *facts) []verdict.Finding {
	if f.Expect == nil {
		return nil
	}
	for _, h := range f.Expect.Hides {
		if found := hides(f, h); len(found) > 0 {
			return found
		}
	}
	return nil
}

func hides(f *facts, h verdict.Hides) []verdict.Finding {
	where := f.lineWhere(h.Line)
	vacuous := func(format string, args ...any) []verdict.Finding {
		return one(verdict.Found(verdict.Vacuous, where, format, args...))
	}
	if f.relaunched {
		return vacuous("ops that are launched again leave the span of their last launch alone")
	}
	samples, total := hiddenSamples(f, h)
	hidden, need := sample.Of(samples, f.Steady), hiddenNeeded(f, h, total)
	less := "less of " + h.What + " is hidden than expected"
	switch {
	case h.Percent <= 0:
		return vacuous("the case asks for no share of %s to be hidden", h.What)
	case total == 0:
		return vacuous("nothing of %s runs, so nothing of it can be hidden", h.What)
	case need <= 0:
		return vacuous("hiding %v%% of %s in ops this short is lost in the cost of handing over", h.Percent, h.What)
	case hidden.N > 0 && hidden.Hi < need:
		return explain(f, less, where)
	case hidden.Lo < need:
		return one(undecided(f, less+", or not: the samples do not decide", where, samples, need))
	}
	return nil
}

// hiddenSamples gives the samples of the time that is hidden, in proportion to the time that there is over all repetitions.
func hiddenSamples(f *facts, h verdict.Hides) (samples []time.Duration, total time.Duration) {
	hidden, of := make([]time.Duration, len(f.Reps)), make([]time.Duration, len(f.Reps))
	for i := range f.Reps {
		hidden[i], of[i] = HiddenShare(f.Intent, f.Reps[i].Spans, h)
	}
	total = sample.Middle(of)
	for i := range hidden {
		hidden[i] = sample.Round(float64(hidden[i]) * float64(total) / float64(max(of[i], 1)))
	}
	return f.PerBlock(f.reading, hidden), total
}

// HiddenShare gives the time of the ops that h names that lies under ops of other engines (or of those that h names),
// and their time in all.
func HiddenShare(in *schedule.Intent, spans []timeline.Span, h verdict.Hides) (hidden, total time.Duration) {
	if in == nil {
		return 0, 0
	}
	of := matcher(in, h.What)
	under := func(op int32) bool { return !of(op) }
	if h.Under != "" {
		under = matcher(in, h.Under)
	}
	return timeline.Hidden(in, spans, of, under)
}

// matcher tells the ops of a kind, of an engine, or the op of that name.
func matcher(in *schedule.Intent, name string) func(op int32) bool {
	kind, engines := schedule.NumKinds, make([]bool, len(in.Engines))
	for k := range schedule.NumKinds {
		if k.String() == name {
			kind = k
		}
	}
	for e := range in.Engines {
		engines[e] = in.Engines[e].Name == name
	}
	return func(op int32) bool {
		o := &in.Ops[op]
		e := o.On()
		return o.Kind == kind || e >= 0 && int(e) < len(engines) && engines[e] || o.Name == name
	}
}

func hiddenNeeded(f *facts, h verdict.Hides, total time.Duration) time.Duration {
	need := sample.Percent(total, h.Percent)
	if f.Exact {
		return need
	}
	of, ops := matcher(f.Intent, h.What), 0
	for op := range f.Intent.Ops {
		if of(int32(op)) {
			ops++
		}
	}
	return need - sample.Percent(total, 2) - time.Duration(ops)*f.Costs.HandOff
}
