package sim

import (
	"fmt"

	"github.com/gpu-overlap/overlap/schedule"
)

// validate refuses a program that is not valid, and one that needs another GPU.
func validate(p *schedule.Program) error {
	if err := p.Validate(); err != nil {
		return fmt.Errorf("sim: %w", err)
	}
	for i, s := range p.Streams {
		if s.Device != 0 {
			return fmt.Errorf("sim: %s: stream %d is on device %d; the machine has device 0", p.File, i, s.Device)
		}
	}
	for _, calls := range [][]schedule.Instr{p.Setup, p.Body} {
		for i := range calls {
			if calls[i].Device != 0 {
				return fmt.Errorf("sim: %s: device %d; the machine has device 0", p.Where(calls[i]), calls[i].Device)
			}
		}
	}
	return nil
}
