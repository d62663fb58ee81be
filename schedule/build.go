package schedule

import (
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"time"
)

// Builder makes a Schedule call by call, in the order in which the host makes them; its methods are named after the
// words of the language. A mistake is kept, the first alone, and Schedule gives it: the calls in between need not be
// asked.
//
// The file of the schedule is that in which New is called, and the line of each call the one that makes it, so that a
// verdict points at it. A Builder is used from one goroutine.
type Builder struct {
	b       builder
	path    string           // of the file that called New
	named   map[string]int32 // events by the names that were given
	unnamed []unnamed
	engines map[string]int32
	buffers map[string]int32
	ops     []string // by op: the name of its engine; "" for the kind's own
	err     error    // the first mistake
}

// unnamed is an event that gets its name at the end, when the names that are given are known.
type unnamed struct {
	event int32
	kind  string
}

// New begins a schedule. It has the stream main, and the engines of DefaultEngines.
func New(name string) *Builder {
	s := (&Builder{}).ready()
	s.b.Name = name
	if _, path, _, ok := runtime.Caller(1); ok {
		s.path, s.b.File = path, filepath.Base(path)
	}
	return s
}

// ready gives the builder itself, or, of none, one whose schedule nobody gets. The zero value is that of a schedule
// without a name.
func (s *Builder) ready() *Builder {
	if s == nil {
		s = &Builder{}
	}
	if s.named != nil {
		return s
	}
	s.named, s.engines, s.buffers = map[string]int32{}, map[string]int32{}, map[string]int32{}
	s.b = begin("", "")
	s.b.Intent.Engines = DefaultEngines()
	for i, e := range s.b.Intent.Engines {
		s.engines[e.Name] = int32(i)
	}
	return s
}

// here makes the builder ready, and notes the line of the call that the caller of this package makes.
func (s *Builder) here() *Builder {
	s = s.ready()
	s.b.line = 0
	if s.path == "" {
		return s
	}
	var pcs [8]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs[:])])
	for more := true; more; {
		var f runtime.Frame
		if f, more = frames.Next(); f.File == s.path {
			s.b.line = int32(f.Line)
			break
		}
	}
	return s
}

// fail keeps the first mistake.
func (s *Builder) fail(want, format string, args ...any) {
	if s.err == nil {
		s.err = faulty(s.b.line, want, format, args...).in(s.b.File, s.b.Name)
	}
}

// Schedule gives what was built, or the first mistake: one of a call, with the file and line that made it, or else what
// Schedule.Validate finds.
func (s *Builder) Schedule() (*Schedule, error) {
	s = s.ready()
	if s.err != nil {
		return nil, s.err
	}
	out := s.b.Schedule
	out.Streams, out.Events, out.Issue = slices.Clone(out.Streams), slices.Clone(out.Events), slices.Clone(out.Issue)
	out.Intent.Ops, out.Intent.Engines = slices.Clone(out.Intent.Ops), slices.Clone(out.Intent.Engines)
	numbers := map[string]int{}
	for _, u := range s.unnamed {
		for used := true; used; _, used = s.named[out.Events[u.event]] {
			numbers[u.kind]++
			out.Events[u.event] = fmt.Sprintf("%s%d", u.kind, numbers[u.kind])
		}
	}
	for op, name := range s.ops {
		if name == "" {
			continue
		}
		e, ok := s.engines[name]
		if !ok {
			s.b.line = out.Intent.Ops[op].Line
			s.fail("a built-in engine, or one that Engine declares", "op %s: unknown engine %s",
				out.Intent.Ops[op].Name, name)
			return nil, s.err
		}
		out.Intent.Ops[op].Engine = At(e)
	}
	if err := out.Validate(); err != nil {
		return nil, err
	}
	return &out, nil
}

// Engine declares an engine, for On. It runs so many ops at once by intention: 1 is exclusive.
func (s *Builder) Engine(name string, capacity int) {
	s = s.here()
	if _, ok := s.engines[name]; ok {
		s.fail("another name", "engine %s is already declared", name)
		return
	}
	if capacity < 1 || capacity > MaxCapacity {
		s.fail(fmt.Sprintf("1 to %d", MaxCapacity), "engine %s: capacity %d", name, capacity)
		return
	}
	s.engines[name] = int32(len(s.b.Intent.Engines))
	s.b.Intent.Engines = append(s.b.Intent.Engines, Engine{Name: name, Capacity: int32(capacity)})
}

// Kernels says how the kernels of all ops spend their durations.
func (s *Builder) Kernels(k Kernel) {
	s = s.here()
	if k > Nanosleep {
		s.fail("exact or nanosleep", "%v", k)
	}
	for i := range s.b.Intent.Ops {
		s.b.Intent.Ops[i].Kernel = k
	}
	s.b.kernel = k
}

// SlowHost makes the host take that much longer for each call.
func (s *Builder) SlowHost(d time.Duration) { s.ready().b.HostDelay = d }

// Main is the origin: the legacy default stream, for which a capture puts another stream.
func (s *Builder) Main() *StreamBuilder { return &StreamBuilder{s.ready(), Origin} }

// Stream makes a non-blocking stream.
func (s *Builder) Stream(name string) *StreamBuilder {
	s = s.here()
	switch {
	case name == "":
		s.fail("one", "a stream without a name")
	case slices.ContainsFunc(s.b.Streams, func(st Stream) bool { return st.Name == name }):
		s.fail("a name for each stream", "a second stream %s", name)
	}
	return &StreamBuilder{s, s.b.stream(name)}
}

// Legacy is the legacy default stream, in a capture, too.
func (s *Builder) Legacy() *StreamBuilder {
	const name = "legacy"
	s = s.here()
	for i, st := range s.b.Streams {
		if st.Name == name {
			return &StreamBuilder{s, int32(i)}
		}
	}
	id := s.b.stream(name)
	s.b.Streams[id].Kind = Legacy
	return &StreamBuilder{s, id}
}

// Fork lets the streams begin after what main has so far: main records an event, and each of them waits for it.
func (s *Builder) Fork(streams ...*StreamBuilder) { s.Main().Fork(streams...) }

// Join lets main go on once the streams have finished: each records an event, for which main waits.
func (s *Builder) Join(streams ...*StreamBuilder) { s.Main().Join(streams...) }

// SyncContext lets the host wait until the device is idle.
func (s *Builder) SyncContext() *CallBuilder {
	s = s.here()
	return s.call(SyncContext, None, None)
}

// SyncEvent lets the host wait for an event.
func (s *Builder) SyncEvent(e Event) *CallBuilder {
	s = s.here()
	return s.call(SyncEvent, None, s.eventOf(e, "sync"))
}

// QueryEvent asks whether an event has happened.
func (s *Builder) QueryEvent(e Event) *CallBuilder {
	s = s.here()
	return s.call(QueryEvent, None, s.eventOf(e, "query"))
}

func (s *Builder) call(v Verb, stream, event int32) *CallBuilder {
	s.b.add(v, stream, event, None)
	return &CallBuilder{s, len(s.b.Issue) - 1}
}

// Event is one that a stream of the schedule records. The zero value is none.
type Event struct {
	of *Builder
	id int32
}

// eventOf is the id of an event, which must be of this schedule.
func (s *Builder) eventOf(e Event, verb string) int32 {
	if e.of != s {
		s.fail("one that Record of this schedule gave", "%s: an event of another schedule, or none", verb)
		return None
	}
	return e.id
}

// fresh is a new event that gets a name at the end: kind and a number.
func (s *Builder) fresh(kind string) int32 {
	e := s.b.event("")
	s.unnamed = append(s.unnamed, unnamed{e, kind})
	return e
}
