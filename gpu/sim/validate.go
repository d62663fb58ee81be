package sim

import (
	"fmt"
	"time"

	"github.com/gpu-overlap/overlap/schedule"
)

// Validate refuses a machine whose numbers mean nothing: costs below 0 or over a minute, noise that is no number.
func (m *Machine) Validate() error {
	if err := m.Spec.Validate(); err != nil {
		return fmt.Errorf("sim: %w", err)
	}
	if err := m.Noise.Validate(); err != nil {
		return fmt.Errorf("sim: %w", err)
	}
	const most = time.Minute
	for _, d := range append([]time.Duration{m.LaunchToStart, m.ReplayToStart, m.EndToReturn}, m.Calls[:]...) {
		if d < 0 || d > most {
			return fmt.Errorf("sim: machine %s: a cost of %v; want 0s to %v", m.Name, d, most)
		}
	}
	if m.LaunchQueue < 0 {
		return fmt.Errorf("sim: machine %s: a queue of %d works; want 0 for the default, or more", m.Name, m.LaunchQueue)
	}
	return nil
}

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
