package sim

import (
	"fmt"

	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/schedule"
)

// mostBurst bounds the launches of one burst.
const mostBurst = 1 << 20

// validateArgs looks at what the calls of probes take beside the fields of an instruction.
func validateArgs(p *schedule.Program, in *schedule.Instr) error {
	if in.Verb.Role() != schedule.OfProbe && in.Arg == 0 {
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
		return index("event", a.Event, len(p.Events), true)
	case schedule.Invoke:
		if a.API == schedule.NoAPI || a.API >= schedule.NumAPIs {
			return fmt.Errorf("call %d is not known", a.API)
		}
		if a.API.OnStream() {
			return index("stream", in.Stream, len(p.Streams), false)
		}
	case schedule.LaunchWith:
		if p.Intent.Ops[in.Op.Index()].Kind.Verb() != schedule.Launch {
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

func validateNode(p *schedule.Program, in *schedule.Instr, a schedule.Args,
	index func(string, schedule.Ref, int, bool) error) error {
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
