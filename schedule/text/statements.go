package text

import (
	"fmt"
	"strings"

	"github.com/gpu-overlap/overlap/schedule"
)

// statement is a line that is no call: it begins with a word of the language.
type statement struct {
	class   statementClass
	declare func(r *spelledReader, l *line) error             // in the first pass, behind the word; may be nil
	read    func(r *spelledReader, l *line, word token) error // in the second; nil when nothing is left to read
}

// statementClass says in which form of a section a line may stand.
type statementClass uint8

const (
	sharedStatement statementClass = iota
	pipelineStatement
	spelledStatement
	programStatement // spelled out, in a program section
	callStatement    // a call: see forms
)

var statements = map[string]statement{
	"kernels":   {read: (*spelledReader).readKernels},
	"engine":    {}, // declared before anything else
	"slow":      {read: (*spelledReader).readSlow},
	"env":       {read: (*spelledReader).readEnv},
	"repeat":    {declare: (*spelledReader).refuseRepeat},
	"pipeline":  {class: pipelineStatement},
	"streams":   {class: pipelineStatement},
	"exclusive": {class: pipelineStatement},
	"stage":     {class: pipelineStatement},
	"offset":    {class: pipelineStatement},
	"stream":    {class: spelledStatement, declare: (*spelledReader).declareStream},
	"timed":     {class: programStatement, read: (*spelledReader).readTimed},
	"thread":    {class: programStatement, read: (*spelledReader).readThread},
}

// statementNames are the words that a line of a schedule may begin with, for messages.
var statementNames = []string{"pipeline", "streams", "exclusive", "kernels", "engine", "stage", "stream", "sync",
	"query", "repeat", "offset", "slow", "env"}

// statement finds the statement that a line is.
func (l *line) statement() (s statement, ok bool) {
	if l.word(1) != ":" {
		s, ok = statements[l.word(0)]
	}
	return s, ok
}

// classOf says what a line is, by how it begins.
func classOf(l *line) (statementClass, error) {
	first, h := l.toks[0], l.head()
	if s, ok := l.statement(); ok {
		return s.class, nil
	}
	switch {
	case h.onStream || len(formsOf(h)) > 0:
		return callStatement, nil
	case first.text == "end" && len(l.toks) == 1:
		return 0, l.errorf(first, "`repeat N` above it", "an end without a repeat")
	case len(formsOf(head{true, first.text})) > 0:
		return 0, l.errorf(first, fmt.Sprintf("the stream first, as in `main: %s ...`", first.text),
			"%s needs a stream", first.text)
	case strings.HasPrefix(first.text, "--"):
		return 0, l.errorf(first, "-- NAME -- alone on its line", "an unfinished section header")
	}
	return 0, l.errorf(first, oneOf(first.text, statementNames)+", or an instruction as `main: fork a b`",
		"unknown statement %s", quoted(first.text))
}

// statement reads a line in the second pass.
func (r *spelledReader) statement(l *line) error {
	class, err := classOf(l)
	switch {
	case err != nil:
		return err
	case class == callStatement:
		return r.call(l)
	}
	word, _ := l.next("")
	switch {
	case class == programStatement && !r.raw:
		return onlyInProgram(l, word)
	case class == pipelineStatement && r.raw:
		return l.errorf(word, "instructions", "a pipeline stands only in a schedule section")
	case class == pipelineStatement:
		return l.errorf(word, "either stages or instructions", "%s among instructions", word.text)
	case statements[word.text].read == nil:
		return nil
	}
	return statements[word.text].read(r, l, word)
}

// second fails at the second of a statement that may stand once.
func (r *spelledReader) second(l *line, word token) error {
	if before := r.once[word.text]; before > 0 {
		return l.errorf(word, "it once", "%s is already on line %d", word.text, before)
	}
	r.once[word.text] = l.no
	return nil
}

// readThread reads `thread N`.
func (r *spelledReader) readThread(l *line, _ token) error {
	n, err := l.count("a thread", 0, maxThread)
	r.thread = int32(n)
	if err != nil {
		return err
	}
	return l.end()
}

// readSlow reads `slow host D`.
func (r *spelledReader) readSlow(l *line, word token) (err error) {
	if err := r.second(l, word); err != nil {
		return err
	}
	if r.sched.HostDelay, err = l.slowHost(); err != nil {
		return err
	}
	return l.end()
}

// readEnv reads `env NAME=value`.
func (r *spelledReader) readEnv(l *line, _ token) (err error) {
	r.env, err = l.env(r.env)
	return err
}

// readKernels reads `kernels exact`, which is for all ops.
func (r *spelledReader) readKernels(l *line, word token) error {
	if err := r.second(l, word); err != nil {
		return err
	}
	kernel, err := l.kernel()
	if err != nil {
		return err
	}
	for i := range r.sched.Intent.Ops {
		r.sched.Intent.Ops[i].Kernel = kernel
	}
	return l.end()
}

// readTimed reads `timed`: the calls before it are done once.
func (r *spelledReader) readTimed(l *line, word token) error {
	if err := r.second(l, word); err != nil {
		return err
	}
	r.timed = schedule.At(int32(len(r.sched.Issue)))
	if in, found := uncaptured(r.sched.Issue); found {
		return l.errorf(word, "ops in a capture before it, or behind it",
			"op %s, on line %d, is issued before what is timed",
			r.sched.Intent.Ops[in.Op.Index()].Name, in.Line)
	}
	return l.end()
}

// uncaptured finds an op that is issued while nothing captures: it would count, and never be timed.
func uncaptured(calls []schedule.Instr) (schedule.Instr, bool) {
	open := 0
	for _, in := range calls {
		switch {
		case in.Verb == schedule.BeginCapture:
			open++
		case in.Verb == schedule.EndCapture:
			open--
		case in.Op.Some() && open <= 0:
			return in, true
		}
	}
	return schedule.Instr{}, false
}

// refuseRepeat is for a line that opens no block: a block is not visited by its first line.
func (r *spelledReader) refuseRepeat(l *line) error {
	return l.errorf(l.toks[0], "`end` alone on a line after it", "a repeat without an end")
}

const (
	maxPriority = schedule.MaxPriority
	maxThread   = schedule.MaxThread
)

// declareStream reads `stream a b [blocking] [priority N]`.
func (r *spelledReader) declareStream(l *line) error {
	first := len(r.sched.Streams)
	for l.more() && l.peek() != "blocking" && l.peek() != "priority" {
		t := l.toks[l.at]
		if t.text == mainName || t.text == legacyName {
			return l.errorf(t, "another name", "stream %s is always there", t.text)
		}
		if _, err := l.name("a stream"); err != nil {
			return err
		}
		if _, ok := r.streams[t.text]; ok {
			return l.errorf(t, "it once", "stream %s is already declared", t.text)
		}
		r.addStream(schedule.Stream{Name: t.text, Kind: schedule.NonBlocking})
	}
	if len(r.sched.Streams) == first {
		_, err := l.name("a stream")
		return err
	}
	attr, err := l.streamAttributes()
	for i := range r.sched.Streams[first:] {
		s := &r.sched.Streams[first+i]
		s.Kind, s.Priority = attr.Kind, attr.Priority
	}
	return err
}

// streamAttributes takes `[blocking] [priority N]`.
func (l *line) streamAttributes() (attr schedule.Stream, err error) {
	seen := map[string]bool{}
	for l.more() {
		t, err := l.expect("blocking", "priority")
		if err != nil {
			return attr, err
		}
		if seen[t.text] {
			return attr, l.errorf(t, "it once", "a second %s", quoted(t.text))
		}
		seen[t.text] = true
		if t.text == "blocking" {
			attr.Kind = schedule.Blocking
			continue
		}
		n, err := l.count("a priority", -maxPriority, maxPriority)
		if err != nil {
			return attr, err
		}
		attr.Priority = int32(n)
	}
	return attr, nil
}
