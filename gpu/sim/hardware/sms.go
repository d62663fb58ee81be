package hardware

import "slices"

// sms are the streaming multiprocessors, as one pool of units, 100 for each: so that a per cent of the device is a
// whole number of units. A kernel holds its share for its whole duration; one of one block takes a single unit,
// because many such blocks share an SM (L20; assumed are a hundred, a GPU's limit is 32, or less where they need many
// registers).
//
// Kernels that are ready are served by priority, then in the order in which they became ready, then of issue. One
// starts only when it fits wholly; until then it holds back the others of its priority and those of a lower one
// (L21). That is simpler than a GPU, which places the blocks of the first kernel one by one as SMs free up; only
// kernels of several waves are placed so (waves.go). Nothing is preempted.
//
// No more kernels run at once than the machine says (L4): single works as well as nodes of a graph.
type sms struct {
	free    int64
	running int                 // kernels
	waiting [numPriorities]heap // by priority, the most urgent first
	grids   []grid              // kernels of several waves that have started and are not through
}

// numPriorities are those from -5 to 0, to which the driver clamps (S9).
const numPriorities = 6

// Clamped is the priority that a stream gets which asks for one.
func Clamped(priority int32) int8 { return int8(min(0, max(1-numPriorities, priority))) }

func (s *sms) reset(units int64) {
	s.free, s.running, s.grids = units, 0, s.grids[:0]
	for i := range s.waiting {
		s.waiting[i] = s.waiting[i][:0]
	}
}

// enter lets a kernel wait for room.
func (s *sms) enter(ready happening, priority int8) {
	s.waiting[numPriorities-1+int(priority)].push(ready)
}

// next is where the most urgent kernels wait; nil when none does.
func (s *sms) next() *heap {
	for i := range s.waiting {
		if len(s.waiting[i]) > 0 {
			return &s.waiting[i]
		}
	}
	return nil
}

// full says whether no further kernel may run of those that a machine runs at once at most; 0: of any number. Those of
// several waves do not count (not measured): so each can go on.
func (s *sms) full(most int) bool { return most > 0 && s.running-len(s.grids) >= most }

// grid is a kernel of several waves that has started; nil when it has not, or is another kernel.
func (s *sms) grid(id int32) *grid {
	for i := range s.grids {
		if s.grids[i].work == id {
			return &s.grids[i]
		}
	}
	return nil
}

// begin starts a kernel of several waves, which holds so many units in all, one after the other.
func (s *sms) begin(id int32, units int64) *grid {
	s.grids = append(s.grids, grid{work: id, left: units})
	s.running++
	return &s.grids[len(s.grids)-1]
}

// end takes out a kernel of several waves.
func (s *sms) end(id int32) {
	s.grids = slices.DeleteFunc(s.grids, func(g grid) bool { return g.work == id })
}
