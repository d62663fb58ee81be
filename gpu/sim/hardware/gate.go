package hardware

import "time"

// GateLimit is how long a gate holds its stream, by its own clock, when nobody opens it.
const GateLimit = time.Second

// gates are the kernels that wait for the host to open them.
type gates struct {
	open bool    // the host has opened them in this repetition
	held []int32 // those that have started, until they are opened
}

func (g *gates) reset() { *g = gates{held: g.held[:0]} }

// start says how long a gate that starts now may last.
func (g *gates) start(id int32) time.Duration {
	if g.open {
		return 0
	}
	g.held = append(g.held, id)
	return GateLimit
}

// opened opens those that have started and those that are to come, and gives the former.
func (g *gates) opened() []int32 {
	list := g.held
	g.open, g.held = true, g.held[:0]
	return list
}
