package schedule

import (
	"fmt"
	"maps"
	"slices"
)

// Code is a CUresult of the CUDA driver API.
type Code int32

// The codes that a schedule can meet; numbers and names are those of CUDA 13.0's cuda.h.
const (
	Success            Code = 0
	InvalidValue       Code = 1
	OutOfMemory        Code = 2
	NotInitialized     Code = 3
	NoDevice           Code = 100
	InvalidContext     Code = 201
	InvalidHandle      Code = 400
	IllegalState       Code = 401
	NotReady           Code = 600
	LaunchFailed       Code = 719
	NotPermitted       Code = 800
	NotSupported       Code = 801
	CaptureUnsupported Code = 900
	CaptureInvalidated Code = 901
	CaptureMerge       Code = 902
	CaptureUnmatched   Code = 903
	CaptureUnjoined    Code = 904
	CaptureIsolation   Code = 905
	CaptureImplicit    Code = 906
	CapturedEvent      Code = 907
	CaptureWrongThread Code = 908
)

var codeNames = map[Code]string{
	Success: "CUDA_SUCCESS", InvalidValue: "CUDA_ERROR_INVALID_VALUE", OutOfMemory: "CUDA_ERROR_OUT_OF_MEMORY",
	NotInitialized: "CUDA_ERROR_NOT_INITIALIZED", NoDevice: "CUDA_ERROR_NO_DEVICE",
	InvalidContext: "CUDA_ERROR_INVALID_CONTEXT", InvalidHandle: "CUDA_ERROR_INVALID_HANDLE",
	IllegalState: "CUDA_ERROR_ILLEGAL_STATE", NotReady: "CUDA_ERROR_NOT_READY",
	LaunchFailed: "CUDA_ERROR_LAUNCH_FAILED",
	NotPermitted: "CUDA_ERROR_NOT_PERMITTED", NotSupported: "CUDA_ERROR_NOT_SUPPORTED",
	CaptureUnsupported: "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED",
	CaptureInvalidated: "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED",
	CaptureMerge:       "CUDA_ERROR_STREAM_CAPTURE_MERGE",
	CaptureUnmatched:   "CUDA_ERROR_STREAM_CAPTURE_UNMATCHED",
	CaptureUnjoined:    "CUDA_ERROR_STREAM_CAPTURE_UNJOINED",
	CaptureIsolation:   "CUDA_ERROR_STREAM_CAPTURE_ISOLATION",
	CaptureImplicit:    "CUDA_ERROR_STREAM_CAPTURE_IMPLICIT",
	CapturedEvent:      "CUDA_ERROR_CAPTURED_EVENT",
	CaptureWrongThread: "CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD",
}

// Name is the driver's name of the code; its number when it is none of the codes above.
func (c Code) Name() string {
	if name, ok := codeNames[c]; ok {
		return name
	}
	return fmt.Sprint(int32(c))
}

// CodeNamed finds one of the codes above by the driver's name.
func CodeNamed(name string) (c Code, ok bool) {
	for c, n := range codeNames {
		if n == name {
			return c, true
		}
	}
	return 0, false
}

// CodeNames are the names of the codes above, sorted.
func CodeNames() []string { return slices.Sorted(maps.Values(codeNames)) }

// String is the number and, for the codes above, the name: "904 CUDA_ERROR_STREAM_CAPTURE_UNJOINED".
func (c Code) String() string {
	if name, ok := codeNames[c]; ok {
		return fmt.Sprintf("%d %s", int32(c), name)
	}
	return fmt.Sprintf("%d", int32(c))
}
