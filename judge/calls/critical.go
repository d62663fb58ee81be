package calls

import (
	"slices"
	"time"

	"github.com/gpu-overlap/overlap/schedule"
)

// paths are the critical paths through what the calls and the needs impose: those as long as the schedule, each op of
// which starts when the one before ends. Less order is worth a try only when it breaks every critical path.
type paths struct {
	at    []int32 // by op: its place in View.InTime
	until []int32 // by op: the last place of an op that comes directly after it
	sole  []bool  // by op: on every critical path
}

// pathsOf finds the critical paths. At any time one op of each is running, so that an op is on all of them when no
// other critical op runs beside it.
func pathsOf(d *doubt) paths {
	p := paths{at: nones(len(d.Dur)), until: nones(len(d.Dur)), sole: make([]bool, len(d.Dur))}
	tail := make([]time.Duration, len(d.Dur)) // the longest path from the start of an op
	for place, op := range slices.Backward(d.InTime) {
		p.at[op] = int32(place)
		tail[op] += d.Dur[op]
		for _, list := range [][]int32{d.Order.Preds(op), d.needs.of(op)} {
			for _, u := range list {
				tail[u] = max(tail[u], tail[op])
				p.until[u] = max(p.until[u], int32(place))
			}
		}
	}
	last := schedule.None // of the critical ops so far, the one that ends last
	for _, op := range d.InTime {
		if d.Table.Start[op]+tail[op] < d.Table.Makespan {
			continue
		}
		p.sole[op] = true
		switch {
		case d.Dur[op] == 0:
		case last == schedule.None || d.Table.Start[op] >= d.Table.End[last]:
			last = op
		default:
			p.sole[op], p.sole[last] = false, false
			if d.Table.End[op] > d.Table.End[last] {
				last = op
			}
		}
	}
	return p
}
