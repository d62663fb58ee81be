package schedule

import "time"

// StreamBuilder is a stream of a Builder: what it is given to do is issued on it in that order.
type StreamBuilder struct {
	s  *Builder
	id int32
}

// ready gives the stream itself, or, of none, one of a schedule that nobody gets.
func (st *StreamBuilder) ready() *StreamBuilder {
	if st == nil || st.s == nil {
		return (*Builder)(nil).Stream("none")
	}
	return st
}

// name is that of the stream, for messages.
func (st *StreamBuilder) name() string { return st.s.b.Streams[st.id].Name }

// Blocking makes the stream one for which work on the legacy stream is a barrier.
func (st *StreamBuilder) Blocking() *StreamBuilder {
	st = st.ready()
	if kind := &st.s.b.Streams[st.id].Kind; kind.Created() {
		*kind = Blocking
	} else {
		st.s.here()
		st.s.fail("a stream that Stream made", "%s cannot be blocking", st.name())
	}
	return st
}

// Priority of the stream: smaller is more urgent, 0 is the default.
func (st *StreamBuilder) Priority(n int) *StreamBuilder {
	st = st.ready()
	if n < -MaxPriority || n > MaxPriority || st.id == Origin {
		st.s.here()
		st.s.fail("−100 to 100, of a stream that Stream made", "stream %s: priority %d", st.name(), n)
		return st
	}
	st.s.b.Streams[st.id].Priority = int32(n)
	return st
}

// Computation issues a kernel on the compute engine that takes d, alone on an idle device.
func (st *StreamBuilder) Computation(name string, d time.Duration) *OpBuilder {
	return st.op(Op{Name: name, Kind: Computation, Dur: d})
}

// Communication issues a kernel on the link engine.
func (st *StreamBuilder) Communication(name string, d time.Duration) *OpBuilder {
	return st.op(Op{Name: name, Kind: Communication, Dur: d})
}

// Host issues a host function, which the device waits for.
func (st *StreamBuilder) Host(name string, d time.Duration) *OpBuilder {
	return st.op(Op{Name: name, Kind: Host, Dur: d})
}

// H2D issues a copy of so many bytes from pinned memory of the host to the device.
func (st *StreamBuilder) H2D(name string, d time.Duration, bytes int64) *OpBuilder {
	return st.op(Op{Name: name, Kind: H2D, Dur: d, Bytes: bytes})
}

// D2H issues a copy of so many bytes from the device to pinned memory of the host.
func (st *StreamBuilder) D2H(name string, d time.Duration, bytes int64) *OpBuilder {
	return st.op(Op{Name: name, Kind: D2H, Dur: d, Bytes: bytes})
}

func (st *StreamBuilder) op(op Op) *OpBuilder {
	st = st.ready()
	s := st.s
	s.here()
	if op.Bytes > MaxBytes {
		s.fail("at most 64GiB", "op %s: a copy of %d bytes", op.Name, op.Bytes)
	}
	if op.Dur > MaxOp {
		s.fail("at most 1h", "op %s: duration %v", op.Name, op.Dur)
	}
	op.Line, op.Kernel = s.b.line, s.b.kernel
	id := int32(len(s.b.Intent.Ops))
	s.b.Intent.Ops = append(s.b.Intent.Ops, op)
	s.ops = append(s.ops, "")
	s.b.launch(st.id, id)
	return &OpBuilder{s, id, len(s.b.Issue) - 1}
}

// Record records an event on the stream: the one of that name, again if it was recorded before, or else a new one.
func (st *StreamBuilder) Record(name ...string) Event {
	st = st.ready()
	s := st.s
	s.here()
	e := None
	switch {
	case len(name) > 1:
		s.fail("one", "%s: record of %d names", st.name(), len(name))
	case len(name) == 1 && name[0] == "":
		s.fail("one", "%s: record of an event without a name", st.name())
	case len(name) == 0:
		e = s.fresh("e")
	default:
		var ok bool
		if e, ok = s.named[name[0]]; !ok {
			e = s.b.event(name[0])
			s.named[name[0]] = e
		}
	}
	s.b.add(Record, st.id, e, None)
	return Event{s, e}
}

// Wait lets what the stream is given from here on wait for the event, as it was recorded last.
func (st *StreamBuilder) Wait(e Event) *CallBuilder {
	st = st.ready()
	st.s.here()
	return st.s.call(Wait, st.id, st.s.eventOf(e, st.name()+": wait"))
}

// Sync lets the host wait for the stream.
func (st *StreamBuilder) Sync() *CallBuilder {
	st = st.ready()
	st.s.here()
	return st.s.call(SyncStream, st.id, None)
}

// Query asks whether the stream is idle.
func (st *StreamBuilder) Query() *CallBuilder {
	st = st.ready()
	st.s.here()
	return st.s.call(QueryStream, st.id, None)
}

// Fork lets other streams begin after what this one has so far.
func (st *StreamBuilder) Fork(streams ...*StreamBuilder) {
	st = st.ready()
	st.s.here()
	if ids, ok := st.others("fork", streams); ok {
		st.s.unnamed = append(st.s.unnamed, unnamed{st.s.b.fork(st.id, ids), "fork"})
	}
}

// Join lets this stream go on once the others have finished.
func (st *StreamBuilder) Join(streams ...*StreamBuilder) {
	st = st.ready()
	s := st.s
	s.here()
	if ids, ok := st.others("join", streams); ok {
		first := len(s.b.Events)
		s.b.join(st.id, ids)
		for e := first; e < len(s.b.Events); e++ {
			s.unnamed = append(s.unnamed, unnamed{int32(e), "join"})
		}
	}
}

// others are the streams of a fork or join: at least one, each once, and none this one.
func (st *StreamBuilder) others(verb string, streams []*StreamBuilder) (ids []int32, ok bool) {
	if len(streams) == 0 {
		st.s.fail("at least one", "%s: %s of no streams", st.name(), verb)
		return nil, false
	}
	seen := map[int32]bool{}
	for _, other := range streams {
		switch {
		case other == nil || other.s != st.s:
			st.s.fail("one that Stream of this schedule gave", "%s: %s of a stream of another schedule, or none",
				st.name(), verb)
			return nil, false
		case other.id == st.id:
			st.s.fail("other streams", "%s: %s of the stream by itself", st.name(), verb)
			return nil, false
		case seen[other.id]:
			st.s.fail("it once", "%s: %s of stream %s twice", st.name(), verb, other.name())
			return nil, false
		}
		seen[other.id] = true
		ids = append(ids, other.id)
	}
	return ids, true
}
