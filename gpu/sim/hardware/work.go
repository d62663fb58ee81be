package hardware

import (
	"math"
	"time"

	"github.com/gpu-overlap/overlap/schedule"
)

// Class says what serves a work.
type Class uint8

const (
	HostFunc Class = iota // the one thread that runs host functions
	ToDevice              // the copy engine of its direction
	ToHost                // the same
	Kernel                // the SMs
	Gate                  // the SMs, until the host opens it
	Fork                  // nothing: it comes before the roots of a graph launch, and takes no time
	Join                  // nothing: it comes after several others, and takes no time
)

// numLines is how many of the classes run one at a time, each in a line of its own.
const numLines = int(ToHost) + 1

// ClassOf is the class of the work that an op makes.
func ClassOf(op *schedule.Op) Class {
	switch op.Kind {
	case schedule.Host:
		return HostFunc
	case schedule.H2D:
		return ToDevice
	case schedule.D2H:
		return ToHost
	}
	return Kernel
}

// None is the index of nothing.
const None int32 = -1

// Work is one thing that the device does. Its id is its place in the order of issue, from 0.
type Work struct {
	Ready  time.Duration // the earliest start that is known so far; the start, once it has started
	Dur    time.Duration // alone
	end    time.Duration // when it is to end, once it has started
	Stream int32
	Launch int32 // the graph launch that it belongs to; None when it was issued alone
	Op     int32 // whose span it gives, and which says what of the SMs and the bandwidth it needs; None for neither

	waiting int32 // works that must end first and have not
	out     int32 // first of the edges to those that wait for this; None for none

	Class      Class
	Priority   int8  // of a kernel: from -5, the most urgent, to 0
	Connection uint8 // as Chip.Connect gave it; 0 for one that shares none
	Waited     bool  // its stream waits for an event before it, since the work before

	done    bool
	arrived bool // it would be served, were it the next of its connection
}

// edge leads from a work to one that waits for it; next is the edge before it from the same work.
type edge struct{ to, next int32 }

// never is the end of a work that has started, as long as others end sooner.
const never time.Duration = math.MaxInt64
