package schedule

import (
	"fmt"
	"time"
)

const (
	maxMicro    = 1024
	maxOps      = 4_000_000
	maxPairs    = 1 << 26        // ops times streams: the order of a schedule needs as many numbers
	maxOp       = time.Hour      // of one op
	maxTotal    = 24 * time.Hour // of all ops
	maxCapacity = 1024
)

// pipelineReader reads a schedule section in its pipeline form.
type pipelineReader struct {
	engines engineTable
	pl      Pipeline
	layout  string           // "microbatch" or "engine", once it is said
	lines   map[string]int32 // of the statements that may stand once
	places  []place          // of the durations of pl.Stages
}

// place is a place in the file, for a fault that is only known later.
type place struct {
	text string
	col  int
}

func (c *Case) parsePipeline(sec *section) error {
	engines, err := declareEngines(sec)
	if err != nil {
		return err
	}
	r := pipelineReader{engines: engines, lines: map[string]int32{}}
	if err := sec.each(r.statement); err != nil {
		return err
	}
	r.pl.Engines = engines.list
	if err := r.check(sec); err != nil {
		return err
	}
	c.Kind, c.Pipeline = PipelineCase, &r.pl
	c.Schedule = r.pl.Schedule(c.Name, c.File)
	return nil
}

func (r *pipelineReader) statement(l *line) error {
	if class, _ := classOf(l); class != sharedStatement && class != pipelineStatement {
		return l.errorf(l.toks[0], "either stages or instructions", "an instruction in a pipeline")
	}
	word, _ := l.next("")
	if word.text != "stage" && word.text != "engine" {
		if before := r.lines[word.text]; before > 0 {
			return l.errorf(word, "it once", "%s is already on line %d", word.text, before)
		}
		r.lines[word.text] = l.no
	}
	var err error
	switch word.text {
	case "engine": // was declared before
		return nil
	case "pipeline":
		err = r.pipeline(l)
	case "streams":
		err = r.streams(l)
	case "exclusive":
		r.pl.Layout = Exclusive
	case "kernels":
		r.pl.Kernel, err = l.kernel()
	case "stage":
		err = r.stage(l)
	}
	if err != nil {
		return err
	}
	if r.layout == "engine" && r.lines["exclusive"] > 0 {
		return l.errorf(word, "one of the two: a stream of an engine is exclusive by itself", "exclusive with streams per engine")
	}
	return l.end()
}

func (r *pipelineReader) pipeline(l *line) error {
	n, err := l.count("a number of micro-batches", 1, maxMicro)
	if err != nil {
		return err
	}
	r.pl.Micro = int32(n)
	_, err = l.expect("microbatches", "microbatch")
	return err
}

func (r *pipelineReader) streams(l *line) error {
	if _, err := l.expect("per"); err != nil {
		return err
	}
	t, err := l.expect("microbatch", "engine")
	if err != nil {
		return err
	}
	r.layout = t.text
	if t.text == "engine" {
		r.pl.Layout = PerEngine
	}
	return nil
}

func (r *pipelineReader) stage(l *line) error {
	kind, err := l.kind()
	if err != nil {
		return err
	}
	st := Stage{Kind: kind, Engine: int32(kind), Line: l.no}
	col := len(l.code) + 1
	if l.more() {
		col = l.toks[l.at].col
	}
	if st.Dur, err = l.duration(maxOp); err != nil {
		return err
	}
	seen := map[string]bool{}
	for l.more() {
		t, err := l.expect("on", "whole")
		if err != nil {
			return err
		}
		if seen[t.text] {
			return l.errorf(t, "it once", "a second %s", quoted(t.text))
		}
		seen[t.text] = true
		if t.text == "on" {
			st.Engine, err = r.engines.use(l)
		} else {
			st.Whole, err = l.duration(maxOp)
		}
		if err != nil {
			return err
		}
	}
	r.pl.Stages = append(r.pl.Stages, st)
	r.places = append(r.places, place{l.text, col})
	return nil
}

// check is what only the whole section shows.
func (r *pipelineReader) check(sec *section) error {
	if r.pl.Micro == 0 {
		return sec.errorf("`pipeline N microbatches`", "a pipeline of how many micro-batches?")
	}
	if len(r.pl.Stages) == 0 {
		return sec.errorf("`stage computation 100ms`", "a pipeline without a stage has no ops")
	}
	if ops := len(r.pl.Stages) * int(r.pl.Micro); ops > maxOps {
		return sec.errorf(fmt.Sprintf("at most %d ops", maxOps), "%d stages of %d micro-batches are %d ops", len(r.pl.Stages), r.pl.Micro, ops)
	}
	streams := int(r.pl.Micro)
	if r.pl.Layout == PerEngine {
		streams = min(len(r.pl.Stages), len(r.pl.Engines))
	}
	if err := pairs(sec, len(r.pl.Stages)*int(r.pl.Micro), streams); err != nil {
		return err
	}
	var total, whole time.Duration // no step overflows: an op lasts at most an hour, and there are at most 1024 in a stage
	for i, st := range r.pl.Stages {
		total += st.Dur * time.Duration(r.pl.Micro)
		whole += st.Whole
		if total > maxTotal || whole > maxTotal {
			return &SyntaxError{File: sec.file, Line: int(st.Line), Col: r.places[i].col, Text: r.places[i].text,
				Msg: "up to here the durations of all ops add up to more than 24h", Want: "a sum of at most 24h"}
		}
	}
	return nil
}

// pairs refuses a schedule whose order would not fit into memory.
func pairs(sec *section, ops, streams int) error {
	if ops*streams > maxPairs {
		return sec.errorf(fmt.Sprintf("at most %d for ops times streams", maxPairs), "%d ops on %d streams", ops, streams)
	}
	return nil
}

// kind takes a kind of op.
func (l *line) kind() (Kind, error) {
	t, err := l.expect(kindNames[:]...)
	for k, name := range kindNames {
		if name == t.text {
			return Kind(k), err
		}
	}
	return 0, err
}

// kernel takes a kind of kernel.
func (l *line) kernel() (Kernel, error) {
	t, err := l.expect(Exact.String(), Nanosleep.String())
	if t.text == Nanosleep.String() {
		return Nanosleep, err
	}
	return Exact, err
}
