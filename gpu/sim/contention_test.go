package sim

import (
	"fmt"
	"strings"

	"github.com/gpu-overlap/overlap/order"
	"github.com/gpu-overlap/overlap/schedule"
)

// stepped is the slow, obvious twin of the machine without costs: it goes through time in steps of 1 ns and looks at
// each of them, from all ops afresh, at what ends, what the host calls, and what starts.
type stepped struct {
	p     *schedule.Program
	m     Machine
	preds func(op int32) []int32
	t     int64

	ops     []steppedOp
	call    int   // the next call of the Body
	at      int64 // when it is made, unless the host is held
	held    int32 // the op that holds the host; None when none does
	changed int64 // when the set of ops that use bandwidth last changed
}

type steppedOp struct {
	issued, arrived, eligible, started, ended bool

	since, start, end int64 // eligible since; start and end
	done              int64 // progress when the users of bandwidth last changed
	queue             int   // None for one that shares no connection
	stream            int32 // when it does
	priority          int32
}

func step(p *schedule.Program, m Machine) string {
	s := &stepped{p: p, m: m, held: schedule.None, at: int64(p.HostDelay)}
	s.preds = order.Of(p).Preds
	if len(p.Graphs) > 0 {
		s.preds = s.predsInGraph
	}
	s.ops = make([]steppedOp, len(p.Intent.Ops))
	for s.left() {
		for s.ends() {
		}
		s.serve()
		for s.calls() {
		}
		s.serve()
		for i := range s.ops { // in the order of issue: each takes what is free
			if s.arrives(i) {
				s.serve()
			}
		}
		s.t++
	}
	var b strings.Builder
	for _, o := range s.ops {
		fmt.Fprintf(&b, "%d-%d ", o.start, o.end)
	}
	return b.String()
}

// predsInGraph has the copies of pageable memory among the roots go first.
func (s *stepped) predsInGraph(op int32) []int32 {
	o := order.Of(s.p)
	preds := o.Preds(op)
	if len(preds) > 0 || s.op(int(op)).Pageable {
		return preds
	}
	for i := range s.ops {
		if s.op(i).Pageable && len(o.Preds(int32(i))) == 0 {
			preds = append(preds, int32(i))
		}
	}
	return preds
}

func (s *stepped) left() bool {
	for _, o := range s.ops {
		if !o.ended {
			return true
		}
	}
	return false
}

func (s *stepped) op(i int) *schedule.Op { return &s.p.Intent.Ops[i] }

// bandwidth is what an op uses while it runs.
func (s *stepped) bandwidth(i int) int64 {
	if s.op(i).Kind.Copies() || s.op(i).Kind == schedule.Host {
		return 0
	}
	return int64(s.op(i).Bandwidth)
}

func (s *stepped) running(i int) bool { return s.ops[i].started && !s.ops[i].ended }

// progress is how much of an op is done by now.
func (s *stepped) progress(i int) int64 {
	if s.bandwidth(i) == 0 {
		return s.t - s.ops[i].start
	}
	sum := int64(0)
	for j := range s.ops {
		if s.running(j) {
			sum += s.bandwidth(j)
		}
	}
	return s.ops[i].done + (s.t-s.changed)*100/max(100, sum)
}

// change keeps the progress of all, before one more uses bandwidth or one less.
func (s *stepped) change(i int) {
	if s.bandwidth(i) == 0 {
		return
	}
	var done []int64
	for j := range s.ops {
		done = append(done, s.progress(j))
	}
	for j := range s.ops {
		if s.running(j) {
			s.ops[j].done = done[j]
		}
	}
	s.changed = s.t
}

func (s *stepped) ends() bool {
	any := false
	for i := range s.ops {
		if s.running(i) && s.progress(i) >= int64(s.op(i).Dur) {
			s.change(i)
			s.ops[i].ended, s.ops[i].end, any = true, s.t, true
		}
	}
	return any
}

// calls lets the host make its next call.
func (s *stepped) calls() bool {
	if s.held != schedule.None {
		if !s.ops[s.held].ended {
			return false
		}
		s.held, s.at = schedule.None, s.t+int64(s.p.HostDelay)
	}
	if s.call == len(s.p.Body) || s.at > s.t {
		return false
	}
	in := s.p.Body[s.call]
	s.call++
	s.at += int64(s.p.HostDelay)
	switch in.Verb {
	case schedule.Launch, schedule.Copy, schedule.HostFunc:
		o := &s.ops[in.Op.Index()]
		o.issued, o.queue, o.priority = true, int(schedule.None), s.p.Streams[in.Stream.Index()].Priority
		if in.Verb != schedule.HostFunc && s.m.Connections > 0 {
			o.stream = in.Stream.Index()
			o.queue = s.queueFor(int(in.Op.Index()))
		}
		if s.m.LaunchBlocking || s.op(int(in.Op.Index())).HoldsHost() {
			s.held = in.Op.Index()
		}
	case schedule.Replay:
		for i := range s.ops {
			s.ops[i].issued, s.ops[i].queue, s.ops[i].priority = true, int(schedule.None),
				s.p.Streams[in.Stream.Index()].Priority
		}
	}
	return true
}
