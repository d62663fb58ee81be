package graph

import (
	"slices"
	"strconv"
)

// The rest of CUgraphNodeType: kinds that only an imported dump holds.
const (
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

// kindNamed is the inverse of Kind.String.
func kindNamed(s string) (Kind, bool) {
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

// The types of edge that the driver knows; others are kept as numbers.
const (
	fullCompletion = 0
	programmatic   = 1
)

// data describes what an edge waits for.
func (e Edge) data() string {
	at := "(type " + strconv.Itoa(int(e.Type)) + ", port " + strconv.Itoa(int(e.FromPort)) + ")"
	switch {
	case e.Type == fullCompletion && e.FromPort == 0:
		return "full completion"
	case e.Type == programmatic:
		return "programmatic " + at
	}
	return "special " + at
}

// KindNames are the kinds as String gives them.
func KindNames() []string { return append(slices.Clone(kindNames[:]), UnknownNode.String()) }
