package order

import (
	"slices"

	"github.com/gpu-overlap/overlap/schedule"
)

// net is the calls as a graph. Every edge points back to an earlier call.
type net struct {
	ops        int // of the intent
	streams    int
	instrs     []schedule.Instr
	fifo       []int32 // the call before in the same stream; None for the first
	sees       []int32 // the record that a wait for an event sees; None for none
	barriers   []int32 // of the legacy stream and of the host: those of call i are barriers[first[i]:first[i+1]]
	first      []int32
	end        int32   // the call that stands for the origin's later work
	after      []bool  // part of the program: in a capture, reachable from its begin; else all
	fromOrigin []bool  // reachable from the origin's beginning
	seen       []int32 // marks of opsBehind
	mark       int32
	without    int32   // the wait that opsBehind takes not to be made; None for none
	at, stack  []int32 // of opsBehind, kept from call to call
	behind     []int32 // of preds
}

func newNet(p *schedule.Program, instrs []schedule.Instr, captured bool) *net {
	size := len(instrs)
	n := &net{ops: len(p.Intent.Ops), streams: len(p.Streams), instrs: instrs, fifo: make([]int32, size),
		sees: make([]int32, size), first: make([]int32, size+1),
		after: make([]bool, size), fromOrigin: make([]bool, size), seen: make([]int32, size), end: schedule.None,
		without: schedule.None}
	w := &walk{net: n, p: p, captured: captured, origin: p.Origin, legacyTip: schedule.None, barrier: schedule.None,
		blocked: schedule.None}
	w.tips, w.records = nones(len(p.Streams)), nones(len(p.Events))
	if captured && size > 0 {
		w.origin = instrs[0].Stream.Index()
	}
	if w.origin < 0 || int(w.origin) >= len(p.Streams) {
		w.origin = schedule.None
	}
	for i := range instrs {
		w.step(int32(i))
	}
	return n
}

func nones(n int) []int32 {
	ids := make([]int32, n)
	for i := range ids {
		ids[i] = schedule.None
	}
	return ids
}

// walk goes through the calls once, in the order of issue, and finds what each comes after.
type walk struct {
	*net
	p         *schedule.Program
	captured  bool
	origin    int32
	tips      []int32 // the last call of each stream
	records   []int32 // the last record of each event
	legacyTip int32   // the last call on the legacy stream, under whichever name
	barrier   int32   // the last work on the legacy stream: blocking streams wait for it
	blocked   int32   // the last call in which the host waited
}

func (w *walk) step(i int32) {
	in := &w.instrs[i]
	onStream := in.Stream.Within(len(w.p.Streams))
	w.fifo[i], w.sees[i] = schedule.None, schedule.None
	if onStream {
		w.fifo[i] = w.tips[in.Stream.Index()]
		if w.legacy(in.Stream.Index()) {
			w.fifo[i] = w.legacyTip
		}
	}
	if in.Event.Within(len(w.records)) && (in.Verb == schedule.Wait || in.Verb == schedule.SyncEvent) {
		w.sees[i] = w.records[in.Event.Index()]
	}
	w.bars(in, onStream)
	w.first[i+1] = int32(len(w.barriers))
	w.after[i] = !w.captured || in.Verb == schedule.BeginCapture
	w.fromOrigin[i] = onStream && w.isOrigin(in.Stream.Index())
	for _, pred := range w.preds(i) {
		w.after[i] = w.after[i] || w.after[pred]
		w.fromOrigin[i] = w.fromOrigin[i] || w.fromOrigin[pred]
	}
	if in.Verb.Blocks() && !w.captured {
		w.blocked = i
	}
	if in.Verb == schedule.Record && in.Event.Within(len(w.records)) {
		w.records[in.Event.Index()] = i
	}
	if !onStream {
		return
	}
	w.tips[in.Stream.Index()] = i
	if w.isOrigin(in.Stream.Index()) {
		w.end = i
	}
	if w.legacy(in.Stream.Index()) {
		w.legacyTip = i
		if !in.Verb.Asks() && (in.Verb != schedule.Wait || w.sees[i] != schedule.None) { // a wait for nothing is no work
			w.barrier = i
		}
	}
}

// bars appends what a call comes after besides the call before it in its stream and the record that it sees.
func (w *walk) bars(in *schedule.Instr, onStream bool) {
	if w.captured {
		return
	}
	add := func(call int32) {
		if call != schedule.None {
			w.barriers = append(w.barriers, call)
		}
	}
	add(w.blocked)
	switch {
	case in.Verb == schedule.SyncContext:
		for _, tip := range w.tips {
			add(tip)
		}
	case !onStream:
	case w.legacy(in.Stream.Index()):
		for s, tip := range w.tips {
			if w.p.Streams[s].Kind == schedule.Blocking {
				add(tip)
			}
		}
	case w.p.Streams[in.Stream.Index()].Kind == schedule.Blocking:
		add(w.barrier)
	}
}

func (w *walk) legacy(stream int32) bool {
	return stream != schedule.None && w.p.Streams[stream].Kind == schedule.Legacy
}

// isOrigin says whether a stream is the origin; all legacy streams are one.
func (w *walk) isOrigin(stream int32) bool {
	return stream == w.origin || w.legacy(stream) && w.legacy(w.origin)
}

// preds gives the calls that call i comes directly after, until it is called again.
func (n *net) preds(i int32) []int32 {
	calls := n.behind[:0]
	if n.fifo[i] != schedule.None {
		calls = append(calls, n.fifo[i])
	}
	if n.sees[i] != schedule.None && i != n.without {
		calls = append(calls, n.sees[i])
	}
	n.behind = append(calls, n.barriers[n.first[i]:n.first[i+1]]...)
	return n.behind
}

// ancestors marks the calls from which i is reachable, and i.
func (n *net) ancestors(i int32) []bool {
	in := make([]bool, len(n.instrs))
	if i == schedule.None {
		return in
	}
	in[i] = true
	for ; i >= 0; i-- { // edges point back: one pass
		if !in[i] {
			continue
		}
		for _, p := range n.preds(i) {
			in[p] = true
		}
	}
	return in
}

// launches is the op that a call launches; None when it launches none.
func (n *net) launches(i int32) int32 {
	if in := &n.instrs[i]; in.Op.Within(n.ops) && in.Stream.Within(n.streams) {
		return in.Op.Index()
	}
	return schedule.None
}

// opsBehind appends the ops from which call i is reachable without passing another op.
func (n *net) opsBehind(i int32, ops []int32) []int32 {
	n.mark++
	at, stack := n.at[:0], append(n.stack[:0], i)
	for len(stack) > 0 {
		c := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, p := range n.preds(c) {
			if n.seen[p] == n.mark || !n.after[p] {
				continue
			}
			n.seen[p] = n.mark
			if n.launches(p) != schedule.None {
				at = append(at, p)
			} else {
				stack = append(stack, p)
			}
		}
	}
	slices.Sort(at)
	for _, c := range at {
		ops = append(ops, n.instrs[c].Op.Index())
	}
	n.at, n.stack = at, stack
	return ops
}
