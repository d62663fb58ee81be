//go:build !gpu || !cgo

package gpu

import "context"

// OpenCUDA says that this binary cannot open a GPU: it was built without the tag gpu, or without cgo.
func OpenCUDA(context.Context, Options) (Device, error) {
	return nil, &Unavailable{
		What: "this binary was built without the tag gpu",
		Help: "build with -tags gpu, CGO_ENABLED=1 and CUDA's headers to use a GPU",
	}
}
