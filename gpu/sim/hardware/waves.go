package hardware

// grid is a kernel of more blocks than fit, of which some run: they are placed as room becomes free, each for the
// duration of the op, whatever comes in between (L7). A more urgent kernel starts wherever blocks of it end, and
// another of its own priority only when its last block is placed.
type grid struct {
	work   int32
	left   int64   // units that are not placed yet
	placed []int64 // units that run, in the order in which they end
}

// place gives room to as many units as are free, and says how many that is.
func (g *grid) place(free int64) int64 {
	n := min(g.left, free)
	g.left -= n
	g.placed = append(g.placed, n)
	return n
}

// retire gives back the room of the units that end now.
func (g *grid) retire() int64 {
	n := g.placed[0]
	g.placed = g.placed[1:]
	return n
}

// through says whether all units have ended.
func (g *grid) through() bool { return g.left == 0 && len(g.placed) == 0 }
