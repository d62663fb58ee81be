// Package order finds what the calls of a program impose on its ops: which must have ended before which may start. It goes by
// reachability over the calls themselves, shares nothing with the simulated device, and needs no durations.
package order

import (
	"slices"

	"github.com/gpu-overlap/overlap/schedule"
)

// Order is what the calls of a program impose on its ops, found by reachability over the calls themselves: a call comes
// after the call before it in its stream, a wait after the record that it sees, work on the legacy stream between the
// work of all blocking streams, and everything after what the host waited for before. For a program that captures, it is
// the order inside the captured graph.
type Order struct {
	Issue   []int32 // the ops in the order in which the host issues them; of a capture, only those that it records
	Missing []int32 // ops of the intent that are not in Issue

	start  []int32 // preds of op are preds[start[op]:start[op+1]]
	preds  []int32
	forked []bool // by op: after the origin's earlier work
	joined []bool // by op: before the origin's later work
	counts counts
	net    *net
	byOp   []int32 // the call that launches an op, an index into Issued; None when none does
}

// Call is the call that launches op, an index into Issued; None when none does.
func (o *Order) Call(op int32) int32 {
	if op < 0 || int(op) >= len(o.byOp) {
		return schedule.None
	}
	return o.byOp[op]
}

// PredsWithout gives what Preds would give for op if the wait at a call, an index into Issued, were not made.
func (o *Order) PredsWithout(op, wait int32) []int32 {
	if o.Call(op) == schedule.None {
		return nil
	}
	o.net.without = wait
	preds := o.net.opsBehind(o.byOp[op], nil)
	o.net.without = schedule.None
	return preds
}

// Behind gives the ops that directly precede a call, an index into Issued, as Preds gives those of an op.
func (o *Order) Behind(call int32) []int32 {
	if o.net == nil || call < 0 || int(call) >= len(o.net.instrs) {
		return nil
	}
	return o.net.opsBehind(call, nil)
}

// Fits says whether it is the order of a program with as many ops as the intent, as Of gives it, and no op is launched twice.
func (o *Order) Fits(in *schedule.Intent) bool {
	if in == nil || len(o.byOp) != len(in.Ops) || len(o.Issue)+len(o.Missing) != len(in.Ops) {
		return false
	}
	last := schedule.None
	for _, op := range o.Issue {
		call := o.Call(op)
		if call <= last {
			return false
		}
		last = call
	}
	return true
}

// Preds gives the ops that directly precede op: those from which it can be reached without passing another op, in
// ascending order of issue. A transitive predecessor is among them only when a call orders the two directly.
// Of what is no op of the program it gives none; so do the others.
func (o *Order) Preds(op int32) []int32 {
	if op < 0 || int(op) >= len(o.byOp) {
		return nil
	}
	return o.preds[o.start[op]:o.start[op+1]]
}

// Forked says whether op starts after all earlier work of the origin.
func (o *Order) Forked(op int32) bool { return op >= 0 && int(op) < len(o.forked) && o.forked[op] }

// Joined says whether the origin's later work, and so the final wait, comes after op.
func (o *Order) Joined(op int32) bool { return op >= 0 && int(op) < len(o.joined) && o.joined[op] }

// Before says whether the calls impose that a has ended before b starts.
func (o *Order) Before(a, b int32) bool { return o.counts.before(a, b) }

// Of finds the order of a program: of its Body, or of what its Setup captures when the Body replays a graph. What points to
// nothing, in a program that is not valid, counts as left out.
func Of(p *schedule.Program) *Order {
	if p == nil || p.Intent == nil {
		p = &schedule.Program{Intent: &schedule.Intent{}}
	}
	instrs, captured := region(p)
	n := newNet(p, instrs, captured)
	ops := len(p.Intent.Ops)
	o := &Order{Issue: make([]int32, 0, ops), start: make([]int32, ops+1), forked: make([]bool, ops), joined: make([]bool, ops)}
	byOp, waits := nones(ops), 0
	for i := range n.instrs {
		if n.sees[i] != schedule.None {
			waits++
		}
		if op := n.launches(int32(i)); op != schedule.None && n.after[i] {
			byOp[op] = int32(i)
			o.Issue = append(o.Issue, op)
		}
	}
	o.preds = make([]int32, 0, ops+waits) // of most programs all there are
	joined := n.ancestors(n.end)
	for op, at := range byOp {
		o.start[op] = int32(len(o.preds))
		if at == schedule.None {
			o.Missing = append(o.Missing, int32(op))
			continue
		}
		o.preds = n.opsBehind(at, o.preds)
		o.forked[op] = n.fromOrigin[at]
		o.joined[op] = joined[at]
	}
	o.start[len(byOp)] = int32(len(o.preds))
	o.net, o.byOp = n, byOp
	o.counts = countsOf(o, n, byOp, len(p.Streams))
	return o
}

// region gives the calls whose order counts: the Body, or, when it replays, what the Setup issues between begin and end
// of the capture of that graph.
func region(p *schedule.Program) (instrs []schedule.Instr, captured bool) {
	i := slices.IndexFunc(p.Body, func(in schedule.Instr) bool { return in.Verb == schedule.Replay })
	if i < 0 {
		return p.Body, false
	}
	return capturedInto(p, p.Body[i].Graph.Index()), true
}

// Issued gives the calls that issue the schedule: the Body, or, of a program that replays a graph, what its Setup
// captures, from begin to end.
func Issued(p *schedule.Program) []schedule.Instr {
	if p == nil {
		return nil
	}
	instrs, _ := region(p)
	return instrs
}
