//go:build !gpu

package gpu

// Tagged says whether the binary was built with the tag gpu.
const Tagged = false
