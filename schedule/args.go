package schedule

import "time"

// Args are what few calls take beside the fields of an Instr. Which of them a call takes, the comment of its verb says.
type Args struct {
	Number int32 // a variant, flags, or a count
	// Prioritized says of CreateStream that it asks for a priority, and for which.
	Prioritized bool
	Priority    int32
	API         API
	Event       Ref           // a second event
	Graph       Ref           // a second graph
	Node        Ref           // a node that the call makes or changes; see NodeName
	Nodes       []Ref         // in the order in which they are handed over
	Dur         time.Duration // of Pause
}

// ArgsOf gives the arguments of an instruction; the zero value when it has none.
func (p *Program) ArgsOf(in Instr) Args {
	if in.Arg < 1 || int(in.Arg) > len(p.Args) {
		return Args{}
	}
	return p.Args[in.Arg-1]
}

// NodeName names a node of a graph: the nodes are the ops, by op id, and behind them those of Program.Nodes. It is "?"
// of what is neither.
func (p *Program) NodeName(node Ref) string {
	if p.Intent == nil {
		return "?"
	}
	ops := len(p.Intent.Ops)
	switch i := int(node.Index()); {
	case node.Within(ops):
		return p.Intent.Ops[i].Name
	case node.Within(ops + len(p.Nodes)):
		return p.Nodes[i-ops]
	}
	return "?"
}

// The ways in which LaunchWith launches: its Number.
const (
	AfterTrigger    = 1 + iota // programmatic stream serialization: it may start once the one before has triggered
	TriggerAtEnd               // it records Args.Event once all its blocks have triggered, or ended
	TriggerAtStart             // once all its blocks have started
	CompletesLaunch            // a launch completion event
)

// The ways in which Depend changes the dependencies of a capturing stream: its Number, the flags of the driver.
const (
	DependAdd  = 0
	DependSet  = 1
	DependNull = -1 // adds one dependency from an array that is NULL
)

// The kinds of node that AddNode adds beside the ops: its Number, as CUgraphNodeType.
const (
	AddMemcpy = 1
	AddMemset = 2
	AddChild  = 4
	AddEmpty  = 5
	AddWait   = 6
	AddRecord = 7
	AddOp     = -1 // the op of the Instr, after those that its intent says
)
