package sim

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/order"
	"github.com/gpu-overlap/overlap/schedule"
)

// asap is the slow, obvious twin: repeat until nothing changes that an op starts when its last predecessor has ended.
func asap(p *schedule.Program) []int {
	o := order.Of(p)
	at := make([]int, len(p.Intent.Ops))
	for changed := true; changed; {
		changed = false
		for op := range at {
			for _, pred := range o.Preds(int32(op)) {
				if end := at[pred] + int(p.Intent.Ops[pred].Dur/unit); end > at[op] {
					at[op], changed = end, true
				}
			}
		}
	}
	for _, op := range o.Missing {
		at[op] = -1
	}
	return at
}

// randomBody is up to 30 calls on streams of all kinds.
func randomBody(r *rand.Rand) string {
	streams := []string{"L", "L2", "b0", "b1", "s0", "s1"}
	if r.IntN(3) == 0 {
		streams = streams[4-r.IntN(3):] // few or no blocking streams
	}
	events := []string{"e", "f", "g"}
	var b strings.Builder
	for range 3 + r.IntN(28) {
		s, e := streams[r.IntN(len(streams))], events[r.IntN(len(events))]
		switch r.IntN(5) {
		case 0:
			fmt.Fprintf(&b, "R %s %s;", e, s)
		case 1:
			fmt.Fprintf(&b, "W %s %s;", s, e)
		default:
			fmt.Fprintf(&b, "K %s %d;", s, 1+r.IntN(9))
		}
	}
	return b.String()
}

func TestStartsAgainstOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	waited := 0
	for range 3000 {
		body := randomBody(r)
		p := program(t, "", body)
		got := starts(rep(t, Ideal, p))
		require.Equal(t, asap(p), got, body)
		waited += slices.Max(append(got, 0))
	}
	assert.NotZero(t, waited)
}

// With costs, an op starts at the latest of its issue and its predecessors' ends, each plus what lies between; wherever
// the host synchronizes, and so whether the device has already worked off the predecessors or not.
func TestCostsAgainstOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	held, crowded := 0, 0 // ops that started later than issued; programs with more than two streams
	m := priced
	for range 1000 {
		body := strings.ReplaceAll(randomBody(r), "W s1 e;", "W s1 e; Sy s1; Q b0;")
		p := program(t, "", body)
		got := rep(t, m, p)
		o := order.Of(p)
		stream := make([]string, len(p.Intent.Ops))
		third := time.Duration(0)
		if used := launched(p); len(used) > 2 {
			third = m.ThirdStream
			crowded++
		}
		pending := map[int32]bool{}                         // recorded events: whether they stand for work
		has, waited := map[string]bool{}, map[string]bool{} // streams that have work; that wait for an event
		for i, in := range p.Body {
			name := strings.TrimSuffix(p.Streams[in.Stream.Index()].Name, "2") // L2 is L
			if e, recorded := pending[in.Event.Index()]; in.Verb == schedule.Record || in.Verb == schedule.Wait &&
				recorded {
				has[name] = has[name] || strings.HasPrefix(name, "b") && has["L"] || name == "L" &&
					(has["b0"] || has["b1"])
				if in.Verb == schedule.Record {
					pending[in.Event.Index()] = has[name]
				} else {
					has[name], waited[name] = has[name] || e, waited[name] || e
				}
			}
			if in.Verb == schedule.Launch {
				stream[in.Op.Index()] = name
				issued := got.Issued[i] + m.Calls[schedule.Launch] + m.LaunchToStart
				want := issued
				for _, pred := range o.Preds(in.Op.Index()) {
					gap := m.CrossStream
					if stream[pred] == stream[in.Op.Index()] {
						gap = m.SameStream
						if waited[name] {
							gap += m.Waited
						}
					}
					want = max(want, got.Spans[pred].End+gap+third)
				}
				require.Equal(t, want, got.Spans[in.Op.Index()].Start, "op %d of %s", in.Op.Index(), body)
				has[name], waited[name] = true, false
				if want > issued {
					held++
				}
			}
		}
	}
	assert.Greater(t, held, 1000)
	assert.Greater(t, crowded, 300)
	assert.Less(t, crowded, 1000)
}

// launched are the streams that get ops.
func launched(p *schedule.Program) map[int32]bool {
	used := map[int32]bool{}
	for _, in := range p.Body {
		if in.Verb == schedule.Launch {
			used[in.Stream.Index()] = true
		}
	}
	return used
}

// In a graph, the nodes that wait for the same one start one after the other, in the order of the nodes, and so do
// roots, each of which costs the host.
func TestGraphCostsAgainstOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	m := priced
	forked, rooted := 0, 0
	for range 1000 {
		body := randomCapture(r)
		if r.IntN(2) == 0 { // several roots
			body = strings.Replace(body, "Bg s0;",
				"Bg s0; R k s0; W b0 k; W s1 k; K b0 2; K s1 1; R j s1; W s0 j; R j b0; W s0 j;", 1)
		}
		p := program(t, body, "GL graph s0; Sy s0")
		got := rep(t, m, p)
		o := order.Of(p)
		n := int32(len(p.Intent.Ops))
		rank := func(pred, op int32) (k time.Duration) { // how many ops before op wait for pred too; for nothing, when None
			for other := range op {
				preds := o.Preds(other)
				if slices.Contains(preds, pred) || pred == schedule.None && len(preds) == 0 {
					k++
				}
			}
			return k
		}
		roots := time.Duration(0)
		for op := range n {
			preds := o.Preds(op)
			var want time.Duration
			if len(preds) == 0 {
				want = m.Calls[schedule.Replay] + m.ReplayToStart + roots*m.GraphRoot
				roots++
			}
			for _, pred := range preds {
				k := rank(pred, op)
				want = max(want, got.Spans[pred].End+m.GraphEdge+k*m.GraphFork)
				forked += int(min(k, 1))
			}
			require.Equal(t, want, got.Spans[op].Start, "op %d of %s", op, body)
		}
		rooted += int(min(roots-1, 1))
		require.Equal(t, m.Calls[schedule.Replay]+(roots-1)*m.GraphRoot, got.Issue)
	}
	assert.Greater(t, forked, 300)
	assert.Greater(t, rooted, 300)
}

// randomCapture is a capture of s0 that forks at random; every member is joined at the end.
func randomCapture(r *rand.Rand) string {
	streams, events := []string{"s0", "s1", "b0", "s2", "s3"}, []string{"e", "f", "g", "h"}
	member, held := map[string]bool{"s0": true}, map[string]bool{}
	var b strings.Builder
	b.WriteString("Bg s0;")
	for range 3 + r.IntN(28) {
		s, e := streams[r.IntN(len(streams))], events[r.IntN(len(events))]
		switch {
		case r.IntN(3) == 0 && held[e]:
			fmt.Fprintf(&b, "W %s %s;", s, e)
			member[s] = true
		case !member[s]:
		case r.IntN(2) == 0:
			fmt.Fprintf(&b, "R %s %s;", e, s)
			held[e] = true
		default:
			fmt.Fprintf(&b, "K %s %d;", s, 1+r.IntN(9))
		}
	}
	for _, s := range streams[1:] {
		if member[s] {
			fmt.Fprintf(&b, "R j%s %s; W s0 j%s;", s, s, s)
		}
	}
	b.WriteString("K s0; End s0 graph; Inst graph")
	return b.String()
}

func TestGraphsAgainstOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	widest := 0
	for range 3000 {
		setup := randomCapture(r)
		p := program(t, setup, "GL graph s0; Sy s0")
		run := prepared(t, Ideal, p)
		o := order.Of(p)

		var want []string
		for from := range p.Intent.Ops { // ops are nodes: both are numbered in the order of issue
			for to := range p.Intent.Ops {
				if slices.Contains(o.Preds(int32(to)), int32(from)) {
					want = append(want, fmt.Sprintf("%d>%d", from, to))
				}
			}
		}
		require.Equal(t, strings.Join(want, " "), edges(run.Setup().Graph), setup)
		require.Equal(t, asap(p), starts(rep(t, Ideal, p)), setup)
		widest = max(widest, len(want)-len(p.Intent.Ops))
	}
	assert.Greater(t, widest, 3, "the captures hardly ever join")
}

// Negative control: a dropped wait shows in the twin's comparison.
func TestTwinSeesADroppedWait(t *testing.T) {
	whole := program(t, "", "K s0 3; R e s0; W s1 e; K s1")
	dropped := program(t, "", "K s0 3; R e s0; K s1")
	assert.NotEqual(t, asap(whole), starts(rep(t, Ideal, dropped)))
}
