package calls

import (
	"cmp"
	"slices"
	"time"

	"github.com/gpu-overlap/overlap/bound"
	"github.com/gpu-overlap/overlap/order"
	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/verdict"
)

// View is a program by its calls: what they impose, and the timetable of that order at nominal durations. It is made once
// and never changed.
type View struct {
	Given   *schedule.Program // as it is issued
	Program *schedule.Program // the same, with the calls of its graphs in the place of their launches
	Intent  *schedule.Intent  // of Program: an op that is launched again is an op of its own
	Calls   []schedule.Instr  // that issue the schedule; ops are launched by Order.Call, an index into them
	Order   *order.Order      // that Program imposes
	Dur     []time.Duration   // nominal, by op
	Table   bound.Timetable   // every op as early as Order lets it, at nominal durations
	InTime  []int32           // the ops by their start in Table: what must come first does
}

// Of looks at a program. of gives, by op of the view's intent, the op of the program's.
func Of(p *schedule.Program) (v *View, of []int32) {
	inlined, of := order.Inline(p)
	in := p.Intent
	if len(of) > len(in.Ops) {
		in = inlined.Intent
	}
	v = viewOf(in, inlined)
	v.Given = p
	return v, of
}

// viewOf looks at a program whose graphs are inlined.
func viewOf(in *schedule.Intent, p *schedule.Program) *View {
	v := &View{Given: p, Program: p, Intent: in, Calls: order.Issued(p), Order: order.Of(p), Dur: in.Durations()}
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

// Name is the name of an op.
func (v *View) Name(op int32) string { return v.Intent.Ops[op].Name }

// OpWhere is the place of an op in the case file.
func (v *View) OpWhere(op int32) string {
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
