package schedule

import "slices"

// Order is what the calls of a program impose on its ops, found by reachability over the calls themselves: a call comes
// after the call before it in its stream, a wait after the record that it sees, and work on the legacy stream between
// the work of all blocking streams. For a program that captures, it is the order inside the captured graph.
type Order struct {
	Issue   []int32 // the ops in the order in which the host issues them; of a capture, only those that it records
	Missing []int32 // ops of the intent that are not in Issue

	start  []int32 // preds of op are preds[start[op]:start[op+1]]
	preds  []int32
	forked []bool // by op: after the origin's earlier work
	joined []bool // by op: before the origin's later work
	clocks clocks
}

// Preds gives the ops that directly precede op: those from which it can be reached without passing another op, in
// ascending order of issue. A transitive predecessor is among them only when a call orders the two directly.
func (o *Order) Preds(op int32) []int32 { return o.preds[o.start[op]:o.start[op+1]] }

// Forked says whether op starts after all earlier work of the origin.
func (o *Order) Forked(op int32) bool { return o.forked[op] }

// Joined says whether the origin's later work, and so the final wait, comes after op.
func (o *Order) Joined(op int32) bool { return o.joined[op] }

// Before says whether the calls impose that a has ended before b starts.
func (o *Order) Before(a, b int32) bool { return o.clocks.before(a, b) }

// OrderOf finds the order of a program: of its Body, or of what its Setup captures when the Body replays a graph.
func OrderOf(p *Program) *Order {
	instrs, captured := region(p)
	n := newNet(p, instrs, captured)
	o := &Order{start: make([]int32, len(p.Intent.Ops)+1)}
	o.forked = make([]bool, len(p.Intent.Ops))
	o.joined = make([]bool, len(p.Intent.Ops))

	byOp := make([]int32, len(p.Intent.Ops)) // the call that launches an op
	for i := range byOp {
		byOp[i] = None
	}
	for i, in := range n.instrs {
		if in.Op != None && n.after[i] {
			byOp[in.Op] = int32(i)
			o.Issue = append(o.Issue, in.Op)
		}
	}
	joined := n.ancestors(n.end)
	for op, at := range byOp {
		o.start[op] = int32(len(o.preds))
		if at == None {
			o.Missing = append(o.Missing, int32(op))
			continue
		}
		o.preds = n.opsBehind(at, o.preds)
		o.forked[op] = n.fromOrigin[at]
		o.joined[op] = joined[at]
	}
	o.start[len(byOp)] = int32(len(o.preds))
	o.clocks = clocksOf(o, n, byOp)
	return o
}

// region gives the calls whose order counts: the Body, or, when it replays, what the Setup issues between begin and end
// of the capture of that graph.
func region(p *Program) (instrs []Instr, captured bool) {
	i := slices.IndexFunc(p.Body, func(in Instr) bool { return in.Verb == Replay })
	if i < 0 {
		return p.Body, false
	}
	end := slices.IndexFunc(p.Setup, func(in Instr) bool { return in.Verb == EndCapture && in.Graph == p.Body[i].Graph })
	if end < 0 {
		return nil, true
	}
	for begin := end - 1; begin >= 0; begin-- {
		if in := p.Setup[begin]; in.Verb == BeginCapture && in.Stream == p.Setup[end].Stream {
			return p.Setup[begin : end+1], true
		}
	}
	return nil, true
}

// Issued gives the calls that issue the schedule: the Body, or, of a program that replays a graph, what its Setup
// captures, from begin to end.
func (p *Program) Issued() []Instr {
	instrs, _ := region(p)
	return instrs
}

// net is the calls as a graph. Every edge points back to an earlier call.
type net struct {
	instrs     []Instr
	fifo       []int32   // the call before in the same stream; None for the first
	extra      [][]int32 // the record that a wait sees, the barriers of the legacy stream; nil for most
	end        int32     // the call that stands for the origin's later work
	after      []bool    // part of the program: in a capture, reachable from its begin; else all
	fromOrigin []bool    // reachable from the origin's beginning
	seen       []int32   // marks of opsBehind
	mark       int32
	at, stack  []int32 // of opsBehind, kept from call to call
}

func newNet(p *Program, instrs []Instr, captured bool) *net {
	n := &net{instrs: instrs, fifo: make([]int32, len(instrs)), extra: make([][]int32, len(instrs)),
		after: make([]bool, len(instrs)), fromOrigin: make([]bool, len(instrs)), seen: make([]int32, len(instrs)), end: None}
	tips := make([]int32, len(p.Streams))
	records := make([]int32, len(p.Events))
	for _, ids := range [][]int32{tips, records} {
		for i := range ids {
			ids[i] = None
		}
	}
	legacyTip, barrier := None, None // the last call on the legacy stream; and the last as a barrier for blocking streams
	origin := p.Origin
	if captured && len(instrs) > 0 {
		origin = instrs[0].Stream
	}
	legacy := func(s int32) bool { return p.Streams[s].Kind == Legacy }
	for i, in := range instrs {
		n.fifo[i] = None
		at := int32(i)
		if in.Stream == None {
			n.after[i] = !captured
			continue
		}
		if legacy(in.Stream) {
			n.fifo[i] = legacyTip
		} else {
			n.fifo[i] = tips[in.Stream]
		}
		if in.Verb == Wait && records[in.Event] != None {
			n.extra[i] = append(n.extra[i], records[in.Event])
		}
		if !captured {
			switch {
			case legacy(in.Stream):
				for s, tip := range tips {
					if p.Streams[s].Kind == Blocking && tip != None {
						n.extra[i] = append(n.extra[i], tip)
					}
				}
				barrier = at
			case p.Streams[in.Stream].Kind == Blocking && barrier != None:
				n.extra[i] = append(n.extra[i], barrier)
			}
		}
		n.after[i] = !captured || in.Verb == BeginCapture
		n.fromOrigin[i] = in.Stream == origin || !captured && legacy(in.Stream) && p.Streams[origin].Kind == Legacy
		n.preds(at, func(pred int32) {
			n.after[i] = n.after[i] || n.after[pred]
			n.fromOrigin[i] = n.fromOrigin[i] || n.fromOrigin[pred]
		})
		if in.Stream == origin || legacy(in.Stream) && legacy(origin) {
			n.end = at
		}
		if legacy(in.Stream) {
			legacyTip = at
		}
		tips[in.Stream] = at
		if in.Verb == Record {
			records[in.Event] = at
		}
	}
	return n
}

func (n *net) preds(i int32, visit func(int32)) {
	if n.fifo[i] != None {
		visit(n.fifo[i])
	}
	for _, p := range n.extra[i] {
		visit(p)
	}
}

// ancestors marks the calls from which i is reachable, and i.
func (n *net) ancestors(i int32) []bool {
	in := make([]bool, len(n.instrs))
	if i == None {
		return in
	}
	in[i] = true
	for ; i >= 0; i-- { // edges point back: one pass
		if in[i] {
			n.preds(i, func(p int32) { in[p] = true })
		}
	}
	return in
}

// opsBehind appends the ops from which call i is reachable without passing another op.
func (n *net) opsBehind(i int32, ops []int32) []int32 {
	n.mark++
	at, stack := n.at[:0], append(n.stack[:0], i)
	for len(stack) > 0 {
		c := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		n.preds(c, func(p int32) {
			switch {
			case n.seen[p] == n.mark || !n.after[p]:
			case n.instrs[p].Op != None:
				n.seen[p] = n.mark
				at = append(at, p)
			default:
				n.seen[p] = n.mark
				stack = append(stack, p)
			}
		})
	}
	slices.Sort(at)
	for _, c := range at {
		ops = append(ops, n.instrs[c].Op)
	}
	n.at, n.stack = at, stack
	return ops
}
