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
	maxOffset   = 1024
)

// pipelineReader reads a schedule section in its pipeline form.
type pipelineReader struct {
	engines engineTable
	pl      Pipeline
	layout  string           // "microbatch" or "engine", once it is said
	lines   map[string]int32 // of the statements that may stand once
	places  []place          // of the durations of pl.Stages
	started place            // of the first starts
	env     []string
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
	c.Kind, c.Pipeline, c.Env = PipelineCase, &r.pl, r.env
	c.Schedule = r.pl.Schedule(c.Name, c.File)
	return nil
}

func (r *pipelineReader) statement(l *line) error {
	if class, _ := classOf(l); class != sharedStatement && class != pipelineStatement {
		return l.errorf(l.toks[0], "either stages or instructions", "an instruction in a pipeline")
	}
	word, _ := l.next("")
	if word.text != "stage" && word.text != "engine" && word.text != "env" {
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
	case "repeat":
		var n int
		n, err = l.count("a number of rounds", 1, maxRepeat)
		r.pl.Repeat = int32(n)
	case "offset":
		var n int
		if n, err = l.count("a number of stages", 0, maxOffset); err == nil {
			_, err = l.expect("stages", "stage")
		}
		r.pl.Offset = int32(n)
	case "slow":
		r.pl.HostDelay, err = l.slowHost()
	case "env":
		r.env, err = l.env(r.env)
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
	st := Stage{Kind: kind, Line: l.no}
	col := len(l.code) + 1
	if l.more() {
		col = l.toks[l.at].col
	}
	if err := st.durations(l); err != nil {
		return err
	}
	var f footprint
	if kind.Copies() {
		if err := f.copied(l); err != nil {
			return err
		}
	}
	seen := map[string]bool{}
	for l.more() && l.peek() != "starts" {
		t, err := l.expect("on", "whole", "sms", "bandwidth", "starts")
		if err != nil {
			return err
		}
		if seen[t.text] {
			return l.errorf(t, "it once", "a second %s", quoted(t.text))
		}
		seen[t.text] = true
		switch t.text {
		case "on":
			st.Engine, err = r.engines.use(l, kind)
		case "whole":
			st.Whole, err = l.duration(maxOp)
		default:
			err = f.clause(l, t, kind)
		}
		if err != nil {
			return err
		}
	}
	st.SMs, st.Bandwidth, st.Bytes, st.Pageable = f.SMs, f.Bandwidth, f.Bytes, f.Pageable
	r.pl.Stages = append(r.pl.Stages, st)
	r.places = append(r.places, place{l.text, col})
	if l.more() {
		return r.starts(l, kind, col)
	}
	return nil
}

// starts reads `starts DURATION... [on ENGINE]`: one more stage, which the one before starts.
func (r *pipelineReader) starts(l *line, kind Kind, col int) (err error) {
	word, _ := l.next("")
	if err := l.starter(word, kind); err != nil {
		return err
	}
	if r.lines["starts"] == 0 {
		r.lines["starts"], r.started = l.no, place{l.text, word.col}
	}
	st := Stage{Kind: kind, Started: true, Line: l.no}
	if err := st.durations(l); err != nil {
		return err
	}
	if l.more() {
		if _, err := l.expect("on"); err != nil {
			return err
		}
		if st.Engine, err = r.engines.use(l, kind); err != nil {
			return err
		}
	}
	if starter := r.pl.Stages[len(r.pl.Stages)-1]; starter.On() == st.On() {
		return l.errorf(word, "`on` another engine, whose stream is another", "a stage that starts another on its own engine")
	}
	r.pl.Stages = append(r.pl.Stages, st)
	r.places = append(r.places, place{l.text, col})
	return nil
}

// durations takes one duration, or one for each micro-batch.
func (st *Stage) durations(l *line) (err error) {
	if st.Dur, err = l.duration(maxOp); err != nil {
		return err
	}
	for l.more() && l.peek() != "" && '0' <= l.peek()[0] && l.peek()[0] <= '9' && !isSize(l.peek()) {
		if st.Durs == nil {
			st.Durs = []time.Duration{st.Dur}
		}
		d, err := l.duration(maxOp)
		if err != nil {
			return err
		}
		st.Durs = append(st.Durs, d)
	}
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
	rounds := int(max(r.pl.Repeat, 1))
	if ops := len(r.pl.Stages) * rounds * int(r.pl.Micro); ops > maxOps {
		return sec.errorf(fmt.Sprintf("at most %d ops", maxOps), "%d stages of %d micro-batches are %d ops", len(r.pl.Stages)*rounds, r.pl.Micro, ops)
	}
	for i, st := range r.pl.Stages {
		if n := len(st.Durs); n > 0 && n != int(r.pl.Micro) {
			return r.at(sec, i, fmt.Sprintf("one duration, or %d", r.pl.Micro), "%d durations for %d micro-batches", n, r.pl.Micro)
		}
	}
	if no := r.lines["starts"]; no > 0 && r.pl.Layout != PerEngine {
		return &SyntaxError{File: sec.file, Line: int(no), Col: r.started.col, Text: r.started.text,
			Msg: "a stage that starts another, with streams per micro-batch", Want: "`streams per engine`, where the started op has a stream of its own"}
	}
	streams := int(r.pl.Micro)
	if r.pl.Layout == PerEngine {
		streams = min(len(r.pl.Stages), len(r.pl.Engines))
	}
	if err := pairs(sec, len(r.pl.Stages)*rounds*int(r.pl.Micro), streams); err != nil {
		return err
	}
	var total, whole time.Duration // of one round; no step overflows: an op lasts at most an hour, and there are at most 1024 in a stage
	for i, st := range r.pl.Stages {
		for k := range r.pl.Micro {
			total += st.dur(k)
		}
		whole += st.Whole
		if most := maxTotal / time.Duration(rounds); total > most || whole > most {
			return r.at(sec, i, "a sum of at most 24h", "up to here the durations of all ops add up to more than 24h")
		}
	}
	return nil
}

// at points at the duration of a stage.
func (r *pipelineReader) at(sec *section, stage int, want, format string, args ...any) error {
	return &SyntaxError{File: sec.file, Line: int(r.pl.Stages[stage].Line), Col: r.places[stage].col, Text: r.places[stage].text,
		Msg: fmt.Sprintf(format, args...), Want: want}
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
