package text

import (
	"github.com/gpu-overlap/overlap/schedule"
)

const (
	maxMicro    = schedule.MaxMicro
	maxOps      = schedule.MaxOps
	maxPairs    = schedule.MaxPairs
	maxOp       = schedule.MaxOp
	maxTotal    = schedule.MaxTotal
	maxCapacity = schedule.MaxCapacity
	maxOffset   = schedule.MaxOffset
)

// pipelineReader reads a schedule section in its pipeline form.
type pipelineReader struct {
	engines engineTable
	pl      schedule.Pipeline
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
		r.pl.Layout = schedule.Exclusive
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
		return l.errorf(word, "one of the two: a stream of an engine is exclusive by itself",
			"exclusive with streams per engine")
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
		r.pl.Layout = schedule.PerEngine
	}
	return nil
}
