//go:build gpu && cgo

// Package headers stops a build whose CUDA headers are missing, too old, or of 13.x without the wrapper, with one line that
// says what to do. It stands beside gorgonia.org/cu, not below it: that package then fails as well, with errors of its own
// that say nothing of the kind.
package headers

// #cgo CFLAGS: -I/usr/local/cuda/include
// #if !__has_include(<cuda.h>)
// #error "no CUDA headers: install the CUDA toolkit (12.4 to 13.x), or see: make env"
// #else
// #include <cuda.h>
// #if CUDA_VERSION < 12040
// #error "this cuda.h is older than 12.4: set CUDA_HOME to a newer toolkit and run: eval \"$(make -s env)\""
// #elif CUDA_VERSION >= 13000 && !defined OVERLAP_CUDA13_CUDA_H
// #error "this cuda.h is of CUDA 13, which needs our wrapper before it: run: eval \"$(make -s env)\""
// #endif
// #endif
import "C"
