package text

import (
	"fmt"
	"path"
	"strings"

	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/verdict"
)

// CaseKind is the form in which a case gives its calls.
type CaseKind uint8

const (
	PipelineCase CaseKind = iota // a schedule section that describes a pipeline
	SpelledCase                  // a schedule section that spells out the calls
	ProgramCase                  // a program section: raw driver calls, capture and replay among them
)

func (k CaseKind) String() string {
	if k > ProgramCase {
		return fmt.Sprintf("kind %d", uint8(k))
	}
	return [...]string{"pipeline", "spelled", "program"}[k]
}

// Case is one case file: why it is there, what is issued, and what must come of it.
type Case struct {
	Name     string // of the file, without folder and extension
	File     string
	Why      string
	Kind     CaseKind
	Pipeline *schedule.Pipeline // of a PipelineCase; nil otherwise
	Schedule schedule.Schedule  // always filled; of a ProgramCase, Issue is all its lines
	Raw      bool               // Kind is ProgramCase: giant, eager and replay are not derived
	Graphs   []string           // of a ProgramCase
	Env      []string           // NAME=value: of the process that runs the case, set before it first calls the driver
	Timed    schedule.Ref       // of a ProgramCase: the first call of Schedule.Issue that is timed; none when none is
	Expanded bool               // a repeat or a started op was spelled out: it is printed so
	Expect   verdict.Expect
	Graph    string // golden of the captured graph as DOT; "" when absent
	Lanes    string // golden of the expected timeline as text; "" when absent
}

// ParseCase reads a case file, at most 16 MiB of text. file is for messages and gives the case its name. What is wrong
// with the text is a *SyntaxError.
func ParseCase(file string, data []byte) (*Case, error) {
	src, err := readSource(file, data)
	if err != nil {
		return nil, err
	}
	byName, err := src.index()
	if err != nil {
		return nil, err
	}
	c := &Case{File: file, Why: src.why}
	c.Name = strings.TrimSuffix(path.Base(strings.ReplaceAll(file, `\`, "/")), ".txtar")
	if sec := byName[programSection]; sec != nil {
		c.Raw = true
		err = c.parseSpelled(sec)
	} else {
		err = c.parseSchedule(byName[scheduleSection])
	}
	if err != nil {
		return nil, err
	}
	if c.Expect, err = parseExpect(byName[expectSection], c); err != nil {
		return nil, err
	}
	if sec := byName[graphSection]; sec != nil {
		c.Graph = sec.body
	}
	if sec := byName[lanesSection]; sec != nil {
		c.Lanes = sec.body
	}
	return c, nil
}

// Program is the raw driver calls of a program section as they stand. Setup creates the streams and events, and makes
// the calls before `timed`. Of a schedule it is the eager program.
func (c *Case) Program() *schedule.Program {
	if !c.Raw {
		return c.Schedule.Eager()
	}
	return c.Schedule.Raw(programSection, c.Graphs, c.Timed)
}

// parseSchedule finds out which of its two forms a schedule section has, by its first statement that only one form has.
func (c *Case) parseSchedule(sec *section) error {
	form := statementClass(0)
	err := sec.each(func(l *line) error {
		class, err := classOf(l)
		if err == nil && form == sharedStatement {
			form = class
		}
		return err
	})
	switch {
	case err != nil:
		return err
	case form == sharedStatement:
		return sec.errorf("`pipeline N microbatches` and its stages, or instructions as `main: fork a b`",
			"the section %s is empty", sec.name)
	case form == pipelineStatement:
		return c.parsePipeline(sec)
	}
	return c.parseSpelled(sec)
}

// ParseProgram reads a program section alone. line is that of the line before its first, for messages.
func ParseProgram(file string, line int, text string) (*Case, error) {
	c := &Case{File: file, Name: programSection, Raw: true}
	if err := c.parseSpelled(&section{file: file, name: programSection, line: line, body: text}); err != nil {
		return nil, err
	}
	return c, nil
}
