package overlap

import (
	"strings"
	"time"

	"github.com/gpu-overlap/overlap/bound"
	"github.com/gpu-overlap/overlap/judge/account"
	"github.com/gpu-overlap/overlap/judge/calls"
	"github.com/gpu-overlap/overlap/judge/sample"
	"github.com/gpu-overlap/overlap/order"
	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/timeline"
)

// laneWidth is the width of lanes as text, in columns.
const laneWidth = 100

// Lanes draws what happened in the first repetition of each mode that ran, as text.
func Lanes(r *Result) string {
	r = r.whole()
	var b strings.Builder
	for _, m := range r.judged() {
		b.WriteString(m.Name + "\n")
		timeline.WriteText(&b, m.Timeline(0), laneWidth) // a strings.Builder does not fail
	}
	return b.String()
}

// Timelines are the scheduled one and what happened in the first repetition of each mode that ran.
func (r *Result) Timelines() []timeline.Timeline {
	r = r.whole()
	lines := []timeline.Timeline{r.scheduled()}
	for _, m := range r.modes() {
		if len(m.Reps) > 0 {
			lines = append(lines, m.Timeline(0))
		}
	}
	return lines
}

// Timeline is what happened in one repetition of the mode; empty without it.
func (m *Mode) Timeline(rep int) timeline.Timeline {
	if rep < 0 || rep >= len(m.Reps) {
		return timeline.Timeline{Title: m.Name}
	}
	return timeline.Of(m.Program, m.Name, m.Reps[rep].Spans)
}

// scheduled is the timetable of the program's own order, of the solo durations.
func (r *Result) scheduled() timeline.Timeline {
	p := r.Eager.Program
	if p == nil {
		p = r.Replay.Program
	}
	if p == nil {
		return timeline.Timeline{Title: "scheduled"}
	}
	inlined, of := order.Inline(p)
	t := bound.Scheduled(order.Of(inlined), sample.EachLaunch(r.Solo, of))
	spans := make([]timeline.Span, len(t.Start))
	for op := range spans {
		spans[op] = timeline.Span{Start: t.Start[op], End: t.End[op], Ran: t.Start[op] >= 0}
	}
	return timeline.Of(inlined, "scheduled", spans)
}

// measured is the timeline of the repetition that is accounted for, its guilty gap marked.
func (m *Mode) measured(in *schedule.Intent) timeline.Timeline {
	if m.Account == nil {
		return m.Timeline(0)
	}
	tl := m.Timeline(m.Account.Rep)
	from, to, ok := m.late(in)
	if !ok {
		return tl
	}
	rep := &m.Reps[m.Account.Rep]
	first, _ := timeline.Extent(rep.Spans)
	shift := rep.Clock.Offset - first
	text := m.Verdict.Detail
	if text == "" {
		text = m.Verdict.Cause.String()
	}
	tl.Marks = append(tl.Marks, timeline.Mark{From: max(from+shift, 0), To: max(to+shift, 0), Text: text})
	return tl
}

// late is the piece of time in which the guilty op could have run and did not, in host time; ok is false when none is
// known: of a cause in the account its longest step, otherwise from the end of what the op needs to its start.
func (m *Mode) late(in *schedule.Intent) (from, to time.Duration, ok bool) {
	if m.Account == nil || m.Verdict == nil || len(m.Verdict.Guilty) == 0 {
		return 0, 0, false
	}
	x := m.Verdict.Guilty[0]
	if m.Verdict.Took > 0 {
		var longest account.Step
		for _, s := range m.Account.Steps {
			if s.Op.Is(x) && s.Spent != account.Working && s.Dur() > longest.Dur() {
				longest = s
			}
		}
		return longest.From, longest.To, longest.Dur() > 0
	}
	spans := m.Reps[m.Account.Rep].Spans
	to = spans[x].Start
	from, _ = timeline.Extent(spans)
	for op, s := range spans {
		if s.End <= to && s.Clock == spans[x].Clock && calls.Implied(in, int32(op), x) {
			from = max(from, s.End)
		}
	}
	offset := m.Reps[m.Account.Rep].Clock.Offset
	return from - offset, to - offset, from < to
}
