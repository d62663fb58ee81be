package bound

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/gpu-overlap/overlap/schedule"
)

// Serial is the time of the ops one after the other; the largest duration where it would overflow.
func Serial(dur []time.Duration) time.Duration {
	var sum time.Duration
	for _, d := range dur {
		if d > 0 && sum > math.MaxInt64-d {
			return math.MaxInt64
		}
		sum += d
	}
	return sum
}

// Ideal is a lower bound that no schedule of the intent can beat: the largest of the longest path over Op.After and the
// bound of each engine (Jackson's preemptive one-machine bound where the capacity is 1).
func Ideal(in *schedule.Intent, dur []time.Duration) time.Duration { return Of(in, dur).Bound }

// Lower is the lower bound Ideal and the constraint that decides it: either a path or an engine.
type Lower struct {
	Bound  time.Duration
	Path   []int32      // a longest path of ops, first to last; nil when an engine decides
	Engine schedule.Ref // the engine that decides; none when a path does

	// Where an engine decides: some of its ops have Work to do, before the first of them at least Head must pass, and
	// behind the last of them Tail. With capacity 1, Bound = Head + Work + Tail; with c, Work / c rounded up.
	Head, Work, Tail time.Duration

	// Hops is how often one op follows another in what decides: along the path, or before, on and behind the engine.
	Hops int
}

// Of finds Ideal and what decides it. Where several do, a path comes before an engine and a lower id before a higher.
// An intent without ops has bound 0; so has one whose ops are after what is no op, and durations that are not what the
// package asks for.
func Of(in *schedule.Intent, dur []time.Duration) Lower {
	net := networkOf(in, dur)
	if net == nil {
		return Lower{}
	}
	lower := Lower{Bound: net.longest()}
	first, ops := net.engines(in)
	var m machine
	for e := range in.Engines {
		l := m.bound(ops[first[e]:first[e+1]], in.Engines[e].Capacity, net.dur, net.head, net.tail)
		if l.bound > lower.Bound {
			lower = Lower{Bound: l.bound, Engine: schedule.At(int32(e)), Head: l.head, Work: l.work, Tail: l.tail}
		}
	}
	if !lower.Engine.Some() {
		lower.Path = net.path()
		lower.Hops = max(0, len(lower.Path)-1)
		return lower
	}
	lower.Hops = net.hops(in, ops[first[lower.Engine.Index()]:first[lower.Engine.Index()+1]], lower)
	return lower
}

// hops counts the ops of an engine that make up its bound, and those on a longest path before and behind them.
func (net *network) hops(in *schedule.Intent, ops []int32, l Lower) int {
	first, last, n := schedule.None, schedule.None, 0
	for _, op := range ops {
		if net.head[op] < l.Head || net.tail[op] < l.Tail {
			continue
		}
		n++
		if net.head[op] == l.Head && (first == schedule.None || op < first) {
			first = op
		}
		if net.tail[op] == l.Tail && (last == schedule.None || op < last) {
			last = op
		}
	}
	c := int(max(in.Engines[l.Engine.Index()].Capacity, 1))
	hops := max(0, (n+c-1)/c-1)
	for ; first != schedule.None && net.head[first] > 0; hops++ {
		at := slices.IndexFunc(in.Ops[first].After,
			func(p int32) bool { return net.head[p]+net.dur[p] == net.head[first] })
		first = in.Ops[first].After[at]
	}
	for ; last != schedule.None && net.tail[last] > 0; hops++ {
		after := net.after(last)
		last = after[slices.IndexFunc(after, func(s int32) bool { return net.dur[s]+net.tail[s] == net.tail[last] })]
	}
	return hops
}

// bound is the bound of an engine of any capacity.
func (m *machine) bound(ops []int32, c int32, dur, head, tail []time.Duration) load {
	if c > 1 {
		return shared(ops, c, dur, head, tail)
	}
	return m.exclusive(ops, dur, head, tail)
}

// maxNamed is how many ops of a path Describe names before it abridges the path.
const maxNamed = 8

// Describe says for a person what decides: "path A0 → B0 → C0" or "engine link: 100ms before, 600ms of work, 0s after".
// A long path is abridged before its last op. What the intent does not have is "?".
func (l Lower) Describe(in *schedule.Intent) string {
	if in == nil {
		in = &schedule.Intent{}
	}
	switch {
	case l.Engine.Some() && !l.Engine.Within(len(in.Engines)):
		return l.describeEngine(schedule.Engine{Name: "?"})
	case l.Engine.Some():
		return l.describeEngine(in.Engines[l.Engine.Index()])
	case len(l.Path) == 0:
		return "nothing"
	}
	var words []string
	for i, op := range l.Path {
		left := len(l.Path) - maxNamed
		if left > 0 && i == maxNamed-1 {
			words = append(words, fmt.Sprintf("… %d more …", left))
		}
		if left <= 0 || i < maxNamed-1 || i == len(l.Path)-1 {
			words = append(words, in.NameOf(op))
		}
	}
	return "path " + strings.Join(words, " → ")
}

func (l Lower) describeEngine(e schedule.Engine) string {
	by := ""
	if e.Capacity > 1 {
		by = fmt.Sprintf(" for %d at once", e.Capacity)
	}
	return fmt.Sprintf("engine %s: %v before, %v of work%s, %v after", e.Name, l.Head, l.Work, by, l.Tail)
}
