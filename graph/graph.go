// Package graph holds what a stream capture recorded: nodes and edges, and the graphs that nodes hold.
//
//   - ParseDOT reads the dumps of the driver (cuGraphDebugDotPrint, short and verbose, child graphs and all) and the form of
//     WriteDOT, which is canonical: equal graphs give equal bytes. WriteDump writes as the driver does, which shows nothing
//     of what an edge waits for: a programmatic edge looks as any other.
//   - Diff compares graphs whose nodes have names of their own; Differences compares any two up to the numbering of their
//     nodes. No difference means that they are equal, and a difference that they are not.
//   - Width is the largest number of nodes that may run at a time, Makespan the length of the longest path by given
//     durations: what the edges allow when nothing else is short.
//   - Implied is the graph that the capture of a program must give, derived from its calls alone.
//
// Everything is a function of values; the result never rests on the order of a map, and bad input is an error, which for a
// file gives the line.
package graph

import "github.com/gpu-overlap/overlap/schedule"

// Kind is a node's type, numbered as CUgraphNodeType.
type Kind uint8

const (
	KernelNode      Kind = 0
	MemcpyNode      Kind = 1
	MemsetNode      Kind = 2
	HostNode        Kind = 3
	ChildNode       Kind = 4
	EmptyNode       Kind = 5
	WaitEventNode   Kind = 6
	EventRecordNode Kind = 7
)

// Node is one node of a captured graph. Its id is its index, the order of creation.
type Node struct {
	Kind Kind
	Op   schedule.Ref // the op of the intent that the node stands for; none when none is known
	Name string       // of the op; of an imported node without an op, the kernel's

	// The graph that a child node runs, the bodies of a conditional one; none where a file does not show them. Graphs that
	// hold one another in a circle are not allowed.
	Children []*Graph
}

// Edge says that node To starts after node From. Type and FromPort are the driver's edge data: 0, 0 is an edge of full
// completion; type 1 is a programmatic edge.
type Edge struct {
	From, To       int32
	Type, FromPort uint8
}

// Graph is what was captured. Edges are sorted by From, then To.
type Graph struct {
	Nodes []Node
	Edges []Edge
}
