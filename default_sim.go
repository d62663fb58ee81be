//go:build !gpu

package overlap

// DefaultDevice is the device of a binary built without the tag gpu.
const DefaultDevice = Sim
