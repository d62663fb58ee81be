package conform

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/schedule/text"
)

// text is the program as the language of cases spells it.
func (g *generator) text() string {
	var b strings.Builder
	for _, s := range g.streams[1:] {
		b.WriteString("stream " + s.name)
		if s.blocking {
			b.WriteString(" blocking")
		}
		if s.priority != 0 {
			fmt.Fprintf(&b, " priority %d", s.priority)
		}
		b.WriteByte('\n')
	}
	ends, thread := map[string]bool{}, 0
	for _, c := range g.calls {
		if _, name, is := strings.Cut(c.text, ": end capture "); is {
			ends[name] = true
		}
	}
	for _, c := range g.calls {
		if used := graphName.FindString(c.text); used != "" && !ends[used] {
			continue // the language knows no graph that nothing captures
		}
		if c.thread != thread {
			thread = c.thread
			fmt.Fprintf(&b, "thread %d\n", thread)
		}
		b.WriteString(c.text + "\n")
	}
	return b.String()
}

var graphName = regexp.MustCompile(`\bg\d+\b`)

// Text prints the calls of a program that Generate or Shrink gave, so that Parse gives the same program.
func Text(p *schedule.Program) string {
	var b strings.Builder
	for _, s := range p.Streams {
		if !s.Kind.Created() {
			continue
		}
		b.WriteString("stream " + s.Name)
		if s.Kind == schedule.Blocking {
			b.WriteString(" blocking")
		}
		if s.Priority != 0 {
			fmt.Fprintf(&b, " priority %d", s.Priority)
		}
		b.WriteByte('\n')
	}
	thread := int32(0)
	for _, in := range p.Body {
		if in.Thread != thread {
			thread = in.Thread
			fmt.Fprintf(&b, "thread %d\n", thread)
		}
		b.WriteString(text.Describe(p, in) + "\n")
	}
	return b.String()
}

// Parse reads what Text prints.
func Parse(calls string) (*schedule.Program, error) {
	c, err := text.ParseProgram("random", 0, calls)
	if err != nil {
		return nil, err
	}
	return c.Program(), nil
}

// Probe prints a program as the file of a probe, without a golden. why says in a sentence what it settles.
func Probe(p *schedule.Program, why string) string {
	return fmt.Sprintf("%s\n\n-- program --\n%s", why, Text(p))
}
