package sim

import (
	"slices"

	"github.com/gpu-overlap/overlap/schedule"
)

// waves is a grid of more blocks than fit: they are placed as room becomes free, each for the duration of the op, whatever
// comes in between (measured: a grid of four waves lets a more urgent one in wherever blocks of it end, and another of its own
// priority only when its last block is placed).
type waves struct {
	work   int32
	left   int64   // units that are not placed yet
	placed []int64 // units that run, in the order in which they end
}

// rounds is how many times over a kernel fills the room that it holds.
func (e *engine) rounds(w *work) int64 {
	if w.class != kernel || w.op == schedule.None {
		return 1
	}
	return int64(max(1, e.ops[w.op].Waves))
}

// grid is a grid of several waves that has started; nil when it has not, or is another kernel.
func (s *sms) grid(id int32) *waves {
	for i := range s.grids {
		if s.grids[i].work == id {
			return &s.grids[i]
		}
	}
	return nil
}

// placeBlocks places what fits of the grid that is next in a line; false when nothing does.
func (e *engine) placeBlocks(l *heap, id int32) bool {
	w, g := &e.works[id], e.sms.grid(id)
	if e.sms.free == 0 {
		return false
	}
	first := g == nil
	if first {
		e.sms.grids = append(e.sms.grids, waves{work: id, left: e.units(w) * e.rounds(w)})
		g = &e.sms.grids[len(e.sms.grids)-1]
		e.sms.running++
		w.ready, w.end = e.now, never
	}
	n := min(g.left, e.sms.free)
	g.left -= n
	g.placed = append(g.placed, n)
	e.sms.free -= n
	e.queue.push(happening{at: e.now + w.dur, phase: ends, work: id})
	if g.left == 0 {
		l.pop()
	}
	if first {
		e.shift(w.connection)
	}
	return true
}

// retire frees what the blocks held that end now; true when they were the last.
func (e *engine) retire(g *waves) bool {
	e.sms.free += g.placed[0]
	e.owed = true
	if g.placed = g.placed[1:]; g.left > 0 || len(g.placed) > 0 {
		return false
	}
	e.works[g.work].end = e.now
	e.sms.grids = slices.DeleteFunc(e.sms.grids, func(o waves) bool { return o.work == g.work })
	return true
}
