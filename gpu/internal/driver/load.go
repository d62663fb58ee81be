//go:build gpu && cgo

package driver

import (
	"errors"
	"os"

	"github.com/gpu-overlap/overlap/schedule"
)

// What can stand between a binary and a GPU; errors.Is tells them apart.
var (
	ErrNoLibrary = errors.New("no CUDA driver library")
	ErrOldDriver = errors.New("the CUDA driver is too old")
	ErrNoDevice  = errors.New("no CUDA device")
)

// LibraryVar is the environment variable that names another library than libcuda.so.1.
const LibraryVar = "OVERLAP_LIBCUDA"

// Failure is a driver call that failed where no program asked for it.
type Failure struct {
	Call string
	Code schedule.Code
}

func (f *Failure) Error() string { return f.Call + " gave " + f.Code.String() }

func check(call string, code schedule.Code) error {
	if code == schedule.Success {
		return nil
	}
	return &Failure{call, code}
}

// Sticky says whether a code means that the context is lost: every later call would give it again.
func Sticky(code schedule.Code) bool {
	switch code {
	case 4, 214, 700, 702, 709, 710, 714, 715, 716, 717, 718, 719, 999:
		return true
	}
	return false
}

func library() string {
	if name := os.Getenv(LibraryVar); name != "" {
		return name
	}
	return "libcuda.so.1"
}
