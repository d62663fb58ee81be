//go:build !gpu || !cgo

package probe_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/gpu"
	"github.com/gpu-overlap/overlap/gpu/sim"
)

// open gives the simulated device, as the machine on which the goldens were taken.
func open(t *testing.T) gpu.Tracer {
	t.Helper()
	m, err := sim.MachineNamed("h200")
	require.NoError(t, err)
	return tracer(t, sim.Open(m))
}

func taking() bool { return false }
