package schedule

import (
	"fmt"
	"strconv"
	"time"
)

// CaptureMode is the argument of cuStreamBeginCapture. Other numbers than these are what the driver must refuse.
type CaptureMode int8

const (
	Global CaptureMode = iota
	ThreadLocal
	Relaxed
)

var modeNames = [...]string{"global", "thread-local", "relaxed"}

func (m CaptureMode) String() string {
	if m < 0 || int(m) >= len(modeNames) {
		return strconv.Itoa(int(m))
	}
	return modeNames[m]
}

// Instr is one driver call, as plain data. Fields that its verb does not name are left out.
type Instr struct {
	Verb Verb
	Mode CaptureMode
	// Intended says of a call in which the host waits that the intent wants it to: it is not blamed, and a replay is
	// cut there into two graphs.
	Intended bool
	Want     Code  // the code that the call must return
	Stream   Ref   // of Program.Streams
	Event    Ref   // of Program.Events
	Op       Ref   // of Intent.Ops
	Graph    Ref   // of Program.Graphs; a graph and its exec share it
	Thread   int32 // the host thread that makes the call; 0 is the first
	Device   int32 // 0 is the first
	Line     int32 // in the case file; 0 when nothing in the file stands for it
	Arg      int32 // 1 + the index into Program.Args; 0 when the fields above are all
}

// StreamKind is how a stream relates to the legacy default stream.
type StreamKind uint8

const (
	NonBlocking StreamKind = iota // CU_STREAM_NON_BLOCKING: no order with the legacy stream
	Blocking                      // CU_STREAM_DEFAULT: work on the legacy stream is a barrier for it
	Legacy                        // the legacy default stream itself: handle 0, not created, not capturable
	PerThread                     // the default stream of the thread that makes the call: a blocking stream, not created
)

func (k StreamKind) String() string {
	if k > PerThread {
		return fmt.Sprintf("kind %d", uint8(k))
	}
	return [...]string{"non-blocking", "blocking", "legacy", "per-thread"}[k]
}

// Created says whether a stream of this kind exists only once it is created.
func (k StreamKind) Created() bool { return k == NonBlocking || k == Blocking }

// Stream is a stream of a program. It lives on one device.
type Stream struct {
	Name     string
	Kind     StreamKind
	Priority int32 // smaller is more urgent; 0 is the default
	Device   int32
}

// Program is what a host does: driver calls in the order in which it makes them. Setup runs once and is not timed, Body
// is timed and repeated. A program is never changed after it was built.
type Program struct {
	Name    string // giant, eager, replay, solo …
	File    string // the case file, for messages
	Intent  *Intent
	Streams []Stream
	Events  []string
	Graphs  []string
	Origin  int32 // the stream that forks, joins, replays and is waited for
	Setup   []Instr
	Body    []Instr
	Args    []Args   // of the calls that have any
	Nodes   []string // of graphs, beside those of the ops
	// HostDelay is how much longer the host takes for each call of the Body: a slow host.
	HostDelay time.Duration
}

// Where names the place of an instruction for messages: file:line, or the file alone.
func (p *Program) Where(in Instr) string {
	if in.Line <= 0 {
		return p.File
	}
	return fmt.Sprintf("%s:%d", p.File, in.Line)
}
