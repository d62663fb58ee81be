package probe

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/timeline"
)

// most is up to how many ops each pair has a row of its own.
const most = 12

// orders are the rows on the order of the ops that ran: pair by pair; or, of many ops, how many ran at once and in
// which waves.
func orders(p *Part, spans []timeline.Span) []Row {
	var ran []int32
	var rows []Row
	for op, s := range spans {
		if s.Ran {
			ran = append(ran, int32(op))
		} else if len(spans) <= most {
			rows = append(rows, Row{What: "ran " + p.Program.Intent.Ops[op].Name, Saw: []string{"no"}})
		}
	}
	if len(ran) > most {
		once, then := Row{What: "at once", Saw: []string{fmt.Sprint(atOnce(spans, ran))}},
			Row{What: "waves", Saw: waves(p.Program, spans, ran)}
		if k := p.marks.waves; k != nil {
			for _, r := range []*Row{&once, &then} {
				r.Unmodelled = k.unmodelled
				if !k.unmodelled {
					r.Free, r.Saw = true, []string{"free"}
				}
			}
		}
		return append(rows, once, then)
	}
	for i, a := range ran {
		for _, b := range ran[i+1:] {
			k := p.marks.order[[2]int32{a, b}]
			r := Row{What: "order " + p.Program.Intent.Ops[a].Name + " " + p.Program.Intent.Ops[b].Name,
				Saw: []string{relation(spans[a], spans[b])}}
			r.Unmodelled = k != nil && k.unmodelled
			if k != nil && !k.unmodelled {
				r.Free, r.Saw = true, []string{"free"}
			}
			rows = append(rows, r)
		}
	}
	return rows
}

func relation(a, b timeline.Span) string {
	switch common := min(a.End, b.End) - max(a.Start, b.Start); {
	case a.End <= b.Start:
		return "<"
	case b.End <= a.Start:
		return ">"
	case common >= min(a.Dur(), b.Dur())/4:
		return "|"
	}
	return "?"
}

// atOnce is how many ops ran at once at most, where each counts from an eighth of its time to seven eighths: two that
// are counted at once overlap by a quarter at least.
func atOnce(spans []timeline.Span, ran []int32) int {
	type change struct {
		at time.Duration
		by int
	}
	var list []change
	for _, op := range ran {
		s := spans[op]
		list = append(list, change{s.Start + s.Dur()/8, 1}, change{s.End - s.Dur()/8, -1})
	}
	slices.SortFunc(list, func(a, b change) int {
		if a.at != b.at {
			return int(a.at - b.at)
		}
		return a.by - b.by
	})
	now, top := 0, 0
	for _, c := range list {
		now += c.by
		top = max(top, now)
	}
	return top
}

// waves are the ops by when they started: a wave ends where an op starts after the end of one of the wave. Of the first
// only the number is printed.
func waves(p *schedule.Program, spans []timeline.Span, ran []int32) (lines []string) {
	sorted := slices.Clone(ran)
	slices.SortStableFunc(sorted, func(a, b int32) int { return int(spans[a].Start - spans[b].Start) })
	var wave []int32
	flush := func() {
		if len(lines) == 0 || len(wave) > most {
			lines = append(lines, fmt.Sprint(len(wave)))
		} else {
			slices.Sort(wave)
			var names []string
			for _, op := range wave {
				names = append(names, p.Intent.Ops[op].Name)
			}
			lines = append(lines, strings.Join(names, " "))
		}
		wave = nil
	}
	var end time.Duration
	for _, op := range sorted {
		if len(wave) > 0 && spans[op].Start >= end {
			flush()
		}
		if len(wave) == 0 {
			end = spans[op].End
		}
		end = min(end, spans[op].End)
		wave = append(wave, op)
	}
	flush()
	return lines
}
