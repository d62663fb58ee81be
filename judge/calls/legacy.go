package calls

import (
	"slices"

	"github.com/gpu-overlap/overlap/order"
	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/verdict"
)

// legacyBarrier tries the same program with its blocking streams made non-blocking. When that is shorter, work on the
// legacy stream is the barrier.
func legacyBarrier(d *doubt) []verdict.Finding {
	free := *d.Program
	free.Streams = slices.Clone(free.Streams)
	var blocking []int32
	for i := range free.Streams {
		if free.Streams[i].Kind == schedule.Blocking {
			blocking = append(blocking, int32(i))
			free.Streams[i].Kind = schedule.NonBlocking
		}
	}
	if len(blocking) == 0 {
		return nil
	}
	saves := d.savesAs(order.Of(&free).Preds)
	if saves == 0 {
		return nil
	}
	barrier := firstBarrier(d.View, blocking)
	name := barrier.Verb.Call()
	if barrier.Op.Some() {
		name = d.Name(barrier.Op.Index())
	}
	f := verdict.Found(verdict.LegacyBarrier, d.Program.Where(barrier), keepsApart, name)
	f.Saves, f.Change = saves, "make the streams non-blocking"
	return one(f)
}

const keepsApart = "%s on the legacy stream keeps blocking streams apart"

// firstBarrier is the first call on the legacy stream that has work of blocking streams before it.
func firstBarrier(v *View, blocking []int32) schedule.Instr {
	seen := false
	for _, c := range v.Calls {
		if !c.Stream.Some() {
			continue
		}
		if c.Op.Some() && slices.Contains(blocking, c.Stream.Index()) {
			seen = true
		}
		if seen && v.Program.Streams[c.Stream.Index()].Kind == schedule.Legacy {
			return c
		}
	}
	return v.Calls[0]
}
