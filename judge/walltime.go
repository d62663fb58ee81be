package judge

import (
	"slices"
	"time"

	"github.com/gpu-overlap/overlap/bound"
	"github.com/gpu-overlap/overlap/judge/calls"
	"github.com/gpu-overlap/overlap/judge/sample"
	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/verdict"
)

// wallTime holds the wall time against its target.
func wallTime(f *facts) (found []verdict.Finding) {
	where, limit := f.lineWhere(f.Line), f.limit.Total()
	// A serial run needs a launch too, and a hand-off from each op to the next.
	serial := bound.Serial(f.Solo) + f.limit.Launch + time.Duration(len(f.Solo)-1)*f.limit.HandOff
	if limit >= serial {
		return one(verdict.Found(verdict.Vacuous, where, "a serial run would meet the target too"))
	}
	decided := f.wall.AtMost(limit)
	switch {
	case decided != sample.Undecided:
	case f.overAnyway(limit):
		decided = sample.Beyond
	case f.withinAnyway():
		decided = sample.Within
	}
	if c := conditions(f); c != "" && decided != sample.Undecided {
		found = one(verdict.Note("%s", c))
	}
	switch decided {
	case sample.Beyond:
		return append(found, explain(f, "wall time is over its target", where)...)
	case sample.Undecided:
		return one(undecided(f, "the samples do not say whether the wall time meets its target", where, f.walls, limit))
	}
	if ideal := f.ideal.Bound; f.wall.Hi < ideal-sample.Percent(ideal, 0.5) {
		return append(found, verdict.Found(verdict.Inconclusive, where,
			"faster than ideal, and no order that is missing could be named"))
	}
	return append(found, orderNoted(f)...)
}

// orderNoted notes of a schedule that is fast enough that its makespan depends on an order that no call gives.
func orderNoted(f *facts) (notes []verdict.Finding) {
	shared := func(e schedule.Engine) bool { return e.Capacity > 1 }
	if f.view == nil || !slices.ContainsFunc(f.Intent.Engines, shared) {
		return nil
	}
	for _, s := range calls.Sensitive(f.view) {
		notes = append(notes, verdict.Note("%s; %s", s, s.Evidence))
	}
	return notes
}

// undecided is the finding when the interval of samples holds the limit. Its detail is the same on every device; how
// many samples there were, how many would do, and what is in the way, are noted.
func undecided(f *facts, detail, where string, samples []time.Duration, limit time.Duration) verdict.Finding {
	needs, in := sample.ToSettle(samples, limit), conditions(f)
	switch {
	case f.reading.Disturbed():
		detail = "foreign load: " + detail
	case in != "":
	case needs == 0:
		in = "too noisy, for a time this near to the limit"
	default:
		in = "too few samples"
	}
	settle := "about %d would settle it"
	most := needs
	if needs == 0 {
		settle, most = "not even %d would settle it", sample.MostToSettle
	}
	found := verdict.Found(verdict.Inconclusive, where, "%s", detail)
	found.Notes = []string{verdict.Note("%d %s count, "+settle+"; %s", len(samples), f.Unit(), most, in).Detail}
	found.Needs = needs
	return found
}

// conditions says what the canaries noticed; empty when it was quiet.
func conditions(f *facts) string {
	switch r := f.reading; {
	case r.Disturbed():
		return verdict.Note("foreign load: an op alone was stretched %d of %d times, and the blocks beside were set aside",
			r.Count(), len(f.Canary)).Detail
	case r.Moved:
		return "moved clocks: an op alone took another time at the end than at the beginning"
	}
	return ""
}
