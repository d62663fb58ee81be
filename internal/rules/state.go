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
	// exec is a graph that can be launched.
	exec struct {
		*Capture
		past Past // works of its launches so far, and all before them
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

// work adds a work, and gives what is over after it.
func (f *follower) work(call int, op int32, past Past) Past {
	f.Works = append(f.Works, Work{Op: op, Call: call, Past: past, Host: f.host})
	return past.then(len(f.Works) - 1)
}
