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
// each op that it waits for plus one hand-off.
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

// Sleep is one measured nanosleep.
type Sleep struct{ Asked, Took time.Duration }

// Ideal has no costs: virtual time is the schedule's own, to the nanosecond.
var Ideal = Machine{
	Name: "ideal",
	SMs:  132, // as the H200, so that nothing but the costs differs
}

// H200 has the costs of a C++ or Go program on one NVIDIA H200, fitted to the walls, issue times and device spans of
// the reference schedule with exact kernels of 2 us to 10 ms. "measured" means measured on one NVIDIA H200, driver
// 580.159.04, CUDA 13.0, 2026-11-30. Not modelled: the host slows down while it waits for milliseconds (issuing the
// reference schedule takes 30 us after 0.1 ms of waiting, 78 us after 50 ms), and the noise of short eager runs.
var H200 = Machine{
	Name:  "h200",
	SMs:   132, // as NVIDIA states for the H200; not measured
	Grids: 128, // measured, as NVIDIA states for its compute capability

	Connections: defaultConnections, // measured: as documented

	Calls: [schedule.NumVerbs]time.Duration{
		schedule.Launch: 3450, // measured: 30 us to issue 8 launches, 7 records, 8 waits; the 2 and 5 us spans split it
		schedule.Record: 180,  // measured: as Launch
		schedule.Wait:   180,  // measured: as Launch
		schedule.Replay: 1500, // measured: 1.5 us to issue one graph launch

		schedule.CreateEvent: 1000, // measured: 4 to 19 us more to issue the schedule when it creates its 7 events
		schedule.HostFunc:    3450, // not measured: taken to be a launch
		schedule.Copy:        3450, // not measured: taken to be a launch
		schedule.Gate:        3450, // a launch; OpenGate is a store, which takes no time worth counting
		schedule.Upload:      1500, // not measured: taken to be a graph launch
		schedule.QueryStream: 180,  // not measured: taken to be a record
		schedule.QueryEvent:  180,  // not measured: taken to be a record
	},
	LaunchToStart: 3000, // measured as the sum LaunchToStart + EndToReturn: eager wall − device span − calls before
	ReplayToStart: 2650, // measured as the sum ReplayToStart + EndToReturn: replay wall − device span − Replay
	EndToReturn:   2500, // not measured alone: host and device clocks are two; it splits the two sums above
	SameStream:    1600, // measured: giant batch, wall − ops − the above = 4.8 us, over 3 hand-offs
	CrossStream:   2700, // measured: eager device span − 5 ops = 7.5 us: this one and 3 in the same stream
	GraphEdge:     1030, // measured: replay device span − 5 ops = 4.1 us, over 4 hand-offs
	Sleep: [5]Sleep{
		{1 * time.Microsecond, 1010},         // measured: 0.99 to 1.03
		{10 * time.Microsecond, 16_000},      // measured: 1.56 to 1.63
		{100 * time.Microsecond, 128_000},    // measured: 1.25 to 1.31
		{500 * time.Microsecond, 509_000},    // measured: 1.006 to 1.03
		{1000 * time.Microsecond, 1_045_900}, // measured: 100 steps take 104.56 to 104.62 ms
	},
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
