package sim

import (
	"time"

	"github.com/gpu-overlap/overlap/schedule"
)

// stream is what the driver knows of a stream. A stream that is captured keeps its real tips: capturing severs them
// from what is captured, and the first work after the capture comes after them again.
type stream struct {
	alive   bool
	kind    schedule.StreamKind
	tips    []int32    // works that the stream's next work must wait for, beside the legacy stream's
	barrier int32      // the last barrier of the legacy stream that is among tips
	waited  bool       // for an event, since its last op
	dirty   bool       // has tips that the legacy stream has not yet waited for; blocking streams only
	capture *capture   // nil when not capturing
	deps    []int32    // nodes that the next captured node depends on
	data    []edgeData // of the edges from these; nil when all are plain

	priority int8
}

// event is what an event holds: nothing, a point in streams, or a point in a capture.
type event struct {
	alive    bool
	recorded bool
	untimed  bool     // it was created without timing
	tips     []int32  // works
	capture  *capture // nil when it was recorded outside
	deps     []int32  // nodes
}

// note is what few programs need to know of an event: host time and order of its record, or the data of the edges to
// what waits for it in a capture; nil when all are plain.
type note struct {
	at    time.Duration
	order int32
	data  []edgeData
}

// capture is a stream capture: under way, lost (every call on its streams gives 901 until the origin ends it), or
// ended.
type capture struct {
	mode     schedule.CaptureMode
	thread   int32
	origin   int32
	members  []int32 // streams that belong or belonged to it
	blocking bool    // one of them is a blocking stream
	lost     bool
	ended    bool

	*template         // what was captured so far
	first     int32   // the first node of the capture
	excused   []int32 // nodes that need not be joined
}

// The numbers of CUstreamCaptureStatus; 0 is none.
const (
	active      = 1
	invalidated = 2
)

// handles says of a graph and its exec that they were destroyed.
type handles struct{ graph, exec bool }

// Codes that only calls of probes give.
const (
	lossyQuery    schedule.Code = 402
	updateFailure schedule.Code = 910
)
