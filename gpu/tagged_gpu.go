//go:build gpu

package gpu

// Tagged says whether the binary was built with the tag gpu: it then never falls back to the simulated device.
const Tagged = true
