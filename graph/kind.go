package graph

import (
	"slices"
	"strconv"
)

// Kind is a node's type, numbered as CUgraphNodeType.
type Kind uint8

const (
	KernelNode          Kind = 0
	MemcpyNode          Kind = 1
	MemsetNode          Kind = 2
	HostNode            Kind = 3
	ChildNode           Kind = 4
	EmptyNode           Kind = 5
	WaitEventNode       Kind = 6
	EventRecordNode     Kind = 7
	SignalSemaphoreNode Kind = 8
	WaitSemaphoreNode   Kind = 9
	MemAllocNode        Kind = 10
	MemFreeNode         Kind = 11
	BatchMemOpNode      Kind = 12
	ConditionalNode     Kind = 13
	numKinds                 = 14

	// UnknownNode is a node of a dump whose label says nothing that is known here; its name is what the label says.
	UnknownNode Kind = 255
)

var kindNames = [numKinds]string{
	"kernel", "memcpy", "memset", "host", "child", "empty", "wait_event", "event_record",
	"ext_semas_signal", "ext_semas_wait", "mem_alloc", "mem_free", "batch_mem_op", "conditional",
}

// String is the kind as DOT files spell it, "kernel"; of a kind without a name its number.
func (k Kind) String() string {
	switch {
	case k < numKinds:
		return kindNames[k]
	case k == UnknownNode:
		return "unknown"
	}
	return strconv.Itoa(int(k))
}

// ParseKind is the inverse of Kind.String.
func ParseKind(s string) (Kind, bool) {
	for k, name := range kindNames {
		if s == name {
			return Kind(k), true
		}
	}
	if s == UnknownNode.String() {
		return UnknownNode, true
	}
	n, err := strconv.ParseUint(s, 10, 8)
	return Kind(n), err == nil && strconv.FormatUint(n, 10) == s
}

// KindNames are the kinds as String gives them: those of the driver, by number, and unknown at the end.
func KindNames() []string { return append(slices.Clone(kindNames[:]), UnknownNode.String()) }
