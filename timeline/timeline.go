package timeline

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/gpu-overlap/overlap/schedule"
)

// Bar is one op in a picture.
type Bar struct {
	Name       string
	Kind       schedule.Kind
	Engine     int32 // index into Intent.Engines
	Start, End time.Duration
}

// Lane is a stream or an engine and what ran there, by start.
type Lane struct {
	Name string
	Bars []Bar
}

// Timeline is a picture before it is drawn. Its first bar starts at 0.
type Timeline struct {
	Title string
	Lanes []Lane
	Marks []Mark
}

// Validate refuses bars and marks that end before they start, and times beyond 146 years, whose differences would overflow.
func (tl *Timeline) Validate() error {
	for _, l := range tl.Lanes {
		for _, b := range l.Bars {
			if err := within(b.Start, b.End); err != nil {
				return fmt.Errorf("timeline: bar %s of %s: %w", b.Name, l.Name, err)
			}
		}
	}
	for _, m := range tl.Marks {
		if err := within(m.From, m.To); err != nil {
			return fmt.Errorf("timeline: mark %s: %w", m.Text, err)
		}
	}
	return nil
}

func within(from, to time.Duration) error {
	const most = math.MaxInt64 / 2
	if from < -most || to > most || from > to {
		return fmt.Errorf("from %v to %v; want an end that is not before the start, and less than 146 years", from, to)
	}
	return nil
}

// validAll is the first fault of several timelines.
func validAll(tls []Timeline) error {
	for i := range tls {
		if err := tls[i].Validate(); err != nil {
			return err
		}
	}
	return nil
}

// Mark points at a piece of time, on the axis of the bars.
type Mark struct {
	From, To time.Duration
	Text     string
}

// Of lays out a run by stream: a lane for each stream that carries ops, in the order of the program. Only ops that ran
// on the device clock are in it: host times cannot stand on the same axis.
func Of(p *schedule.Program, title string, spans []Span) Timeline {
	if p == nil || p.Intent == nil {
		return Timeline{Title: title}
	}
	stream := streamOf(p)
	return layOut(p.Intent, title, spans, len(p.Streams),
		func(s int) string { return p.Streams[s].Name },
		func(op int) int32 { return stream[op] })
}

// ByEngine lays out a run by engine: a lane for each engine that has ops, in the order of the intent. Bars of one lane
// overlap where ops clash, or where the engine has capacity for them.
func ByEngine(in *schedule.Intent, title string, spans []Span) Timeline {
	if in == nil {
		return Timeline{Title: title}
	}
	return layOut(in, title, spans, len(in.Engines),
		func(e int) string { return in.Engines[e].Name },
		func(op int) int32 { return in.Ops[op].On() })
}

// streamOf finds the stream on which each op is launched: by the Body, else by the Setup, which captured it.
func streamOf(p *schedule.Program) []int32 {
	stream := make([]int32, len(p.Intent.Ops))
	for op := range stream {
		stream[op] = schedule.None
	}
	for _, instrs := range [][]schedule.Instr{p.Setup, p.Body} {
		for _, in := range instrs {
			if in.Op.Within(len(stream)) {
				stream[in.Op.Index()] = in.Stream.Index()
			}
		}
	}
	return stream
}

func layOut(in *schedule.Intent, title string, spans []Span, lanes int, name func(int) string, laneOf func(int) int32) Timeline {
	all := make([]Lane, lanes)
	used := make([]bool, lanes)
	first, _ := Extent(spans)
	for op := range in.Ops {
		at := laneOf(op)
		if at < 0 || int(at) >= lanes {
			continue
		}
		used[at] = true
		if op >= len(spans) || !measured(spans[op]) {
			continue
		}
		o := &in.Ops[op]
		all[at].Bars = append(all[at].Bars, Bar{o.Name, o.Kind, o.On(), spans[op].Start - first, spans[op].End - first})
	}
	tl := Timeline{Title: title}
	for i := range all {
		if !used[i] {
			continue
		}
		all[i].Name = name(i)
		slices.SortStableFunc(all[i].Bars, func(a, b Bar) int {
			return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
		})
		tl.Lanes = append(tl.Lanes, all[i])
	}
	return tl
}

// measured says whether a span may be compared with the others.
func measured(s Span) bool { return s.Ran && s.Clock == DeviceClock }

// rows parts a lane so that the bars of a row do not overlap: each bar goes into the first row that is free. The bars
// that would need more than most rows are only counted.
func (l Lane) rows(most int) (rows [][]Bar, left int) {
	for _, b := range l.Bars {
		free := slices.IndexFunc(rows, func(row []Bar) bool { return row[len(row)-1].End <= b.Start })
		switch {
		case free >= 0:
			rows[free] = append(rows[free], b)
		case len(rows) < most:
			rows = append(rows, []Bar{b})
		default:
			left++
		}
	}
	if len(rows) == 0 {
		rows = [][]Bar{nil}
	}
	return rows, left
}

// extent is the first start and the last end of the bars of several timelines.
func extent(tls []Timeline) (first, last time.Duration, bars int) {
	for _, tl := range tls {
		for _, l := range tl.Lanes {
			for _, b := range l.Bars {
				if bars == 0 {
					first, last = b.Start, b.End
				}
				first, last = min(first, b.Start), max(last, b.End)
				bars++
			}
		}
	}
	return first, last, bars
}
