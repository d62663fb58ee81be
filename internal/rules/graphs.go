package rules

import "github.com/gpu-overlap/overlap/schedule"

// end frees the streams of a capture when its origin ends it, whatever becomes of the graph.
func (f *follower) end(i int, in schedule.Instr, code schedule.Code) {
	id := in.Stream.Index()
	if id < 0 {
		f.Unknown = f.Unknown || code == schedule.Success
		return
	}
	s := f.at(id)
	c := s.capture
	f.Unknown = f.Unknown || c == nil && code == schedule.Success
	if c == nil || c.origin != id {
		return
	}
	c.Joined = len(s.nodes.All) == len(c.Ops)
	f.release(c)
	f.Ends[i] = c
	if code == schedule.Success {
		f.graphs[in.Graph.Index()] = c
	}
}

func (f *follower) release(c *Capture) {
	for _, m := range c.members {
		if s := f.at(m); s.capture == c {
			s.capture, s.nodes = nil, Past{}
		}
	}
}

func (f *follower) instantiate(graph int32) {
	if f.graphs[graph] == nil {
		f.Unknown = true
		return
	}
	f.execs[graph] = &exec{Capture: f.graphs[graph]}
}

// ready says whether an exec can be launched or uploaded on a stream, and is anything: a graph without nodes is not.
func (f *follower) ready(id int32, x *exec) bool {
	if x == nil || f.at(id).capture != nil {
		f.Unknown = true
		return false
	}
	return len(x.Ops) > 0
}

// upload is a work of its stream, and later launches of the exec come after it.
func (f *follower) upload(id int32, x *exec) {
	if f.ready(id, x) {
		x.past = x.past.and(f.arrive(id))
		f.leave(id, x.past, true)
	}
}

// launch runs a graph as one op: nothing of it starts before all that came earlier in the stream, nor before what
// earlier launches of it ran, and later work of the stream comes after all of it.
func (f *follower) launch(call int, id int32, x *exec) {
	if !f.ready(id, x) {
		return
	}
	root := f.arrive(id).and(x.past)
	first := len(f.Works) // node n is work first+n
	works := func(nodes Set) Set {
		set := Set{}
		for n := range nodes {
			set[first+n] = true
		}
		return set
	}
	after, inner := root, Set{}
	for n, op := range x.Ops {
		past := root
		if nodes := x.Past[n]; len(nodes.All) > 0 {
			past = Past{All: root.All.plus(works(nodes.All)), Last: works(nodes.Last), Origin: root.Origin}
			inner = inner.plus(past.Last)
		}
		after = after.and(f.work(call, op, past))
	}
	after.Last = Set{} // the works of the graph that no other of it comes after
	for n := range x.Ops {
		if w := first + n; !inner[w] {
			after.Last[w] = true
		}
	}
	f.leave(id, after, true)
	x.past = after
}
