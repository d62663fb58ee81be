package sim

import (
	"time"

	"github.com/gpu-overlap/overlap/gpu/sim/hardware"
	"github.com/gpu-overlap/overlap/schedule"
)

// Machine is what a simulated device costs: plain data. A machine without costs is exact.
//
// An op starts at the latest of: the return of the call that issues it plus the latency to its start, and the end of
// each op that it waits for plus one hand-off. Not modelled: a host that has waited for milliseconds is slower for
// the next calls (on the H200 a graph launch takes 2 us after 0.1 ms, 11 us after 50 ms), ticks of the device's clock
// (32 ns there), and nodes that wait for what comes from several roots (1.3 us longer there).
type Machine struct {
	Name string

	hardware.Spec

	Calls [schedule.NumVerbs]time.Duration // host time that each driver call takes, by verb

	LaunchToStart time.Duration // from the return of a launch to the start of its op on an idle device
	ReplayToStart time.Duration // from the return of a graph launch to the start of the graph's roots
	EndToReturn   time.Duration // from the end of an op to the return of the call that waits for it

	// LaunchQueue is how many works of a connection may be under way; 0: 1022.
	LaunchQueue int
	// LaunchBlocking lets each call that enqueues work return only when that work has ended.
	LaunchBlocking bool

	// Noise is what varies between repetitions.
	Noise Noise
}

// Noise is hardware.Noise: who runs a noisy device needs no other package than this one.
type Noise = hardware.Noise

// exact says whether the machine has no costs and no noise.
func (m *Machine) exact() bool {
	free := Machine{Name: m.Name, LaunchQueue: m.LaunchQueue, LaunchBlocking: m.LaunchBlocking}
	free.SMs, free.Connections, free.Grids = m.SMs, m.Connections, m.Grids
	free.Noise.Seed = m.Noise.Seed
	return *m == free
}
