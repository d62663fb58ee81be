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
			s.ops[i].issued, s.ops[i].queue, s.ops[i].priority = true, int(schedule.None), s.p.Streams[in.Stream.Index()].Priority
		}
	}
	return true
}

// queueFor is that of the op before in the stream, while it has not ended; or else the one in which the fewest ops
// wait, of these the one with the fewest that have not ended, of these the first.
func (s *stepped) queueFor(op int) int {
	for i := op - 1; i >= 0; i-- {
		if o := &s.ops[i]; o.queue != int(schedule.None) && o.stream == s.ops[op].stream {
			if !o.ended {
				return o.queue
			}
			break
		}
	}
	best, least := 0, [2]int{len(s.ops), len(s.ops)}
	for q := range s.m.Connections {
		waiting, live, held := 0, 0, false
		for i := range op {
			if o := &s.ops[i]; o.queue != q || o.ended {
				continue
			}
			live++
			if s.ops[i].started {
				continue
			}
			held = held || s.ops[i].arrived || !s.ready(i)
			if held {
				waiting++
			}
		}
		if waiting < least[0] || waiting == least[0] && live < least[1] {
			best, least = q, [2]int{waiting, live}
		}
	}
	return best
}

// ready says whether all that an op waits for has ended.
func (s *stepped) ready(i int) bool {
	for _, pred := range s.preds(int32(i)) {
		if !s.ops[pred].ended {
			return false
		}
	}
	return true
}

// arrives says whether an op is ready for the first time now.
func (s *stepped) arrives(i int) bool {
	o := &s.ops[i]
	if o.arrived || !o.issued {
		return false
	}
	o.arrived = s.ready(i)
	return o.arrived
}

// serve starts what can on lines, then all kernels that can, and again, as long as anything starts.
func (s *stepped) serve() {
	for any := true; any; {
		any = false
		for _, kind := range []schedule.Kind{schedule.Host, schedule.H2D, schedule.D2H} {
			s.look()
			if i := s.first(func(i int) bool { return s.op(i).Kind == kind }); i >= 0 && !s.uses(kind) {
				s.begin(i)
				any = true
			}
		}
		for s.startKernel() {
			any = true
		}
	}
}

func (s *stepped) startKernel() bool {
	s.look()
	i := s.first(func(i int) bool { return s.op(i).Kind < schedule.Host })
	if i < 0 || !s.fits(i) {
		return false
	}
	s.begin(i)
	return true
}

// look finds the ops whose turn has come.
func (s *stepped) look() {
	for i := range s.ops {
		o := &s.ops[i]
		if o.eligible || !o.arrived {
			continue
		}
		o.eligible, o.since = true, s.t
		for j := range i { // ops are numbered in the order of issue
			if o.queue != int(schedule.None) && s.ops[j].queue == o.queue && !s.ops[j].started {
				o.eligible = false
			}
		}
	}
}

// first is the op of those that is to start next, if it can; -1 when none is eligible.
func (s *stepped) first(among func(i int) bool) int {
	best := -1
	for i := range s.ops {
		if !s.ops[i].eligible || s.ops[i].started || !among(i) {
			continue
		}
		switch o := s.ops[i]; {
		case best < 0:
			best = i
		case s.op(i).Kind < schedule.Host && o.priority != s.ops[best].priority:
			if o.priority < s.ops[best].priority {
				best = i
			}
		case o.since < s.ops[best].since:
			best = i
		}
	}
	return best
}

func (s *stepped) uses(kind schedule.Kind) bool {
	for i := range s.ops {
		if s.running(i) && s.op(i).Kind == kind {
			return true
		}
	}
	return false
}

// fits says whether a kernel fits: shares are in hundredths of an SM.
func (s *stepped) fits(i int) bool {
	held := int64(0)
	for j := range s.ops {
		if (j == i || s.running(j)) && s.op(j).Kind < schedule.Host {
			held += max(1, int64(s.op(j).SMs)*int64(s.m.SMs))
		}
	}
	return held <= 100*int64(s.m.SMs)
}

func (s *stepped) begin(i int) {
	s.change(i)
	s.ops[i].started, s.ops[i].start, s.ops[i].done = true, s.t, 0
}
