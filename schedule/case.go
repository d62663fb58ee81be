package schedule

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// CaseKind is the form in which a case gives its calls.
type CaseKind uint8

const (
	PipelineCase CaseKind = iota // a schedule section that describes a pipeline
	SpelledCase                  // a schedule section that spells out the calls
	ProgramCase                  // a program section: raw driver calls, capture and replay among them
)

func (k CaseKind) String() string { return [...]string{"pipeline", "spelled", "program"}[k] }

// Case is one case file: why it is there, what is issued, and what must come of it.
type Case struct {
	Name     string // of the file, without folder and extension
	File     string
	Why      string
	Kind     CaseKind
	Pipeline *Pipeline // of a PipelineCase; nil otherwise
	Schedule Schedule  // always filled; of a ProgramCase, Issue is all its lines
	Raw      bool      // Kind is ProgramCase: giant, eager and replay are not derived
	Graphs   []string  // of a ProgramCase
	Env      []string  // NAME=value: of the process that runs the case, set before it first calls the driver
	Timed    Ref       // of a ProgramCase: the calls of Schedule.Issue before this one are its Setup; none when none is timed
	Expanded bool      // a repeat or a started op was spelled out: it is printed so
	Expect   Expect
	Graph    string // golden of the captured graph as DOT; "" when absent
	Lanes    string // golden of the expected timeline as text; "" when absent
}

// Names of the sections of a case file.
const (
	scheduleSection = "schedule"
	programSection  = "program"
	expectSection   = "expect"
	graphSection    = "graph.dot"
	lanesSection    = "lanes.txt"
)

var sectionNames = []string{scheduleSection, programSection, expectSection, graphSection, lanesSection}

// Streams that need no declaration.
const (
	mainName      = "main"       // Streams[Origin]
	legacyName    = "legacy"     // the legacy default stream, whatever main is
	perThreadName = "per-thread" // in a program: the default stream of the thread that makes the call
)

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

// index checks that each section is known, there once, and that none is missing.
func (src *source) index() (map[string]*section, error) {
	byName := map[string]*section{}
	for i := range src.sections {
		sec := &src.sections[i]
		if strings.HasPrefix(sec.name, programSection+" ") {
			return nil, sec.errorf("a case; probes are run by go test ./internal/probe", "this is a probe")
		}
		if !slices.Contains(sectionNames, sec.name) {
			return nil, sec.errorf(oneOf(sec.name, sectionNames), "unknown section %s", quoted(sec.name))
		}
		if first := byName[sec.name]; first != nil {
			return nil, sec.errorf("each section once", "section %s is already on line %d", sec.name, first.line)
		}
		byName[sec.name] = sec
	}
	missing := func(name, want string) error {
		return src.last.errorAt(len(src.last.text)+1, "the file ends without a section "+name, want)
	}
	sched, prog := byName[scheduleSection], byName[programSection]
	switch {
	case sched == nil && prog == nil:
		return nil, missing(scheduleSection, "-- schedule -- (or, for raw driver calls, -- program --)")
	case sched != nil && prog != nil:
		last := prog
		if sched.line > prog.line {
			last = sched
		}
		return nil, last.errorf("one of them", "a schedule and a program in one case")
	case byName[expectSection] == nil:
		return nil, missing(expectSection, "-- expect --, which may be empty")
	}
	return byName, nil
}

// Program is the raw driver calls of a program section as they stand. Setup creates the streams and events, and makes the
// calls before `timed`. Of a schedule it is the eager program.
func (c *Case) Program() *Program {
	if !c.Raw {
		return c.Schedule.Eager()
	}
	p := c.Schedule.program(programSection)
	p.Graphs = c.Graphs
	p.Setup = slices.DeleteFunc(p.Setup, c.creates)
	timed := min(max(int(c.Timed.Index()), 0), len(c.Schedule.Issue))
	p.Setup = append(p.Setup, c.Schedule.Issue[:timed]...)
	p.Body = append([]Instr{}, c.Schedule.Issue[timed:]...)
	return p
}

// creates says whether the program itself creates what a call of the Setup would.
func (c *Case) creates(setup Instr) bool {
	return slices.ContainsFunc(c.Schedule.Issue, func(in Instr) bool {
		return in.Verb == setup.Verb && in.Stream == setup.Stream && in.Event == setup.Event
	})
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
		return sec.errorf("`pipeline N microbatches` and its stages, or instructions as `main: fork a b`", "the section %s is empty", sec.name)
	case form == pipelineStatement:
		return c.parsePipeline(sec)
	}
	return c.parseSpelled(sec)
}

// statementClass says in which form a statement may stand.
type statementClass uint8

const (
	sharedStatement statementClass = iota
	pipelineStatement
	spelledStatement
	programStatement // spelled out, in a program section
	probeStatement   // likewise, a call that only probes make
)

// statements are the lines that begin with a word of the language instead of a stream.
var statements = map[string]statementClass{
	"kernels": sharedStatement, "engine": sharedStatement, "slow": sharedStatement, "env": sharedStatement,
	"repeat":   sharedStatement,
	"pipeline": pipelineStatement, "streams": pipelineStatement, "exclusive": pipelineStatement, "stage": pipelineStatement,
	"offset": pipelineStatement,
	"stream": spelledStatement, "sync": spelledStatement, "query": spelledStatement,
	"instantiate": programStatement, "upload": programStatement, "destroy": programStatement, "timed": programStatement,
	"thread": programStatement, "exchange": probeStatement, "elapsed": probeStatement, "create": probeStatement, "call": probeStatement,
	"add": probeStatement, "remove": probeStatement, "disable": probeStatement, "enable": probeStatement, "update": probeStatement,
	"list": probeStatement, "print": probeStatement, "pause": probeStatement,
}

var statementNames = []string{"pipeline", "streams", "exclusive", "kernels", "engine", "stage", "stream", "sync", "query",
	"repeat", "offset", "slow", "env"}

func classOf(l *line) (statementClass, error) {
	first := l.toks[0]
	if l.word(1) == ":" {
		return spelledStatement, nil
	}
	if class, ok := statements[first.text]; ok {
		return class, nil
	}
	if first.text == "end" && len(l.toks) == 1 {
		return 0, l.errorf(first, "`repeat N` above it", "an end without a repeat")
	}
	if _, ok := verbs[first.text]; ok {
		return 0, l.errorf(first, fmt.Sprintf("the stream first, as in `main: %s ...`", first.text), "%s needs a stream", first.text)
	}
	if strings.HasPrefix(first.text, "--") {
		return 0, l.errorf(first, "-- NAME -- alone on its line", "an unfinished section header")
	}
	return 0, l.errorf(first, oneOf(first.text, statementNames)+", or an instruction as `main: fork a b`", "unknown statement %s", quoted(first.text))
}

// ParseProgram reads a program section alone. line is that of the line before its first, for messages.
func ParseProgram(file string, line int, text string) (*Case, error) {
	c := &Case{File: file, Name: programSection, Raw: true}
	if err := c.parseSpelled(&section{file: file, name: programSection, line: line, body: text}); err != nil {
		return nil, err
	}
	return c, nil
}
