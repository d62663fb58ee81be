package conform

import (
	"slices"
)

// segment writes some calls that belong together.
func (g *generator) segment() {
	if g.chance(25) {
		g.thread = g.r.IntN(g.threads)
	}
	switch {
	case g.chance(45):
		g.captured()
	case g.chance(12):
		g.handles()
	default:
		for range 1 + g.r.IntN(6) {
			g.eager()
		}
	}
}

// safe says whether no capture under way refuses a call of this thread that asks or waits.
func (g *generator) safe() bool {
	return !slices.ContainsFunc(g.active, func(c *capture) bool {
		return c.mode == "" || c.mode == " thread-local" && c.thread == g.thread
	})
}

// free lists the streams on which real work may be issued: not the legacy stream beside a capture of blocking streams.
func (g *generator) free() []int {
	barred := slices.ContainsFunc(g.active, func(c *capture) bool { return c.blocking })
	return g.where(func(s *stream) bool { return s.alive && s.capture == nil && (s.name != "main" || !barred) })
}

// eager writes a call on a stream that does not capture, such as may stand beside the captures under way.
func (g *generator) eager() {
	free := g.free()
	if len(free) == 0 {
		return
	}
	s, e := pick(g, free), g.r.IntN(len(g.events))
	name, safe := g.streams[s].name, g.safe()
	switch n := g.r.IntN(100); {
	case n < 50:
		g.say("%s: %s", name, g.op())
	case n < 66 && g.events[e] != nodes || n < 60 && len(g.active) == 0:
		g.say("%s: record e%d", name, e)
		g.events[e] = works
	case n < 84 && g.events[e] != nodes:
		g.say("%s: wait e%d", name, e)
	case n < 88 && safe:
		g.say("%s: sync", name)
	case n < 90 && safe && g.events[e] != nodes:
		g.say("sync event e%d", e)
	case n < 92 && len(g.active) == 0:
		g.say("sync context")
	case n < 94 && safe:
		g.say("%s: query", name)
	case n < 96 && safe && g.events[e] != nodes:
		g.say("query event e%d", e)
	default:
		g.replay(name)
	}
}

// replay launches a graph that is there, or makes it ready to be launched.
func (g *generator) replay(name string) {
	i := g.r.IntN(len(g.graphs))
	switch x := &g.graphs[i]; {
	case x.ready && g.chance(20):
		g.say("upload g%d %s", i, name)
	case x.ready:
		g.say("%s: replay g%d", name, i)
	case x.captured && g.safe():
		g.say("instantiate g%d", i)
		x.ready = true
	}
}

// handles creates or destroys a stream or an event.
func (g *generator) handles() {
	late := g.where(func(s *stream) bool { return s.late && !s.alive })
	ready := g.where(func(s *stream) bool { return s.alive && s.capture == nil && s.name != "main" })
	switch {
	case len(late) > 0:
		s := &g.streams[pick(g, late)]
		g.say("create stream %s flags %d", s.name, flags(s))
		s.alive = true
	case len(ready) > 2 && g.chance(50):
		s := &g.streams[pick(g, ready)]
		g.say("destroy stream %s", s.name)
		s.alive = false
	}
}

// flags are those of cuStreamCreate.
func flags(s *stream) int {
	if s.blocking {
		return 0
	}
	return 1
}

// captured writes a whole capture, what stands beside it, now and then another capture, and mostly the launch of the
// graph.
func (g *generator) captured() {
	ready := g.where(func(s *stream) bool { return s.alive && s.capture == nil && s.name != "main" })
	if len(ready) == 0 {
		return
	}
	c := &capture{origin: pick(g, ready), thread: g.thread, mode: pick(g, []string{"", " thread-local", " relaxed"}),
		open: map[int]bool{}}
	g.say("%s: begin capture%s", g.streams[c.origin].name, c.mode)
	g.active = append(g.active, c)
	g.enlist(c, c.origin)
	for range 2 + g.r.IntN(10) {
		if g.threads > 1 && g.chance(10) {
			g.thread = g.r.IntN(g.threads)
		}
		switch n := g.r.IntN(100); {
		case n < 12:
			g.eager()
		case n < 14 && len(g.active) == 1:
			g.captured()
		default:
			g.member(c)
		}
	}
	g.join(c)
	if c.mode != " relaxed" {
		g.thread = c.thread
	}
	i := g.r.IntN(len(g.graphs))
	g.say("%s: end capture g%d", g.streams[c.origin].name, i)
	g.graphs[i] = graphState{captured: true}
	g.active = slices.DeleteFunc(g.active, func(o *capture) bool { return o == c })
	for _, m := range c.members {
		g.streams[m].capture = nil
	}
	if g.chance(85) && g.safe() {
		g.say("instantiate g%d", i)
		g.graphs[i].ready = true
		for range 1 + g.r.IntN(2) {
			if free := g.free(); len(free) > 0 {
				g.replay(g.streams[pick(g, free)].name)
			}
		}
	}
}

func (g *generator) enlist(c *capture, s int) {
	g.streams[s].capture = c
	c.members = append(c.members, s)
	c.blocking = c.blocking || g.streams[s].blocking
}

// member writes a call on a stream of the capture, or a fork.
func (g *generator) member(c *capture) {
	m := pick(g, c.members)
	e := g.r.IntN(len(g.events))
	others := g.where(func(s *stream) bool { return s.alive && s.name != "main" && s.capture == nil })
	switch n := g.r.IntN(100); {
	case n < 50:
		g.say("%s: %s", g.streams[m].name, g.op())
		c.open[m] = true
	case n < 75 && len(others) > 0: // a fork
		to := pick(g, others)
		g.say("%s: record e%d", g.streams[m].name, e)
		g.say("%s: wait e%d", g.streams[to].name, e)
		g.events[e] = nodes
		g.enlist(c, to)
	case n < 85:
		g.say("%s: record e%d", g.streams[m].name, e)
		g.events[e] = nodes
	default: // an edge between members, or a join
		to := pick(g, c.members)
		g.say("%s: record e%d", g.streams[m].name, e)
		g.say("%s: wait e%d", g.streams[to].name, e)
		g.events[e] = nodes
	}
}

// join brings all that members were given into the origin, some of it by way of another member.
func (g *generator) join(c *capture) {
	for i := len(c.members) - 1; i > 0; i-- {
		m, to, e := c.members[i], c.origin, g.r.IntN(len(g.events))
		if !c.open[m] {
			continue
		}
		if i > 1 && g.chance(30) {
			to = c.members[i-1]
			c.open[to] = true
		}
		g.say("%s: record e%d", g.streams[m].name, e)
		g.say("%s: wait e%d", g.streams[to].name, e)
		g.events[e] = nodes
	}
}
