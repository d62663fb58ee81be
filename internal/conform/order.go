package conform

import (
	"maps"

	"github.com/gpu-overlap/overlap/schedule"
)

// work is one run of an op, alone or as a node of a graph that is launched.
type work struct {
	op     int32
	call   int  // the launch, an index into the Body
	before set  // all works that must have ended
	unseen bool // a copy in a graph, which leaves no stamp: its span is not known
}

// set is a set of works or nodes, by index. Sets are closed: with a work they hold all that come before it. That is slow and
// obvious, as it should be.
type set map[int]bool

func (s set) plus(others ...set) set {
	all := maps.Clone(s)
	if all == nil {
		all = set{}
	}
	for _, o := range others {
		maps.Copy(all, o)
	}
	return all
}

// The state of the rules, in the words of the driver.
type (
	streamState struct {
		before  set    // works that the stream's next one waits for
		capture *taken // nil when it does not capture
		nodes   set    // likewise of nodes
	}
	eventState struct {
		recorded bool // outside a capture
		before   set
		capture  *taken // that it was recorded in; nil when it was recorded outside
		nodes    set
	}
	// taken is a capture: its nodes, each with all nodes before it.
	taken struct {
		joined  bool // the origin came after all nodes when it ended the capture
		origin  int32
		members []int32
		ops     []int32
		before  []set
	}
	ready struct {
		*taken
		last set // works of the launches so far, and all before them
	}
)

// rules replays the calls of a program by the rules of streams, events, captures and graphs, given which of them succeeded.
type rules struct {
	p       *schedule.Program
	works   []work
	streams []streamState
	events  []eventState
	graphs  []*taken
	execs   []*ready
	ends    []*taken
	gone    set  // works of blocking streams that were destroyed
	unknown bool // a call succeeded for which there is no rule here
}

// replay gives all works that the calls made, in the order of issue, and by call the capture that its origin ended; false
// when a call succeeded that these rules do not know to, as a launch of a graph into a capture.
func replay(p *schedule.Program, codes []schedule.Code) (works []work, ends []*taken, known bool) {
	r := &rules{p: p, streams: make([]streamState, len(p.Streams)), events: make([]eventState, len(p.Events)),
		graphs: make([]*taken, len(p.Graphs)), execs: make([]*ready, len(p.Graphs)), ends: make([]*taken, len(p.Body))}
	for _, in := range p.Setup {
		r.handles(in)
	}
	for i, in := range p.Body {
		if in.Verb == schedule.EndCapture {
			r.end(i, in, codes[i])
		} else if codes[i] == schedule.Success {
			r.call(i, in)
		}
	}
	return r.works, r.ends, !r.unknown
}

// arrive is what every call that enqueues on a stream does: the legacy stream waits for all blocking streams, they wait for it.
func (r *rules) arrive(id int32) *streamState {
	s := &r.streams[id]
	switch r.p.Streams[id].Kind {
	case schedule.Legacy:
		s.before = s.before.plus(r.gone)
		for i := range r.streams {
			if r.p.Streams[i].Kind == schedule.Blocking {
				s.before = s.before.plus(r.streams[i].before)
			}
		}
	case schedule.Blocking:
		for i := range r.streams {
			if r.p.Streams[i].Kind == schedule.Legacy {
				s.before = s.before.plus(r.streams[i].before)
			}
		}
	}
	return s
}

func (r *rules) call(i int, in schedule.Instr) {
	switch in.Verb {
	case schedule.Launch, schedule.HostFunc, schedule.Copy:
		if s := &r.streams[in.Stream.Index()]; s.capture != nil {
			c := s.capture
			c.ops, c.before = append(c.ops, in.Op.Index()), append(c.before, s.nodes)
			s.nodes = s.nodes.plus(set{len(c.ops) - 1: true})
			return
		}
		s := r.arrive(in.Stream.Index())
		s.before = r.run(i, in.Op.Index(), s.before)
	case schedule.Record:
		e := &r.events[in.Event.Index()]
		if s := &r.streams[in.Stream.Index()]; s.capture != nil {
			*e = eventState{recorded: true, capture: s.capture, nodes: s.nodes}
			return
		}
		*e = eventState{recorded: true, before: r.arrive(in.Stream.Index()).before}
	case schedule.Wait:
		r.wait(in)
	case schedule.BeginCapture:
		r.streams[in.Stream.Index()].capture = &taken{origin: in.Stream.Index(), members: []int32{in.Stream.Index()}}
		r.streams[in.Stream.Index()].nodes = nil
	case schedule.Instantiate:
		if r.graphs[in.Graph.Index()] == nil {
			r.unknown = true
			return
		}
		r.execs[in.Graph.Index()] = &ready{taken: r.graphs[in.Graph.Index()]}
	case schedule.Upload:
		r.upload(in)
	case schedule.Replay:
		r.launch(i, in)
	default:
		r.handles(in)
	}
}

// run adds a work, and gives what comes after it.
func (r *rules) run(call int, op int32, before set) set {
	r.works = append(r.works, work{op: op, call: call, before: before})
	return before.plus(set{len(r.works) - 1: true})
}

func (r *rules) wait(in schedule.Instr) {
	s, e := &r.streams[in.Stream.Index()], &r.events[in.Event.Index()]
	switch {
	case e.capture != nil && s.capture == nil: // a fork
		s.capture, s.nodes = e.capture, e.nodes
		e.capture.members = append(e.capture.members, in.Stream.Index())
	case s.capture != nil:
		s.nodes = s.nodes.plus(e.nodes)
	case e.recorded: // else it is nothing, no barrier either
		s = r.arrive(in.Stream.Index())
		s.before = s.before.plus(e.before)
	}
}

// upload is a work of its stream, and later launches of the exec come after it.
func (r *rules) upload(in schedule.Instr) {
	x := r.execs[in.Graph.Index()]
	if x == nil || r.streams[in.Stream.Index()].capture != nil {
		r.unknown = true
		return
	}
	if len(x.ops) == 0 { // it is nothing
		return
	}
	s := r.arrive(in.Stream.Index())
	x.last = x.last.plus(s.before)
	s.before = x.last
}

// launch runs a graph as one op: nothing of it starts before all that came earlier in the stream, nor before what earlier
// launches of it ran, and later work of the stream comes after all of it.
func (r *rules) launch(i int, in schedule.Instr) {
	x := r.execs[in.Graph.Index()]
	if x == nil || r.streams[in.Stream.Index()].capture != nil {
		r.unknown = true
		return
	}
	if len(x.ops) == 0 { // it is nothing
		return
	}
	s := r.arrive(in.Stream.Index())
	root := s.before.plus(x.last)
	after, works := root, make([]int, len(x.ops))
	for n, op := range x.ops {
		before := root
		for d := range x.before[n] {
			before = before.plus(set{works[d]: true})
		}
		works[n] = len(r.works)
		after = after.plus(r.run(i, op, before))
		r.works[works[n]].unseen = r.p.Intent.Ops[op].Kind.Copies()
	}
	s.before, x.last = after, after
}

// end frees the streams of a capture when its origin ends it, whatever becomes of the graph.
func (r *rules) end(i int, in schedule.Instr, code schedule.Code) {
	c := r.streams[in.Stream.Index()].capture
	r.unknown = r.unknown || c == nil && code == schedule.Success
	if c == nil || c.origin != in.Stream.Index() {
		return
	}
	c.joined = len(r.streams[in.Stream.Index()].nodes) == len(c.ops)
	r.release(c)
	r.ends[i] = c
	if code == schedule.Success {
		r.graphs[in.Graph.Index()] = c
	}
}

func (r *rules) release(c *taken) {
	for _, m := range c.members {
		if s := &r.streams[m]; s.capture == c {
			s.capture, s.nodes = nil, nil
		}
	}
}

// handles creates and destroys: what was issued stays issued.
func (r *rules) handles(in schedule.Instr) {
	switch in.Verb {
	case schedule.DestroyStream:
		s := &r.streams[in.Stream.Index()]
		if r.p.Streams[in.Stream.Index()].Kind == schedule.Blocking {
			r.gone = r.gone.plus(s.before)
		}
		if s.capture != nil && s.capture.origin == in.Stream.Index() {
			r.release(s.capture)
		}
		*s = streamState{}
	case schedule.CreateEvent, schedule.DestroyEvent:
		r.events[in.Event.Index()] = eventState{}
	}
}
