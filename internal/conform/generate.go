// Package conform holds two devices against each other, and one against the rules, on random programs of driver calls:
// valid ones and misuse, each from a seed.
//
// Generate makes a program, Compare finds where two devices differ, Faults where one breaks a rule that holds whatever
// the device, and Shrink makes the program smaller as long as that stays so. Everything is a function of its arguments.
package conform

import (
	"fmt"
	"math/rand/v2"

	"github.com/gpu-overlap/overlap/schedule"
)

// What a program has at most.
const (
	maxStreams = 6
	maxEvents  = 4
	maxCalls   = 40
)

// Generate gives the program of a seed: up to 6 streams, the legacy stream among them, up to 4 events, and up to 40
// calls of up to 3 threads. Without misuse, which two of three programs have once or twice, all calls succeed, but for
// queries of what still runs.
//
// All calls stand in the Body; none is wanted to give a certain code. One program in 16 copies, others never: on a GPU
// a copy is stamped by kernels before and after it.
func Generate(seed uint64) *schedule.Program { return generate(seed, (*generator).misuse) }

func generate(seed uint64, breakIt func(*generator)) *schedule.Program {
	g := newGenerator(seed)
	for len(g.calls) < g.length {
		g.segment()
	}
	g.calls = g.calls[:min(len(g.calls), maxCalls)]
	breakIt(g)
	p, err := Parse(g.text())
	if err != nil { // every line is of the language
		panic(fmt.Sprintf("seed %d: %v", seed, err))
	}
	p.Name = fmt.Sprintf("random %d", seed)
	return p
}

// generator remembers of what it wrote as much as it needs to go on with calls that succeed.
type generator struct {
	r       *rand.Rand
	length  int
	calls   []call
	thread  int
	threads int
	copies  bool

	streams []stream // the first is main, the legacy stream
	events  []holds
	ops     int
	graphs  []graphState
	active  []*capture // under way
}

// call is a line, and the thread that it is made by.
type call struct {
	thread int
	text   string
}

type stream struct {
	name     string
	blocking bool
	priority int
	late     bool // created by a call of the program
	alive    bool
	capture  *capture // nil when it does not capture
}

// holds is what an event holds.
type holds uint8

const (
	nothing holds = iota
	works         // a point among works that are issued
	nodes         // a point in a capture
)

type graphState struct{ captured, ready bool }

// capture is one that is under way.
type capture struct {
	origin   int
	thread   int
	mode     string
	members  []int
	open     map[int]bool // members whose work the origin has not joined
	blocking bool
}

func newGenerator(seed uint64) *generator {
	g := &generator{r: rand.New(rand.NewPCG(seed, 0x6f7665726c6170))}
	g.length = 6 + g.r.IntN(maxCalls-12)
	g.threads = 1 + max(0, g.r.IntN(5)-2)
	g.copies = g.r.IntN(16) == 0
	g.streams = []stream{{name: "main", blocking: true, alive: true}}
	for i := range 2 + g.r.IntN(maxStreams-2) {
		s := stream{name: fmt.Sprintf("s%d", i), alive: true}
		if s.blocking = g.r.IntN(4) == 0; s.blocking {
			s.name = fmt.Sprintf("b%d", i)
		}
		if g.r.IntN(8) == 0 {
			s.priority = -1 - g.r.IntN(3)
		}
		if i > 1 && g.r.IntN(6) == 0 {
			s.late, s.alive = true, false
		}
		g.streams = append(g.streams, s)
	}
	g.events = make([]holds, 1+g.r.IntN(maxEvents))
	g.graphs = make([]graphState, 2)
	return g
}

// chance is true in percent of a hundred cases.
func (g *generator) chance(percent int) bool { return g.r.IntN(100) < percent }

// pick is a random element of a list that is not empty.
func pick[T any](g *generator, list []T) T { return list[g.r.IntN(len(list))] }

func (g *generator) say(format string, args ...any) {
	g.calls = append(g.calls, call{g.thread, fmt.Sprintf(format, args...)})
}

// op is a new op: a kernel of 20 to 200 us, now and then a host function, or a copy.
func (g *generator) op() string {
	kind, size := "computation", ""
	switch n := g.r.IntN(20); {
	case n == 0:
		kind = "host"
	case n < 6:
		kind = "communication"
	case n == 6 && g.copies:
		kind, size = "h2d", " 64KiB"
	case n == 7 && g.copies:
		kind, size = "d2h", " 64KiB"
	}
	g.ops++
	return fmt.Sprintf("%s K%d %dus%s", kind, g.ops-1, 10*(2+g.r.IntN(19)), size)
}

// where lists the streams that a condition holds for.
func (g *generator) where(is func(*stream) bool) (list []int) {
	for i := range g.streams {
		if is(&g.streams[i]) {
			list = append(list, i)
		}
	}
	return list
}
