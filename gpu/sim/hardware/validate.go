package hardware

import (
	"fmt"
	"time"
)

// most is the longest that a machine takes for anything but an op, and the most there is of anything.
const (
	mostCost  = time.Minute
	mostCount = 1 << 20
)

// Validate refuses a machine whose numbers mean nothing: costs below 0 or over a minute, sleeps that are not in their order.
func (s *Spec) Validate() error {
	for _, n := range []int{s.SMs, s.Connections, s.Grids} {
		if n < 0 || n > mostCount {
			return fmt.Errorf("machine: %d SMs, %d connections, %d grids; want 0 to %d", s.SMs, s.Connections, s.Grids, mostCount)
		}
	}
	for _, d := range []time.Duration{s.SameStream, s.CrossStream, s.GraphEdge, s.Waited, s.ThirdStream,
		s.HostStart, s.GraphFork, s.GraphRoot} {
		if d < 0 || d > mostCost {
			return fmt.Errorf("machine: a cost of %v; want 0s to %v", d, mostCost)
		}
	}
	var below Sleep
	for i, at := range s.Sleep {
		descends := i > 0 && at != (Sleep{}) && at.Asked <= below.Asked
		if at.Took < 0 || at.Took > mostCost || at.Asked < 0 || at.Asked > mostCost || descends {
			return fmt.Errorf("machine: a sleep of %v takes %v; want them ascending, up to %v", at.Asked, at.Took, mostCost)
		}
		below = at
	}
	return nil
}

// Validate refuses noise that is none: shares that are no numbers, or below 0, or over 1000.
func (n *Noise) Validate() error {
	for _, share := range []float64{n.Duration, n.Drift, n.HostChance, n.Foreign} {
		if !(share >= 0 && share <= 1000) { // NaN is neither
			return fmt.Errorf("noise: a share of %v; want 0 to 1000", share)
		}
	}
	if n.HostDelay < 0 || n.HostDelay > mostCost || n.Period < 0 {
		return fmt.Errorf("noise: a delay of %v, a period of %d; want 0s to %v, and 0 or more", n.HostDelay, n.Period, mostCost)
	}
	return nil
}
