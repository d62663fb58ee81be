package sim

import (
	"fmt"

	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/schedule"
)

// The indices that a verb uses.
const (
	usesStream = 1 << iota
	usesEvent
	usesOp
	usesGraph
	nullEvent // the event may be NULL
	nullGraph // likewise
)

// uses of the verbs whose Args do not say which indices they use.
var uses = [schedule.NumVerbs]uint8{
	schedule.Launch: usesStream | usesOp, schedule.HostFunc: usesStream | usesOp, schedule.Copy: usesStream | usesOp,
	schedule.Gate:         usesStream,
	schedule.Record:       usesStream | usesEvent | nullEvent,
	schedule.Wait:         usesStream | usesEvent | nullEvent,
	schedule.BeginCapture: usesStream, schedule.EndCapture: usesStream | usesGraph | nullGraph,
	schedule.Instantiate: usesGraph | nullGraph, schedule.Upload: usesStream | usesGraph | nullGraph,
	schedule.Replay:     usesStream | usesGraph | nullGraph,
	schedule.SyncStream: usesStream, schedule.QueryStream: usesStream,
	schedule.SyncEvent: usesEvent | nullEvent, schedule.QueryEvent: usesEvent | nullEvent,
	schedule.CreateStream: usesStream, schedule.DestroyStream: usesStream,
	schedule.CreateEvent: usesEvent, schedule.DestroyEvent: usesEvent | nullEvent,

	schedule.CaptureInfo: usesStream, schedule.IsCapturing: usesStream, schedule.Depend: usesStream,
	schedule.BeginCaptureTo: usesStream | usesGraph | nullGraph,
	schedule.RecordExternal: usesStream | usesEvent | nullEvent, schedule.WaitExternal: usesStream | usesEvent | nullEvent,
	schedule.StreamPriority: usesStream, schedule.StreamFlags: usesStream, schedule.LaunchWith: usesStream | usesOp,
	schedule.CreateGraph: usesGraph, schedule.AddNode: usesGraph | nullGraph, schedule.AddEdges: usesGraph | nullGraph,
	schedule.RemoveEdges: usesGraph | nullGraph, schedule.DestroyGraph: usesGraph | nullGraph,
	schedule.DestroyExec: usesGraph | nullGraph, schedule.EnableNode: usesGraph | nullGraph,
	schedule.InstantiateWith: usesGraph | nullGraph, schedule.UpdateExec: usesGraph | nullGraph,
	schedule.ListGraph: usesGraph | nullGraph, schedule.PrintGraph: usesGraph | nullGraph, schedule.Burst: usesStream,
}

// mostBurst bounds the launches of one burst.
const mostBurst = 1 << 20

// validateArgs looks at what the calls of probes take beside the fields of an instruction.
func validateArgs(p *schedule.Program, in *schedule.Instr) error {
	if in.Verb < schedule.ExchangeMode && in.Arg == 0 {
		return nil
	}
	if in.Arg < 0 || int(in.Arg) > len(p.Args) {
		return fmt.Errorf("%s has arguments %d of %d", in.Verb.Call(), in.Arg, len(p.Args))
	}
	a := p.ArgsOf(*in)
	nodes := len(p.Intent.Ops) + len(p.Nodes)
	for _, n := range a.Nodes {
		if n != schedule.Null && !n.Within(nodes) {
			return fmt.Errorf("%s names node %s of %d", in.Verb.Call(), n, nodes)
		}
	}
	index := func(what string, r schedule.Ref, n int, null bool) error {
		if r.Within(n) || null && r == schedule.Null {
			return nil
		}
		return fmt.Errorf("%s needs a %s: index %d of %d", in.Verb.Call(), what, r.Index(), n)
	}
	switch in.Verb {
	case schedule.Elapsed:
		if err := index("event", in.Event, len(p.Events), true); err != nil {
			return err
		}
		return index("event", a.Event, len(p.Events), true)
	case schedule.Invoke:
		if a.API == schedule.NoAPI || a.API >= schedule.NumAPIs {
			return fmt.Errorf("call %d is not known", a.API)
		}
		if a.API.OnStream() {
			return index("stream", in.Stream, len(p.Streams), false)
		}
	case schedule.LaunchWith:
		if verbOf(&p.Intent.Ops[in.Op.Index()]) != schedule.Launch {
			return fmt.Errorf("%s of op %s, which is no kernel", in.Verb.Call(), p.Intent.Ops[in.Op.Index()].Name)
		}
		if a.Number < schedule.AfterTrigger || a.Number > schedule.CompletesLaunch {
			return fmt.Errorf("%s with attribute %d, which is not known", in.Verb.Call(), a.Number)
		}
		if a.Number != schedule.AfterTrigger {
			return index("event", in.Event, len(p.Events), true)
		}
	case schedule.AddNode:
		return validateNode(p, in, a, index)
	case schedule.DestroyNode, schedule.EnableNode:
		return index("node", a.Node, nodes, true)
	case schedule.UpdateExec:
		return index("graph", a.Graph, len(p.Graphs), true)
	case schedule.Burst:
		if a.Number < 0 || a.Number > mostBurst {
			return fmt.Errorf("a burst of %d launches; want 0 to %d", a.Number, mostBurst)
		}
	case schedule.Pause:
		if a.Dur < 0 {
			return fmt.Errorf("a pause of %s; it must not be negative", a.Dur)
		}
	}
	return nil
}

func validateNode(p *schedule.Program, in *schedule.Instr, a schedule.Args, index func(string, schedule.Ref, int, bool) error) error {
	if a.Number == schedule.AddOp {
		if err := index("op", in.Op, len(p.Intent.Ops), false); err != nil {
			return err
		}
		for _, before := range p.Intent.Ops[in.Op.Index()].After {
			if err := index("op", schedule.At(before), len(p.Intent.Ops), false); err != nil {
				return err
			}
		}
		return nil
	}
	switch graph.Kind(a.Number) {
	case graph.WaitEventNode, graph.EventRecordNode:
		return index("event", in.Event, len(p.Events), true)
	case graph.ChildNode:
		return index("graph", a.Graph, len(p.Graphs), true)
	case graph.EmptyNode, graph.MemsetNode, graph.MemcpyNode:
		return nil
	}
	return fmt.Errorf("a node of kind %d; want one that probes add", a.Number)
}

func validateOp(op *schedule.Op) error {
	switch {
	case op.Dur <= 0 || op.Kind > schedule.D2H || op.Kernel > schedule.Nanosleep:
		return fmt.Errorf("needs a known kind and hardware.Kernel, and a duration above 0")
	case op.Kind.Copies() && op.Bytes <= 0:
		return fmt.Errorf("is a copy of %d bytes; at least 1 is needed", op.Bytes)
	case op.SMs < 0 || op.SMs > 100 || op.Bandwidth < 0 || op.Bandwidth > 100:
		return fmt.Errorf("needs %d %% of the SMs and %d %% of the memory bandwidth; both go from 0 to 100", op.SMs, op.Bandwidth)
	}
	return nil
}

// verbOf is the verb that issues an op.
func verbOf(op *schedule.Op) schedule.Verb {
	switch {
	case op.Kind == schedule.Host:
		return schedule.HostFunc
	case op.Kind.Copies():
		return schedule.Copy
	}
	return schedule.Launch
}
