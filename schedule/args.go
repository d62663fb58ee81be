package schedule

import (
	"slices"
	"time"
)

// Args are what few calls take beside the fields of an Instr. Which of them a call has, its form says.
type Args struct {
	Form   int32 // how it is spelled: an index into forms
	Number int32 // a variant, flags, or a count
	Second int32 // a priority
	API    API
	Event  Ref           // a second event
	Graph  Ref           // a second graph
	Node   Ref           // a node that the call makes or changes; see NodeName
	Nodes  []Ref         // in the order in which they are handed over
	Dur    time.Duration // of Pause
}

// ArgsOf gives the arguments of an instruction; the zero value when it has none.
func (p *Program) ArgsOf(in Instr) Args {
	if in.Arg < 1 || int(in.Arg) > len(p.Args) {
		return Args{Form: None}
	}
	return p.Args[in.Arg-1]
}

// NodeName names a node of a graph: the nodes are the ops, by op id, and behind them those of Program.Nodes.
func (p *Program) NodeName(node int32) string {
	if ops := int32(len(p.Intent.Ops)); node >= ops {
		return named(p.Nodes, node-ops)
	}
	if node < 0 {
		return "?"
	}
	return p.Intent.Ops[node].Name
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

// Prioritized says whether the form of a CreateStream names a priority.
func (a Args) Prioritized() bool {
	return a.Form >= 0 && int(a.Form) < len(forms) && slices.Contains(words[a.Form], "NUMBER2")
}
