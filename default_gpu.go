//go:build gpu

package overlap

// DefaultDevice is the device of a binary built with the tag gpu: it never falls back to the simulated one.
const DefaultDevice = CUDA
