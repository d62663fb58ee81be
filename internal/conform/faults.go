package conform

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/internal/rules"
	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/schedule/text"
)

// Faults finds what breaks a rule that holds on every device, given the codes that the calls gave:
//
//   - an op runs when, and only when, a call that succeeded issues it, and starts after all that it must wait for, give or take
//     slack;
//   - no engine of the hardware runs more at once than it can;
//   - a capture ends well only when its origin has joined all nodes, and is not called unjoined then;
//   - what it gives has no cycle, and its edges order the nodes as its calls do, no more and no less.
//
// Where Seen says when calls were made, the device is one without costs: what nothing contends with starts at the very
// nanosecond at which the last of what it waits for ends.
func Faults(p *schedule.Program, s *Seen, slack time.Duration) (faults []string) {
	faults = engines(p, s, slack)
	run := rules.Follow(p, s.Codes)
	if run.Unknown {
		return faults
	}
	faults = append(faults, ran(p, s, run.Works)...)
	faults = append(faults, times(p, s, run.Works, slack)...)
	for i, c := range run.Ends {
		if c == nil {
			continue
		}
		fault := ""
		switch code := s.Codes[i]; {
		case code == schedule.Success && !c.Joined, code == schedule.CaptureUnjoined && c.Joined:
			fault = fmt.Sprintf("%s, though what its calls joined says otherwise", code)
		case code == schedule.Success && s.Graphs != nil:
			fault = ordersAs(s.Graphs[i], c)
		}
		if fault != "" {
			faults = append(faults, fmt.Sprintf("call %d, %s: %s", i, text.Describe(p, p.Body[i]), fault))
		}
	}
	return faults
}

// ran compares the ops that ran with those that were issued.
func ran(p *schedule.Program, s *Seen, works []rules.Work) (faults []string) {
	issued, unseen := make([]bool, len(p.Intent.Ops)), make([]bool, len(p.Intent.Ops))
	for _, w := range works {
		issued[w.Op] = true
		unseen[w.Op] = unseen[w.Op] || stampless(p, w)
	}
	for op, was := range issued {
		if !unseen[op] && was != s.Spans[op].Ran {
			faults = append(faults, fmt.Sprintf("op %s: issued: %v, ran: %v", p.Intent.Ops[op].Name, was,
				s.Spans[op].Ran))
		}
	}
	return faults
}

// stampless says whether a work is a copy in a graph, which leaves no stamp: its span is not known.
func stampless(p *schedule.Program, w rules.Work) bool {
	return p.Body[w.Call].Verb == schedule.Replay && p.Intent.Ops[w.Op].Kind.Copies()
}

// times compares the start of each work whose span is known with what it waits for. Known is the span of the latest
// work of an op, when it comes after all others of the op.
func times(p *schedule.Program, s *Seen, works []rules.Work, slack time.Duration) (faults []string) {
	latest := map[int32]int{}
	for i, w := range works {
		latest[w.Op] = i
	}
	end, known := make([]time.Duration, len(works)), make([]bool, len(works))
	for i, w := range works {
		var ready time.Duration
		exact := s.Issued != nil
		if exact {
			ready = s.Issued[w.Call]
		}
		for b := range w.All {
			exact = exact && known[b]
			if known[b] {
				ready = max(ready, end[b])
			}
		}
		op, span := &p.Intent.Ops[w.Op], s.Spans[w.Op]
		switch {
		case stampless(p, w):
			continue
		case latest[w.Op] != i: // its span is another's
			end[i], known[i] = ready+op.Dur, exact && alone(op) && !crowded(p)
			continue
		case racing(works, i), !span.Ran:
			continue
		case span.Start < ready-slack:
			faults = append(faults, fmt.Sprintf("op %s starts at %v, before what it waits for has ended, at %v",
				op.Name, span.Start, ready))
		case exact && span.Start > ready && !busy(p, s, works, w.Op):
			faults = append(faults, fmt.Sprintf("op %s starts at %v, though nothing holds it back after %v", op.Name,
				span.Start, ready))
		}
		end[i], known[i] = span.End, span.Ran
	}
	return faults
}

// racing says whether a work is not ordered with an earlier one of its op: either may be the last to end.
func racing(works []rules.Work, i int) bool {
	for b := range works[:i] {
		if works[b].Op == works[i].Op && !works[i].All[b] {
			return true
		}
	}
	return false
}

// alone says whether nothing contends with an op: a kernel of one block.
func alone(op *schedule.Op) bool {
	return op.Kind != schedule.Host && !op.Kind.Copies() && op.SMs == 0 && op.Bandwidth == 0
}

// crowded says whether kernels contend: even one of one block waits behind one that does not fit yet.
func crowded(p *schedule.Program) bool {
	return slices.ContainsFunc(p.Intent.Ops, func(op schedule.Op) bool { return op.SMs > 0 || op.Bandwidth > 0 })
}

// busy says whether what an op needs may have been taken until it started: by an op that ended then, or by a run that
// is not known.
func busy(p *schedule.Program, s *Seen, works []rules.Work, op int32) bool {
	kind := p.Intent.Ops[op].Kind
	if kind != schedule.Host && crowded(p) { // a copy, too: it is stamped by kernels
		return true
	}
	if kind < schedule.Host {
		return false
	}
	runs := make([]int, len(p.Intent.Ops))
	for _, w := range works {
		runs[w.Op]++
		if p.Intent.Ops[w.Op].Kind == kind && (stampless(p, w) || runs[w.Op] > 1 ||
			s.Spans[w.Op].End == s.Spans[op].Start) {
			return true
		}
	}
	return false
}

// engines looks for an instant at which more runs than can: two host functions, or more than all the SMs.
func engines(p *schedule.Program, s *Seen, slack time.Duration) (faults []string) {
	for at := range p.Intent.Ops {
		if !s.Spans[at].Ran {
			continue
		}
		sms, same := int32(0), 0
		for o := range p.Intent.Ops {
			if !s.Spans[o].Ran || s.Spans[o].Start > s.Spans[at].Start || s.Spans[o].End <= s.Spans[at].Start+slack {
				continue
			}
			sms += p.Intent.Ops[o].SMs
			if p.Intent.Ops[o].Kind == p.Intent.Ops[at].Kind {
				same++
			}
		}
		op := &p.Intent.Ops[at]
		if same > 1 && op.Kind == schedule.Host { // of a copy the span is longer: it is stamped by kernels around it
			faults = append(faults, fmt.Sprintf("op %s is one of %d that run at once on engine %s, which runs one",
				op.Name, same, op.Kind))
		}
		if sms > 100 {
			faults = append(faults, fmt.Sprintf("when op %s starts, grids hold %d %% of the SMs", op.Name, sms))
		}
	}
	return faults
}

// ordersAs says how a graph differs from what was taken: "" when a node comes after exactly those that the calls say.
func ordersAs(g *graph.Graph, c *rules.Capture) string {
	if g == nil || len(g.Nodes) != len(c.Ops) {
		return fmt.Sprintf("%s; want %d nodes", describe(g), len(c.Ops))
	}
	before, cyclic := closure(g)
	if cyclic {
		return "a cycle: " + describe(g)
	}
	for i := range before {
		if want := c.Past[i].All; !maps.Equal(before[i], want) && len(before[i])+len(want) > 0 {
			return fmt.Sprintf("node %d comes after %v; want %v", i, before[i], want)
		}
	}
	return ""
}

// closure gives for each node all that come before it: it adds what comes before these, until nothing changes.
func closure(g *graph.Graph) (before []rules.Set, cyclic bool) {
	before = make([]rules.Set, len(g.Nodes))
	for i := range before {
		before[i] = rules.Set{}
	}
	for changed := true; changed; {
		changed = false
		for _, e := range g.Edges {
			n := len(before[e.To])
			before[e.To][int(e.From)] = true
			maps.Copy(before[e.To], before[e.From])
			changed = changed || len(before[e.To]) > n
		}
	}
	for i := range before {
		cyclic = cyclic || before[i][i]
	}
	return before, cyclic
}
