package sim

import "github.com/gpu-overlap/overlap/schedule"

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
