package sim

import "github.com/gpu-overlap/overlap/schedule"

// sms are the streaming multiprocessors, as one pool of units, 100 for each: so that a per cent of the device is a whole
// number of units. A grid holds its share for its whole duration; a kernel of one block takes a single unit, because many
// such blocks share an SM (assumed: a hundred; a GPU's limit is 32, or less where they need many registers).
//
// Kernels that are ready are served by the priority of their streams, then in the order in which they became ready, then
// of issue. One starts only when it fits wholly; until then it holds back the others of its priority and those of a lower
// one. That is simpler than a GPU, which places the blocks of the first grid one by one as SMs free up; only grids of several
// waves are placed so (waves.go). Nothing is preempted. Nodes of a graph have the priority of the stream that it is launched
// on, or their own when it was instantiated so (measured, both).
//
// No more grids run at once than the machine says (measured on the H200: 128, single works as well as nodes of a graph).
type sms struct {
	free    int64
	running int                 // kernels
	waiting [numPriorities]heap // by priority, the most urgent first
	level   []uint8             // of each stream, in waiting; behind the streams, of each priority
	grids   []waves             // that have started and are not through
}

// numPriorities are those from -5 to 0, to which the driver clamps (documented: silently; measured on the H200).
const numPriorities = 6

// newSMs is nil when kernels never contend: no op holds more than a block or needs bandwidth, each stream has its
// connection, and no more works can be under way than grids may run.
func newSMs(p *schedule.Program, m *Machine, connections bool) *sms {
	contend := connections || m.Grids > 0 && mostAtOnce(p) > m.Grids
	for i := range p.Intent.Ops {
		op := &p.Intent.Ops[i]
		contend = contend || op.SMs > 0 || op.Bandwidth > 0 || op.Waves > 1
	}
	if !contend {
		return nil
	}
	streams := len(p.Streams) + 1 + int(threads(p))
	s := &sms{level: make([]uint8, streams+numPriorities)}
	for i := range s.level {
		s.level[i] = levelOf(0)
		if i < len(p.Streams) && p.Streams[i].Kind.Created() {
			s.level[i] = levelOf(p.Streams[i].Priority)
		}
		if i >= streams {
			s.level[i] = uint8(i - streams)
		}
	}
	return s
}

// mostAtOnce bounds how many works can be under way at once: as many as there are streams, or in a graph that was not
// captured, nodes. Graphs that run beside one another are not added up.
func mostAtOnce(p *schedule.Program) int {
	nodes := 0
	for _, instrs := range [][]schedule.Instr{p.Setup, p.Body} {
		for i := range instrs {
			if instrs[i].Verb == schedule.AddNode {
				nodes++
			}
		}
	}
	return max(len(p.Streams), nodes)
}

// levelOf is where kernels of a priority wait.
func levelOf(priority int32) uint8 { return uint8(numPriorities - 1 + clamped(priority)) }

// clamped is the priority that a stream gets.
func clamped(priority int32) int32 { return min(0, max(1-numPriorities, priority)) }

func (s *sms) reset(m *Machine) {
	s.free, s.running, s.grids = 100*m.sms(), 0, s.grids[:0]
	for i := range s.waiting {
		s.waiting[i] = s.waiting[i][:0]
	}
}

// sms is how many there are: at least one, so that every kernel runs.
func (m *Machine) sms() int64 { return int64(max(1, m.SMs)) }

// units is what a kernel holds.
func (e *engine) units(w *work) int64 {
	if w.op == schedule.None || e.ops[w.op].SMs == 0 {
		return 1
	}
	return int64(e.ops[w.op].SMs) * e.m.sms()
}

// place lets kernels start as long as the next one fits.
func (e *engine) place() {
	for {
		l := e.sms.next()
		if l == nil {
			return
		}
		id := (*l)[0].work
		w := &e.works[id]
		if e.rounds(w) > 1 {
			if !e.placeBlocks(l, id) {
				return
			}
			continue
		}
		units := e.units(w)
		if units > e.sms.free || e.full() {
			return
		}
		l.pop()
		e.sms.free -= units
		e.sms.running++
		e.start(id, e.now)
	}
}

// full says whether no further grid may run. Those of several waves do not count (not measured): so each can go on.
func (e *engine) full() bool { return e.m.Grids > 0 && e.sms.running-len(e.sms.grids) >= e.m.Grids }

// next is where the most urgent kernels wait; nil when none does.
func (s *sms) next() *heap {
	for i := range s.waiting {
		if len(s.waiting[i]) > 0 {
			return &s.waiting[i]
		}
	}
	return nil
}

// levelStream stands, for the nodes of a graph that have priorities of their own, for a stream of that priority.
func (s *sms) levelStream(priority int32) int32 {
	return int32(len(s.level) - numPriorities + int(levelOf(priority)))
}
