package overlap

import (
	"fmt"
	"time"
)

// profit holds the wall time against that of the giant batch, when the case asks for it. Splitting has a price that no
// overlap shows: the parts together take longer than the whole, or their bound would be lower.
func (j *judgement) profit() Verdict {
	if len(j.Giant) == 0 {
		return met
	}
	giant, wall := estimate(j.Giant, j.Steady), j.wall()
	if j.Expect == nil || !j.Expect.Beats.Given {
		if wall.Lo > giant.Hi {
			j.notes = append(j.notes, "it takes longer than the giant batch: splitting costs more than overlapping gains")
		}
		return met
	}
	b := j.Expect.Beats
	most := giant.Median - percent(giant.Median, b.Percent)
	switch wall.atMost(most - time.Nanosecond) {
	case within:
		return met
	case undecided:
		return j.undecided("the samples do not say whether it beats the giant batch", j.expectWhere(b.Line), j.walls(), most)
	}
	v := fail(Unprofitable, j.expectWhere(b.Line), "it overlaps as it should, and the giant batch is as fast")
	if b.Percent > 0 {
		v.Detail = "it overlaps as it should, and does not beat the giant batch by as much as it should"
	}
	v.Took = max(wall.Median-most, 0)
	v.Evidence = fmt.Sprintf("%v, the giant batch %v", wall, giant)
	v.Change = "do not split, or split so that the parts cost less"
	return v
}
