package sim

import (
	"slices"

	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/schedule"
)

// capture is a stream capture: under way, killed (every call on its streams gives 901 until the origin ends it), or
// ended. It holds the nodes in the order of their creation.
type capture struct {
	mode     schedule.CaptureMode
	thread   int32
	origin   int32
	members  []int32 // streams that belong or belonged to it
	blocking bool    // one of them is a blocking stream
	killed   bool
	ended    bool

	nodes []node
	sets  sets
}

// node is one captured op; deps is the ordered list of nodes that it depends on.
type node struct {
	class class
	op    int32
	deps  []int32
}

// node appends a node and gives the dependencies that the stream's next node has.
func (c *capture) node(class class, op int32, deps []int32) []int32 {
	c.nodes = append(c.nodes, node{class: class, op: op, deps: deps})
	return c.sets.single(int32(len(c.nodes) - 1))
}

func (h *host) beginCapture(in schedule.Instr) schedule.Code {
	s := &h.streams[in.Stream]
	switch {
	case in.Stream == h.legacy:
		return schedule.CaptureUnsupported
	case in.Mode > schedule.Relaxed:
		return schedule.InvalidValue
	case s.capture != nil:
		return schedule.IllegalState
	}
	c := &capture{mode: in.Mode, thread: in.Thread, origin: in.Stream, nodes: make([]node, 0, h.nodes)}
	c.sets.reserve(h.nodes)
	h.captures = append(h.captures, c)
	h.enlist(in.Stream, c, nil)
	return schedule.Success
}

// enlist makes a stream a member of a capture.
func (h *host) enlist(id int32, c *capture, deps []int32) {
	s := &h.streams[id]
	s.capture, s.deps = c, deps
	c.members = append(c.members, id)
	c.blocking = c.blocking || s.kind == schedule.Blocking
}

// endCapture takes the graph from the origin. Once the right stream and thread end it, all its streams are free again,
// whatever the code. Ended on a fork, the capture is lost, but only its origin ends it (measured: 903, then 901).
func (h *host) endCapture(in schedule.Instr) schedule.Code {
	s := &h.streams[in.Stream]
	c := s.capture
	switch {
	case c == nil:
		return schedule.IllegalState
	case c.origin != in.Stream:
		c.killed = true
		return schedule.CaptureUnmatched
	case c.thread != in.Thread && c.mode != schedule.Relaxed:
		return schedule.CaptureWrongThread
	}
	tips := s.deps
	h.release(c)
	h.captured[in.Graph] = nil
	switch {
	case c.killed:
		return schedule.CaptureInvalidated
	case !c.joined(tips):
		return schedule.CaptureUnjoined
	}
	h.captured[in.Graph] = c
	return schedule.Success
}

// release ends a capture: its streams capture no more.
func (h *host) release(c *capture) {
	c.ended = true
	for _, m := range c.members {
		if s := &h.streams[m]; s.capture == c {
			s.capture, s.deps = nil, nil
		}
	}
	h.captures = slices.DeleteFunc(h.captures, func(o *capture) bool { return o == c })
}

// joined says whether every leaf, a node on which none depends, is among the origin's dependencies.
func (c *capture) joined(tips []int32) bool {
	covered := make([]bool, len(c.nodes))
	for i := range c.nodes {
		for _, d := range c.nodes[i].deps {
			covered[d] = true
		}
	}
	for _, d := range tips {
		covered[d] = true
	}
	return !slices.Contains(covered, false)
}

// waitCaptured is a wait for an event that was recorded in a capture: a fork, or a join.
func (h *host) waitCaptured(id int32, e *event) schedule.Code {
	s, c := &h.streams[id], e.capture
	switch {
	case c.ended: // measured: a capture that asks for it is lost
		if s.capture != nil {
			s.capture.killed = true
		}
		return schedule.InvalidValue
	case id == h.legacy: // measured, though only a non-blocking stream captures; that the capture is lost is not
		c.killed = true
		return schedule.CaptureImplicit
	case c.killed:
		return schedule.InvalidValue
	case s.capture == nil:
		h.enlist(id, c, shared(e.deps))
	case s.capture != c:
		s.capture.killed, c.killed = true, true
		return schedule.CaptureMerge
	default:
		s.deps = c.sets.union(s.deps, e.deps)
	}
	return schedule.Success
}

// refuseLegacy says whether a call on the legacy stream is refused because a blocking stream captures; the captures
// that are the reason are killed.
func (h *host) refuseLegacy(id int32) bool {
	if id != h.legacy {
		return false
	}
	refused := false
	for _, c := range h.captures {
		if c.blocking {
			c.killed, refused = true, true
		}
	}
	return refused
}

// refuseUnsafe says whether a call that could interfere with a capture is refused: the thread itself captures and not
// in relaxed mode, or another one does in global mode. The captures that are the reason are killed.
func (h *host) refuseUnsafe(thread int32) bool {
	refused := false
	for _, c := range h.captures {
		own := c.thread == thread
		if !c.killed && (own && c.mode != schedule.Relaxed || !own && c.mode == schedule.Global) {
			c.killed, refused = true, true
		}
	}
	return refused
}

// nodeKinds are the kinds of nodes, by class.
var nodeKinds = [...]graph.Kind{
	kernel: graph.KernelNode, hostFunc: graph.HostNode, toDevice: graph.MemcpyNode, toHost: graph.MemcpyNode,
}

// graph is what was captured, for the transcript: edges sorted by From, then To.
func (c *capture) graph(in *schedule.Intent) *graph.Graph {
	g := &graph.Graph{Nodes: make([]graph.Node, len(c.nodes))}
	at := make([]int, len(c.nodes)+1) // where the edges that leave a node begin
	for i, n := range c.nodes {
		g.Nodes[i] = graph.Node{Kind: nodeKinds[n.class], Op: n.op, Name: in.Ops[n.op].Name}
		for _, d := range n.deps {
			at[d+1]++
		}
	}
	for i := range c.nodes {
		at[i+1] += at[i]
	}
	g.Edges = make([]graph.Edge, at[len(c.nodes)])
	for i, n := range c.nodes {
		for _, d := range n.deps {
			g.Edges[at[d]] = graph.Edge{From: d, To: int32(i)}
			at[d]++
		}
	}
	return g
}
