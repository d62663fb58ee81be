// Package graph holds what a stream capture recorded: nodes and edges. It reads and writes them as DOT, compares them,
// and derives, from a program alone, the graph that its capture must give.
package graph

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
	Op   int32  // the op that the node stands for, an index into the intent; -1 when none is known
	Name string // of the op; of an imported node without an op, the kernel's
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
