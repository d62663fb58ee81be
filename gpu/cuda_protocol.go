//go:build gpu && cgo

package gpu

import "github.com/gpu-overlap/overlap/schedule"

// The worker reads requests on its standard input and answers each, in order, on file descriptor 3, both as gob.

type verb uint8

const (
	verbFind    verb = iota // find the device: Info and UUID
	verbStart               // make its context and load the kernels
	verbPrepare             // Program as run ID
	verbSample              // Reps of Runs
	verbTrace               // Program as a trace
	verbDrop                // forget run ID
	verbQuit                // destroy the context and exit
)

type request struct {
	Verb    verb
	GPU     int
	ID      int32
	Program *schedule.Program
	Runs    []int32
	Reps    int
}

type reply struct {
	Err     string // empty when the request was met
	Help    string // with Err: the device cannot be used, and this would help
	Lost    bool   // with Err: the context is gone, and with it every run
	Info    Info
	UUID    string
	Setup   Setup
	Samples [][]Transcript
	Trace   *Trace
}
