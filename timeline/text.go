package timeline

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gpu-overlap/overlap/schedule"
)

const (
	defaultWidth = 100
	leastPlot    = 24 // columns for the bars, however small the width
	mostName     = 24 // columns for the names of lanes
	mostLabelled = 40 // bars in a lane that are drawn with borders and labels
	mostRows     = 16 // rows of a lane whose bars overlap
)

// fill is what a bar is drawn with.
var fill = map[schedule.Kind]byte{schedule.Computation: '#', schedule.Communication: '=', schedule.Host: '~', schedule.H2D: '>', schedule.D2H: '<'}

// WriteText draws lanes as text of at most width columns (100 when width is 0), without the title:
//
//	mb0 |##A0##|==B0==|##C0##|==D0==|
//	mb1        |##A1##|==B1==|##C1##|==D1==|
//	    0ms    100ms  200ms  300ms  400ms
//
// Computation is #, communication =, host ~. A bar stands from the column of its start to that of its end, both rounded
// in the same way everywhere, so that equal times align; two bars that touch share a border. Below the lanes, marks point
// at pieces of time with a row of ^. A label is left out where
// it does not fit. Lanes of more than 40 bars are drawn without borders and labels. Bars of one lane that overlap go
// into rows below one another. The drawing is no wider than its labels need.
func WriteText(w io.Writer, tl Timeline, width int) error {
	if err := tl.Validate(); err != nil {
		return err
	}
	if width <= 0 {
		width = defaultWidth
	}
	first, last, bars := extent([]Timeline{tl})
	names := 0
	for _, l := range tl.Lanes {
		names = max(names, min(utf8.RuneCountInString(l.Name), mostName))
	}
	plot := max(width-names-2, leastPlot) // a blank before, and the border at the very end
	s := scale{first, last, min(plot, max(wanted(tl, last-first), leastPlot))}

	b := bufio.NewWriter(w)
	for _, l := range tl.Lanes {
		rows, left := l.rows(mostRows)
		for i, row := range rows {
			name := ""
			if i == 0 {
				name = truncate(l.Name, mostName)
			}
			line(b, names, name, drawRow(row, s, len(l.Bars) <= mostLabelled))
		}
		if left > 0 {
			line(b, names, "", fmt.Sprintf("and %d more at the same time", left))
		}
	}
	for _, m := range tl.Marks {
		line(b, names, "", mark(m, s))
	}
	if bars == 0 {
		line(b, names, "", "nothing ran")
	} else {
		line(b, names, "", axis(s, names+1, width))
	}
	return b.Flush()
}

// mark is a row of ^ from the column of its start to that of its end, at least one, and its text: after it, or, where more
// room is there, before it.
func mark(m Mark, s scale) string {
	from, to := s.col(m.From), s.col(m.To)
	carets := strings.Repeat("^", max(to-from+1, 1))
	if before := from - utf8.RuneCountInString(m.Text) - 1; before >= 0 && from > s.width/2 {
		return strings.Repeat(" ", before) + m.Text + " " + carets
	}
	return strings.Repeat(" ", from) + carets + " " + m.Text
}

func line(b *bufio.Writer, names int, name, plot string) {
	name += strings.Repeat(" ", names-utf8.RuneCountInString(name))
	b.WriteString(strings.TrimRight(name+" "+plot, " "))
	b.WriteByte('\n')
}

func truncate(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return string(r[:most-2]) + ".."
	}
	return s
}

// wanted is the number of columns at which every label fits with two columns of its fill on either side.
func wanted(tl Timeline, total time.Duration) int {
	const enough = 1 << 16
	most := 0
	for _, l := range tl.Lanes {
		if len(l.Bars) > mostLabelled {
			return enough
		}
		for _, b := range l.Bars {
			if d := b.End - b.Start; d > 0 {
				columns := utf8.RuneCountInString(b.Name) + 5
				most = max(most, int(min(enough, float64(columns)*float64(total)/float64(d)+0.5)))
			}
		}
	}
	return most
}

// drawRow draws bars that do not overlap.
func drawRow(row []Bar, s scale, labelled bool) string {
	cells := []rune(strings.Repeat(" ", s.width+1))
	for _, b := range row {
		from, to := s.col(b.Start), s.col(b.End)
		c := rune(fill[b.Kind])
		if c == 0 {
			c = '?'
		}
		for i := from; i < to || i == from; i++ {
			cells[i] = c
		}
	}
	if !labelled {
		return string(cells)
	}
	for _, b := range row {
		from, to := s.col(b.Start), s.col(b.End)
		cells[from], cells[to] = '|', '|'
		label := []rune(b.Name)
		if room := to - from - 1 - len(label); room >= 0 {
			copy(cells[from+1+room/2:], label)
		}
	}
	return string(cells)
}

// axis labels the columns of round times, as many as leave a blank between their labels. It may pass the end of the
// bars, but not width, of which offset is taken.
func axis(s scale, offset, width int) string {
	u := unitOf(s.last - s.first)
	room := max(width-offset, s.width+1)
	for most := s.width / 2; most > 1; most-- {
		if text, ok := ticks(s, u, step(s.last-s.first, most), room); ok {
			return text
		}
	}
	text, _ := ticks(s, u, step(s.last-s.first, 1), room)
	return text
}

func ticks(s scale, u unit, by time.Duration, room int) (text string, ok bool) {
	for t := roundUp(s.first, by); t <= s.last; t += by {
		label, col := u.format(t), s.col(t)
		if text != "" && col <= len(text) {
			return text, false
		}
		if col+len(label) > room {
			break
		}
		text += strings.Repeat(" ", col-len(text)) + label
		if t > s.last-by {
			break // the next would pass the end, or overflow
		}
	}
	return text, true
}

// roundUp is the first multiple of by that is not before t.
func roundUp(t, by time.Duration) time.Duration {
	up := t - t%by
	if up < t {
		up += by
	}
	return up
}
