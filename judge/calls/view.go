package calls

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/gpu-overlap/overlap/bound"
	"github.com/gpu-overlap/overlap/order"
	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/verdict"
)

// View is a program by its calls: what they impose, and the timetable of that order at nominal durations. It is made once
// by Of and never changed: the checks find nothing in a View that Of did not make.
type View struct {
	Given   *schedule.Program // as it is issued
	Program *schedule.Program // the same, with the calls of its graphs in the place of their launches
	Intent  *schedule.Intent  // of Program: an op that is launched again is an op of its own
	Calls   []schedule.Instr  // that issue the schedule; ops are launched by Order.Call, an index into them
	Order   *order.Order      // that Program imposes
	Dur     []time.Duration   // nominal, by op
	Table   bound.Timetable   // every op as early as Order lets it, at nominal durations
	InTime  []int32           // the ops by their start in Table: what must come first does

	made bool // by Of: the checks find nothing in another
}

// Of looks at a program. of gives, by op of the view's intent, the op of the program's. A program that
// schedule.Program.Validate refuses gives its error, and so does one that launches too many ops to be judged.
func Of(p *schedule.Program) (v *View, of []int32, err error) {
	if err := p.Validate(); err != nil {
		return nil, nil, err
	}
	if ops, streams := launched(p); ops > schedule.MaxOps || ops*streams > mostPairs {
		return nil, nil, fmt.Errorf("%s: %d launches of ops on %d streams, once its graphs are launched; "+
			"want at most %d, and %d for the two multiplied", p.File, ops, streams, schedule.MaxOps, mostPairs)
	}
	inlined, of := order.Inline(p)
	in := p.Intent
	if len(of) > len(in.Ops) {
		in = inlined.Intent
	}
	v = viewOf(in, inlined)
	v.Given = p
	return v, of, nil
}

// mostPairs is how many ops times streams are judged: the order of a program needs as many numbers.
const mostPairs = 1 << 28

// launched is how many ops the program launches when each launch of a graph counts as its own, and on how many streams.
func launched(p *schedule.Program) (ops, streams int) {
	ops, streams = len(p.Intent.Ops), len(p.Streams)
	var launches []schedule.Instr // of graphs
	for i := range p.Body {
		if p.Body[i].Verb == schedule.Replay {
			launches = append(launches, p.Body[i])
		}
	}
	if len(launches) <= 1 {
		return ops, streams
	}
	inGraph, captured := make([]int, len(p.Graphs)), 0
	for i := range p.Setup {
		switch in := &p.Setup[i]; {
		case in.Verb == schedule.BeginCapture:
			captured = 0
		case in.Verb == schedule.EndCapture && in.Graph.Within(len(inGraph)):
			inGraph[in.Graph.Index()] = captured
		case in.Op.Some():
			captured++
		}
	}
	for _, in := range launches[1:] {
		if in.Graph.Within(len(inGraph)) {
			ops, streams = ops+inGraph[in.Graph.Index()], streams+len(p.Streams)
		}
	}
	return ops, streams
}

// viewOf looks at a program whose graphs are inlined.
func viewOf(in *schedule.Intent, p *schedule.Program) *View {
	v := &View{Given: p, Program: p, Intent: in, Calls: order.Issued(p), Order: order.Of(p), Dur: in.Durations(), made: true}
	v.Table = bound.Scheduled(v.Order, v.Dur)
	v.InTime = slices.Compact(byStart(v.Order.Issue, v.Table))
	return v
}

// byStart sorts ops by their start in a timetable, then by id.
func byStart(ops []int32, t bound.Timetable) []int32 {
	sorted := slices.Clone(ops)
	slices.SortFunc(sorted, func(a, b int32) int {
		return cmp.Or(cmp.Compare(t.Start[a], t.Start[b]), cmp.Compare(a, b))
	})
	return sorted
}

// Of says whether the view is of that program, which is then valid.
func (v *View) Of(p *schedule.Program) bool { return v != nil && v.made && v.Given == p }

// Name is the name of an op.
func (v *View) Name(op int32) string {
	if !v.made {
		return "?"
	}
	return v.Intent.NameOf(op)
}

// OpWhere is the place of an op in the case file.
func (v *View) OpWhere(op int32) string {
	if !v.made || op < 0 || int(op) >= len(v.Intent.Ops) {
		return ""
	}
	return v.Given.Where(schedule.Instr{Line: v.Intent.Ops[op].Line})
}

// stream is the stream of the call that launches an op.
func (v *View) stream(op int32) int32 { return v.call(op).Stream.Index() }

// call is the call that launches an op.
func (v *View) call(op int32) schedule.Instr { return v.Calls[v.Order.Call(op)] }

// callWhere is the place of the call that launches an op.
func (v *View) callWhere(op int32) string { return v.Program.Where(v.call(op)) }

// streamName is the name of an op's stream; of the stream that stands for the origin in a capture, the origin's.
func (v *View) streamName(op int32) string {
	stream := v.stream(op)
	if first := v.Calls[0]; first.Verb == schedule.BeginCapture && first.Stream.Is(stream) {
		stream = v.Program.Origin
	}
	return v.Program.Streams[stream].Name
}

// originName is the name of the stream that forks and joins.
func (v *View) originName() string { return v.Given.Streams[v.Given.Origin].Name }

// one is a list of one finding.
func one(f verdict.Finding) []verdict.Finding { return []verdict.Finding{f} }

// decides says whether a finding in the list does.
func decides(found []verdict.Finding) bool {
	return slices.ContainsFunc(found, verdict.Finding.Decides)
}
