package rules

import "github.com/gpu-overlap/overlap/schedule"

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
