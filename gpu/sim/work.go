package sim

import (
	"time"

	"github.com/gpu-overlap/overlap/schedule"
)

// class says how the device treats a piece of work.
type class uint8

const (
	hostFunc class = iota // runs on the one thread that runs host functions
	toDevice              // runs on the copy engine of its direction
	toHost                // the same
	kernel                // runs as soon as it may
	gate                  // a kernel that runs until the host opens it
	fork                  // before roots of a graph launch; takes no time
	join                  // after several others; takes no time
)

// numLines is how many of the classes run one at a time, each in a line of its own.
const numLines = int(toHost) + 1

// classOf is the class of the work that an op makes.
func classOf(op *schedule.Op) class {
	switch op.Kind {
	case schedule.Host:
		return hostFunc
	case schedule.H2D:
		return toDevice
	case schedule.D2H:
		return toHost
	}
	return kernel
}

// work is one thing that the device does. Ids are indices of engine.works, in the order of issue.
type work struct {
	ready   time.Duration // the earliest start that is known so far; the start, once it has started
	dur     time.Duration // alone
	end     time.Duration // when it is to end, once it has started
	stream  int32
	launch  int32 // the graph launch that it belongs to; None when it was issued alone
	op      int32 // of the intent; None for gate, fork and join
	waiting int32 // works that must end first and have not
	out     int32 // first of the edges to those that wait for this; None for none
	class   class
	done    bool

	connection uint8 // from 1; 0 for one that shares none
	waited     bool  // its stream waits for an event before it, since the work before
	arrived    bool  // it would be served, were it the next of its connection
}

type edge struct{ to, next int32 }
