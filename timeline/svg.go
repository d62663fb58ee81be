package timeline

import (
	"bufio"
	"fmt"
	"html"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gpu-overlap/overlap/schedule"
)

// Sizes of the picture, in pixels.
const (
	svgWidth  = 960
	margin    = 16
	rowHeight = 26
	barHeight = 22
	charWidth = 7.2 // of the fonts below at 12 px, on the safe side
	mostTitle = 110 // characters
)

// svgStyle makes the picture follow the reader's choice of light or dark. Bars keep their light colours in both, and
// dark text on them. Its rules reach no further than the picture, should a page hold it.
const svgStyle = `<style>
.timeline text { font: 12px system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; fill: #334155 }
.timeline .title { font-weight: 600; font-size: 14px; fill: #0f172a }
.timeline .tick, .timeline .note { font-size: 11px; fill: #64748b }
.timeline .grid { stroke: #e2e8f0 } .timeline .base { stroke: #94a3b8 } .timeline .back { fill: #ffffff }
.timeline .computation { fill: #bfdbfe; stroke: #3b82f6 }
.timeline .communication { fill: #fed7aa; stroke: #f97316 }
.timeline .host { fill: #e9d5ff; stroke: #a855f7 }
@media (prefers-color-scheme: dark) {
.timeline text { fill: #cbd5e1 } .timeline .title { fill: #f1f5f9 }
.timeline .tick, .timeline .note { fill: #94a3b8 }
.timeline .grid { stroke: #334155 } .timeline .base { stroke: #64748b } .timeline .back { fill: #0f172a }
}
.timeline .bar text { fill: #1e293b }
</style>
`

// WriteSVG draws timelines above one another on one scale of time, such as what was expected above what was measured,
// as a picture that needs nothing outside itself. A bar that is too narrow for its name shows it, like every bar, with
// its times when pointed at. Bars of one lane that overlap go into rows below one another. Where a lane has more bars
// than the picture has pixels, neighbours of one kind are drawn as one.
func WriteSVG(w io.Writer, tls []Timeline) error {
	if err := validAll(tls); err != nil {
		return err
	}
	first, last, _ := extent(tls)
	p := &picture{scale: scale{first: first, last: last}}
	var names float64
	for _, tl := range tls {
		for _, l := range tl.Lanes {
			names = max(names, textWidth(truncate(l.Name, mostName)))
		}
	}
	p.left = margin + names + 12
	p.right = svgWidth - margin - 18 // half a label of the axis
	p.y = margin
	for _, tl := range tls {
		p.timeline(tl)
	}
	if len(tls) == 0 {
		p.text(margin, p.y+14, "note", "start", "no timeline")
		p.y += 24
	}
	p.legend(tls)

	b := bufio.NewWriter(w)
	height := int(p.y) + margin/2
	fmt.Fprintf(b, "<svg class=\"timeline\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\">\n",
		svgWidth, height, svgWidth, height)
	b.WriteString(svgStyle)
	fmt.Fprintf(b, "<rect class=\"back\" width=\"%d\" height=\"%d\" rx=\"8\"/>\n", svgWidth, height)
	b.WriteString(p.b.String())
	b.WriteString("</svg>\n")
	return b.Flush()
}

// picture is the drawing so far and where the next part goes.
type picture struct {
	b           strings.Builder
	scale       scale
	left, right float64 // of the bars
	y           float64
}

// x places a time. Pixels need no exactness, only order.
func (p *picture) x(t time.Duration) float64 {
	if p.scale.total() == 0 {
		return p.left
	}
	return p.left + (p.right-p.left)*float64(t-p.scale.first)/float64(p.scale.total())
}

func textWidth(s string) float64 { return charWidth * float64(utf8.RuneCountInString(s)) }

func (p *picture) text(x, y float64, class, anchor, s string) {
	fmt.Fprintf(&p.b, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n", class, x, y, anchor, escape(s))
}

// escape makes any text fit into XML, which has no place for control characters.
func escape(s string) string {
	return html.EscapeString(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0xFFFE || r == 0xFFFF {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD")))
}

// legend names the kinds that occur, at the bottom right.
func (p *picture) legend(tls []Timeline) {
	var present [schedule.D2H + 1]bool
	for _, tl := range tls {
		for _, l := range tl.Lanes {
			for _, b := range l.Bars {
				present[min(b.Kind, schedule.D2H)] = true
			}
		}
	}
	x := float64(svgWidth - margin)
	for k := len(present) - 1; k >= 0; k-- {
		if name := schedule.Kind(k).String(); present[k] {
			x -= textWidth(name)
			p.text(x, p.y+11, "note", "start", name)
			x -= 18
			fmt.Fprintf(&p.b, "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"13\" height=\"11\" rx=\"2.5\"/>\n", name, x, p.y+1)
			x -= 14
		}
	}
	if x < svgWidth-margin {
		p.y += 20
	}
}

func (p *picture) timeline(tl Timeline) {
	if tl.Title != "" {
		p.text(margin, p.y+12, "title", "start", truncate(tl.Title, mostTitle))
	}
	p.y += 26
	var body []func() // bars are drawn over the grid, whose height is known after the rows
	top := p.y
	for _, l := range tl.Lanes {
		rows, left := l.rows(mostRows)
		p.text(p.left-12, p.y+rowHeight/2+4, "lane", "end", truncate(l.Name, mostName))
		for _, row := range rows {
			y := p.y + (rowHeight-barHeight)/2
			body = append(body, func() { p.row(row, y) })
			p.y += rowHeight
		}
		if left > 0 {
			p.text(p.left, p.y+11, "note", "start", fmt.Sprintf("and %d more at the same time", left))
			p.y += 16
		}
	}
	if _, _, bars := extent([]Timeline{tl}); bars == 0 {
		p.text(p.left, p.y+14, "note", "start", "nothing ran")
		p.y += 28
		return
	}
	p.axis(top, p.y+4)
	for _, draw := range body {
		draw()
	}
	p.y += 34
}

// axis draws ticks through the lanes and their labels below.
func (p *picture) axis(top, bottom float64) {
	u := unitOf(p.scale.last - p.scale.first)
	by := step(p.scale.last-p.scale.first, 10)
	for t := roundUp(p.scale.first, by); t <= p.scale.last; t += by {
		x := p.x(t)
		fmt.Fprintf(&p.b, "<line class=\"grid\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", x, top, x, bottom+4)
		p.text(x, bottom+16, "tick", "middle", decimal(t, u.ns)+" "+u.name)
		if t > p.scale.last-by {
			break
		}
	}
	fmt.Fprintf(&p.b, "<line class=\"base\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", p.left, bottom, p.right, bottom)
}

// row draws bars that do not overlap. Bars of one kind that would share a pixel become one.
func (p *picture) row(row []Bar, y float64) {
	for i := 0; i < len(row); {
		b, count := row[i], 1
		for i++; i < len(row) && row[i].Kind == b.Kind && p.x(row[i].End)-p.x(b.End) < 0.5 && p.x(row[i].End)-p.x(b.Start) < 1; i++ {
			b.End = row[i].End
			count++
		}
		p.bar(b, count, y)
	}
}

func (p *picture) bar(b Bar, count int, y float64) {
	x, width := p.x(b.Start), p.x(b.End)-p.x(b.Start)
	name := b.Name
	if count > 1 {
		name = fmt.Sprintf("%s and %d more", name, count-1)
	}
	fmt.Fprintf(&p.b, "<g class=\"bar\"><title>%s\n%s to %s, %s</title>", escape(name), human(b.Start), human(b.End), human(b.End-b.Start))
	// Half a pixel in from either side: two bars that touch keep their borders apart.
	inner, round := max(width-1, 0.5), min(3, max(width-1, 0)/2)
	fmt.Fprintf(&p.b, "<rect class=\"%s\" x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"%d\" rx=\"%.1f\"", min(b.Kind, schedule.D2H), x+min(0.5, width/2), y, inner, barHeight, round)
	if width < 3 {
		p.b.WriteString(" stroke-width=\"0.5\"")
	}
	p.b.WriteString("/>")
	if textWidth(b.Name)+6 <= width {
		fmt.Fprintf(&p.b, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>", x+width/2, y+barHeight/2+4.2, escape(b.Name))
	}
	p.b.WriteString("</g>\n")
}
