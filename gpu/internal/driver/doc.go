// Package driver is the thin layer over the CUDA driver API that the CUDA device needs: it finds the driver when it is
// asked to, walks a program's calls in one C function, and reads back what a stream capture recorded. It knows nothing of
// verdicts; times are integer nanoseconds. It exists in binaries built with cgo and the tag gpu.
//
// # Finding the driver
//
// gorgonia.org/cu links with -lcuda and calls cuInit, and exits when that fails, before main. So that a binary starts
// anywhere and can say what is missing, this package defines each driver symbol that gorgonia.org/cu and the package
// itself call, as a jump through a slot (symbols.h, trampoline.c). Load fills the slots from libcuda.so.1, or from the
// library that the environment variable OVERLAP_LIBCUDA names. The empty archive stub/libcuda.a satisfies -lcuda. cuInit
// is answered with success; Init makes the real call. Until Load has run, every other call gives
// CUDA_ERROR_NOT_INITIALIZED; a symbol that the driver lacks gives CUDA_ERROR_NOT_SUPPORTED.
//
// # Headers
//
// To build, cgo needs CUDA's headers (cuda.h and nvtx3), not the toolkit and not the driver. 12.4 and later serve as they
// are:
//
//	CGO_CFLAGS="-I/usr/local/cuda/include" go build -tags gpu
//
// With 13.x, where five functions changed their parameters under their old names, the folder cuda13 goes first:
//
//	CGO_CFLAGS="-I$PWD/gpu/internal/driver/cuda13 -I/usr/local/cuda/include" go build -tags gpu
//
// # Threads
//
// All calls are made by the goroutine that uses the package, which must be locked to its thread, but for those that a
// Trace makes on threads of its own, one at a time. There is no finalizer and no other goroutine: a call behind the
// program's back would break a capture.
package driver
