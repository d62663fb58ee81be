package hardware

import (
	"time"

	"github.com/gpu-overlap/overlap/schedule"
)

// Spec is what the hardware has, and what it costs: plain data. The zero value costs nothing, and has one SM.
type Spec struct {
	SMs int // streaming multiprocessors

	// Connections is how many hardware queues the streams share, up to MaxConnections; 0: as many as there are streams.
	Connections int
	// Grids is how many kernels run at once at most; 0: as many as there are.
	Grids int

	SameStream  time.Duration // hand-off from an op to the next of its stream
	CrossStream time.Duration // hand-off through an event, from one stream to another
	GraphEdge   time.Duration // hand-off along an edge of a graph

	Waited      time.Duration // more of a hand-off in a stream that waits for an event in between
	ThirdStream time.Duration // more of each hand-off outside of graphs when more than two streams get ops

	HostStart time.Duration // more of each hand-off from the device to a host function

	// Nodes of a graph that wait for the same node start one after the other, GraphFork apart; its roots GraphRoot
	// apart, and for each further root the launch takes the host as much.
	GraphFork, GraphRoot time.Duration

	// Sleep is how long one nanosleep takes, by what was asked, ascending; linear in between. All zero: as asked.
	Sleep [5]Sleep
}

// Sleep is one measured nanosleep: the mean of many in a row for the longest, which only loops use.
type Sleep struct{ Asked, Took time.Duration }

// sms is how many there are, at least one: so every kernel runs.
func (s *Spec) sms() int64 { return int64(max(1, s.SMs)) }

// Alone is how long an op runs when nothing else does.
func (s *Spec) Alone(op *schedule.Op) time.Duration {
	if op == nil {
		return 0
	}
	if ClassOf(op) != Kernel || op.Kernel != schedule.Nanosleep {
		return op.Dur
	}
	return s.nanosleep(op.Dur)
}

// nanosleep is the reference's kernel: sleeps of 1 ms, the longest that the instruction allows, then the remainder.
func (s *Spec) nanosleep(d time.Duration) time.Duration {
	const longest = time.Millisecond
	return d/longest*s.sleep(longest) + s.sleep(d%longest)
}

func (s *Spec) sleep(asked time.Duration) time.Duration {
	var below Sleep
	for _, at := range s.Sleep {
		if asked < at.Asked && below.Asked < at.Asked {
			return below.Took + (asked-below.Asked)*(at.Took-below.Took)/(at.Asked-below.Asked)
		}
		below = at
	}
	return below.Took + asked - below.Asked
}
