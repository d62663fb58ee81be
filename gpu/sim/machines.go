package sim

import (
	"fmt"
	"strings"

	"github.com/gpu-overlap/overlap/gpu/sim/hardware"
)

// Ideal has no costs: virtual time is the schedule's own, to the nanosecond.
var Ideal = Machine{
	Name: "ideal",
	Spec: hardware.Spec{SMs: 132}, // as the H200, so that nothing but the costs differs
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
