package rules

import "github.com/gpu-overlap/overlap/schedule"

// The state of the rules, in the words of the driver.
type (
	stream struct {
		past    Past     // of works
		capture *Capture // nil when it does not capture
		nodes   Past     // likewise of nodes, while it captures
	}
	event struct {
		recorded bool
		capture  *Capture // that it was recorded in; nil when it was recorded outside
		past     Past     // of works, or of the nodes of that capture
	}
	follower struct {
		*Run
		p       *schedule.Program
		streams []stream
		events  []event
		graphs  []*Capture
		execs   []*exec
		host    Past // what the host has waited for
		barrier Past // what blocking streams wait for: all up to the latest work of the legacy stream
		gone    Past // works of blocking streams that were destroyed: the legacy stream waits for them
		free    Past // works of other streams that were destroyed
	}
)

// at is the state of a stream. All legacy streams are one, under whatever names.
func (f *follower) at(id int32) *stream {
	for i := range f.p.Streams[:id] {
		if f.legacy(int32(i)) && f.legacy(id) {
			return &f.streams[i]
		}
	}
	return &f.streams[id]
}

func (f *follower) legacy(id int32) bool { return f.p.Streams[id].Kind == schedule.Legacy }

// blocking says whether a stream and the legacy stream wait for one another.
func (f *follower) blocking(id int32) bool {
	return f.p.Streams[id].Kind == schedule.Blocking || f.p.Streams[id].Kind == schedule.PerThread
}

func (f *follower) origin(id int32) bool {
	return id == f.p.Origin || f.legacy(id) && f.legacy(f.p.Origin)
}

// arrive gives what a call on a stream comes after.
func (f *follower) arrive(id int32) Past {
	now := f.at(id).past
	switch {
	case f.legacy(id):
		now = now.and(f.gone)
		for i := range f.streams {
			if f.blocking(int32(i)) {
				now = now.and(f.streams[i].past)
			}
		}
	case f.blocking(id):
		now = now.and(f.barrier)
	}
	now.Origin = now.Origin || f.origin(id)
	return now
}

// leave says what is over on a stream after a call. Only what is enqueued on the legacy stream is a barrier.
func (f *follower) leave(id int32, now Past, enqueued bool) {
	f.at(id).past = now
	if f.legacy(id) && enqueued {
		f.barrier = now
	}
	if f.origin(id) {
		f.Joined = now.and(f.host).All
	}
}

func (f *follower) call(i int, in schedule.Instr) {
	id := in.Stream.Index()
	if id >= 0 && f.p.Streams[id].Kind == schedule.PerThread && in.Thread != 0 {
		f.Unknown = true // each thread has its own
	}
	switch in.Verb {
	case schedule.Launch, schedule.HostFunc, schedule.Copy:
		if s := f.at(id); s.capture != nil {
			s.nodes = s.capture.node(in.Op.Index(), s.nodes)
			return
		}
		f.leave(id, f.work(i, in.Op.Index(), f.arrive(id)), true)
	case schedule.Record:
		f.record(id, &f.events[in.Event.Index()])
	case schedule.Wait:
		f.wait(id, f.events[in.Event.Index()])
	case schedule.QueryStream:
		f.leave(id, f.arrive(id), false)
	case schedule.SyncStream, schedule.SyncEvent, schedule.SyncContext:
		f.sync(id, in)
	case schedule.BeginCapture:
		*f.at(id) = stream{past: f.at(id).past, capture: &Capture{origin: id, members: []int32{id}}}
	case schedule.Instantiate:
		f.instantiate(in.Graph.Index())
	case schedule.Upload:
		f.upload(id, f.execs[in.Graph.Index()])
	case schedule.Replay:
		f.launch(i, id, f.execs[in.Graph.Index()])
	default:
		f.handle(in)
	}
}

// work adds a work, and gives what is over after it.
func (f *follower) work(call int, op int32, past Past) Past {
	f.Works = append(f.Works, Work{Op: op, Call: call, Past: past, Host: f.host})
	return past.then(len(f.Works) - 1)
}

func (f *follower) record(id int32, e *event) {
	if s := f.at(id); s.capture != nil {
		*e = event{recorded: true, capture: s.capture, past: s.nodes}
		return
	}
	now := f.arrive(id)
	f.leave(id, now, true)
	*e = event{recorded: true, past: now}
}

func (f *follower) wait(id int32, e event) {
	s := f.at(id)
	switch {
	case s.capture != nil && e.recorded && e.capture != s.capture:
		f.Unknown = true
	case s.capture != nil:
		s.nodes = s.nodes.and(e.past)
	case e.capture != nil: // a fork
		s.capture, s.nodes = e.capture, e.past
		e.capture.members = append(e.capture.members, id)
	default: // a wait for an event that was never recorded is nothing, no barrier either
		f.leave(id, f.arrive(id).and(e.past), e.recorded)
	}
}

// sync lets the host wait, and all that it issues later with it.
func (f *follower) sync(id int32, in schedule.Instr) {
	switch in.Verb {
	case schedule.SyncStream:
		now := f.arrive(id)
		f.host = f.host.and(now)
		f.leave(id, now, false)
	case schedule.SyncEvent:
		if e := f.events[in.Event.Index()]; e.capture == nil {
			f.host = f.host.and(e.past)
		}
	case schedule.SyncContext:
		f.host = f.host.and(f.gone, f.free)
		for i := range f.streams {
			f.host = f.host.and(f.streams[i].past)
		}
	}
}

// handle creates and destroys: what was issued stays issued.
func (f *follower) handle(in schedule.Instr) {
	switch in.Verb {
	case schedule.DestroyStream:
		id := in.Stream.Index()
		s := f.at(id)
		if f.blocking(id) {
			f.gone = f.gone.and(s.past)
		} else {
			f.free = f.free.and(s.past)
		}
		if s.capture != nil && s.capture.origin == id {
			f.release(s.capture)
		}
		*s = stream{}
	case schedule.CreateEvent, schedule.DestroyEvent:
		f.events[in.Event.Index()] = event{}
	case schedule.CreateStream, schedule.QueryEvent:
	default:
		f.Unknown = true
	}
}
