package gpu

import (
	"context"
	"time"

	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/timeline"
)

// Tracer is a device that shows what each call of a program does: it is how probes are run. Both devices are.
type Tracer interface {
	Device
	// Trace runs the program's Setup, whose codes must be those that it wants, then its Body, call by call, each on its
	// thread. Every call is made, whatever the code of the one before, unless it names a stream or event that does not
	// exist, a graph, an exec or a node that is destroyed, or a node that was never made: it gives 400, and no driver
	// sees a handle that means nothing. A graph that was never made is the handle NULL. Afterwards captures that are
	// still open are ended, all work is waited for, and all that the program made is destroyed. An error means that the
	// device itself failed.
	Trace(ctx context.Context, p *schedule.Program) (*Trace, error)
}

// Trace is what a device showed of a program.
type Trace struct {
	Steps []Step          // by instruction of the Body
	Spans []timeline.Span // by op id, of its latest run, all on one clock: stamps of the host are converted
}

// Step is what one call showed.
type Step struct {
	Code schedule.Code
	Took time.Duration // until the call returned
	// Status is what cuStreamGetCaptureInfo said of each stream of the program after the call; nil when the call
	// succeeded (unless it ended a capture).
	Status []Status
	// What the call gave beside its code; which of these, the verb's comment says.
	Values []int64
	Nodes  []schedule.Ref // as in Program.NodeName; none for a node that has no name
	List   *Listing       // of ListGraph, and of EndCapture when it gave a graph
	Text   []string       // of PrintGraph: the dumps with flags 0 and verbose
}

// Status is the capture status of a stream: 0 none, 1 active, 2 invalidated; or the code that asking for it gave.
type Status struct {
	Value int8
	Code  schedule.Code
	// Absent says that the stream does not exist: it was not created yet, or is destroyed.
	Absent bool
}

// Listing is all that a driver says of a graph: its nodes in the order of cuGraphGetNodes, numbered by it.
type Listing struct {
	Graph      graph.Graph    // edges in the driver's order
	Nodes      []schedule.Ref // by node: as in Program.NodeName; none without a name
	Roots      []int32
	Deps       [][]int32     // by node: in the order of cuGraphNodeGetDependencies
	Dependents [][]int32     // by node: in the order of cuGraphNodeGetDependentNodes
	Code       schedule.Code // of cuGraphGetEdges
	Priorities []int64       // by node: the priority of a kernel; 0 of others
}
