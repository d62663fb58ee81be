package judge

import (
	"time"

	"github.com/gpu-overlap/overlap/judge/sample"
	"github.com/gpu-overlap/overlap/verdict"
)

// profit holds the wall time against that of the giant batch, when the case asks for it. Splitting has a price that no
// overlap shows: the parts together take longer than the whole, or their bound would be lower.
func profit(f *facts) []verdict.Finding {
	if len(f.Giant) == 0 {
		return nil
	}
	giant := sample.Of(f.Giant, f.Steady)
	if f.Expect == nil || !f.Expect.Beats.Given {
		if f.wall.Lo > giant.Hi {
			return one(verdict.Note("it takes longer than the giant batch: splitting costs more than overlapping gains"))
		}
		return nil
	}
	b := f.Expect.Beats
	most, where := giant.Median-sample.Percent(giant.Median, b.Percent), f.lineWhere(b.Line)
	switch f.wall.AtMost(most - time.Nanosecond) {
	case sample.Within:
		return nil
	case sample.Undecided:
		return one(undecided(f, "the samples do not say whether it beats the giant batch", where, f.walls, most))
	}
	detail := "it overlaps as it should, and the giant batch is as fast"
	if b.Percent > 0 {
		detail = "it overlaps as it should, and does not beat the giant batch by as much as it should"
	}
	found := verdict.Found(verdict.Unprofitable, where, "%s", detail)
	found.Took = max(f.wall.Median-most, 0)
	found.Evidence = f.wall.String() + ", the giant batch " + giant.String()
	found.Change = "do not split, or split so that the parts cost less"
	return one(found)
}
