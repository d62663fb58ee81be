// Package rules is the slow and obvious reading of what driver calls impose. It goes through the calls of a program
// once, in the order in which the host makes them, and carries along, for each stream, each event and the host, the set
// of all works that are over at that point. What a call enqueues comes after that set, and joins it.
//
// It is an oracle: tests and internal/conform hold package order and the devices against it. So it rests on the model
// in package schedule alone, shares no code with what it is to judge, and no other code that is not a test may use it.
package rules

import (
	"github.com/gpu-overlap/overlap/schedule"
)

// Follow goes through the Body of a program, given the codes of its calls; nil: all succeed. Of the Setup only what it
// creates and destroys is known here.
func Follow(p *schedule.Program, codes []schedule.Code) *Run {
	f := &follower{Run: &Run{Ends: make([]*Capture, len(p.Body))}, p: p, streams: make([]stream, len(p.Streams)),
		events: make([]event, len(p.Events)), graphs: make([]*Capture, len(p.Graphs)),
		execs: make([]*exec, len(p.Graphs))}
	for _, in := range p.Setup {
		f.handle(in)
	}
	for i, in := range p.Body {
		code := schedule.Success
		if codes != nil {
			code = codes[i]
		}
		if in.Verb == schedule.EndCapture {
			f.end(i, in, code)
		} else if code == schedule.Success {
			f.call(i, in)
		}
	}
	return f.Run
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
