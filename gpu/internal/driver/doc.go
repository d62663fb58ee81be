// Package driver is the thin layer over the CUDA driver API that the CUDA device needs: it finds the driver when it is
// asked to, walks a program's calls in one C function, and reads back what a stream capture recorded. It knows nothing
// of verdicts; times are integer nanoseconds. It exists in binaries built with cgo and the tag gpu.
//
// # Finding the driver
//
// gorgonia.org/cu links with -lcuda and calls cuInit, and exits when that fails, before main. So that a binary starts
// anywhere and can say what is missing, this package defines each driver symbol that gorgonia.org/cu and the package
// itself call, as a jump through a slot (symbols.h, trampoline.c). Load fills the slots from libcuda.so.1, or from the
// library that the environment variable OVERLAP_LIBCUDA names. The empty archive stub/libcuda.a satisfies -lcuda.
// cuInit is answered with success; Init makes the real call. Until Load has run, every other call gives
// CUDA_ERROR_NOT_INITIALIZED; a symbol that the driver lacks gives CUDA_ERROR_NOT_SUPPORTED.
//
// # Headers
//
// To build, cgo needs CUDA's headers (cuda.h and nvtx3), not the toolkit and not the driver. 12.4 to 12.9 in
// /usr/local/cuda serve as they are. All others, 13.x among them, need
//
//	eval "$(make -s env)"
//
// which is, in another module that builds this one, with $overlap the folder that "go list -m -f {{.Dir}}" gives for
// it,
//
//	export CGO_CFLAGS="-iquote . -I$overlap/gpu/internal/driver/cuda13 -I/usr/local/cuda/include"
//
// The folder cuda13 must come first: in 13.0 five functions that gorgonia.org/cu calls changed their parameters under
// their old names. No directive here can do that for another package. -iquote . is for go-nvml: without it, its
// "nvml.h" would be the toolkit's. What package headers, beside this one, finds wrong it says in one line.
//
// # Threads
//
// All calls are made by the goroutine that uses the package, which must be locked to its thread, but for those that a
// Trace makes on threads of its own, one at a time. There is no finalizer and no other goroutine: a call behind the
// program's back would break a capture.
package driver
