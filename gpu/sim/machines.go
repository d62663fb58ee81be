package sim

import (
	"fmt"
	"strings"
	"time"

	"github.com/gpu-overlap/overlap/schedule"
)

// Machine is what a simulated device costs: plain data. A machine without costs is exact.
//
// An op starts at the latest of: the return of the call that issues it plus the latency to its start, and the end of
// each op that it waits for plus one hand-off. Not modelled: a host that has waited for milliseconds is slower for the next
// calls (on the H200 a graph launch takes 2 us after 0.1 ms, 11 us after 50 ms), steps of the device's clock (32 ns there),
// and nodes that wait for what comes from several roots (1.3 us longer there).
type Machine struct {
	Name string
	SMs  int // streaming multiprocessors

	Calls [schedule.NumVerbs]time.Duration // host time that each driver call takes, by verb

	LaunchToStart time.Duration // from the return of a launch to the start of its op on an idle device
	ReplayToStart time.Duration // from the return of a graph launch to the start of the graph's roots
	EndToReturn   time.Duration // from the end of an op to the return of the call that waits for it

	SameStream  time.Duration // hand-off from an op to the next of its stream
	CrossStream time.Duration // hand-off through an event, from one stream to another
	GraphEdge   time.Duration // hand-off along an edge of a graph

	Waited      time.Duration // more of a hand-off in a stream that waits for an event in between
	ThirdStream time.Duration // more of each hand-off outside of graphs when more than two streams get ops

	HostStart time.Duration // more of each hand-off from the device to a host function

	// Nodes of a graph that wait for the same node start one after the other, GraphFork apart; its roots GraphRoot apart,
	// and for each further root the launch takes the host as much.
	GraphFork, GraphRoot time.Duration

	// Connections is how many hardware queues the streams share, up to 32; 0: as many as there are streams.
	Connections int
	// LaunchQueue is how many works of a connection may be under way; 0: 1022.
	LaunchQueue int
	// Grids is how many kernels run at once at most; 0: as many as there are.
	Grids int
	// LaunchBlocking lets each call that enqueues work return only when that work has ended.
	LaunchBlocking bool

	// Noise is what varies between repetitions.
	Noise Noise

	// Sleep is how long one nanosleep takes, by what was asked, ascending; linear in between. All zero: as asked.
	Sleep [5]Sleep
}

// Sleep is one measured nanosleep: the mean of many in a row for the longest, which only loops use.
type Sleep struct{ Asked, Took time.Duration }

// Ideal has no costs: virtual time is the schedule's own, to the nanosecond.
var Ideal = Machine{
	Name: "ideal",
	SMs:  132, // as the H200, so that nothing but the costs differs
}

var machines = []*Machine{&Ideal, &H200}

// MachineNamed finds a machine; the error names those that there are.
func MachineNamed(name string) (Machine, error) {
	names := make([]string, len(machines))
	for i, m := range machines {
		if m.Name == name {
			return *m, nil
		}
		names[i] = m.Name
	}
	return Machine{}, fmt.Errorf("no simulated machine is named %q; there are: %s", name, strings.Join(names, ", "))
}

// exact says whether the machine has no costs and no noise.
func (m *Machine) exact() bool {
	return *m == Machine{Name: m.Name, SMs: m.SMs, Connections: m.Connections, LaunchQueue: m.LaunchQueue, Grids: m.Grids, LaunchBlocking: m.LaunchBlocking,
		Noise: Noise{Seed: m.Noise.Seed}}
}

// took is how long an op runs alone.
func (m *Machine) took(op *schedule.Op) time.Duration {
	if classOf(op) != kernel || op.Kernel != schedule.Nanosleep {
		return op.Dur
	}
	return m.nanosleep(op.Dur)
}

// nanosleep is the reference's kernel: steps of 1 ms, the longest that the instruction allows, then the remainder.
func (m *Machine) nanosleep(d time.Duration) time.Duration {
	const step = time.Millisecond
	return d/step*m.sleep(step) + m.sleep(d%step)
}

func (m *Machine) sleep(asked time.Duration) time.Duration {
	var below Sleep
	for _, at := range m.Sleep {
		if asked < at.Asked {
			return below.Took + (asked-below.Asked)*(at.Took-below.Took)/(at.Asked-below.Asked)
		}
		below = at
	}
	return below.Took + asked - below.Asked
}
