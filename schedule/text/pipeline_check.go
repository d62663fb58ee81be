package text

import (
	"fmt"
	"time"

	"github.com/gpu-overlap/overlap/schedule"
)

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
		return sec.errorf(fmt.Sprintf("at most %d ops", maxOps), "%d stages of %d micro-batches are %d ops",
			len(r.pl.Stages)*rounds, r.pl.Micro, ops)
	}
	for i, st := range r.pl.Stages {
		if n := len(st.Durs); n > 0 && n != int(r.pl.Micro) {
			return r.at(sec, i, fmt.Sprintf("one duration, or %d", r.pl.Micro), "%d durations for %d micro-batches",
				n, r.pl.Micro)
		}
	}
	if no := r.lines["starts"]; no > 0 && r.pl.Layout != schedule.PerEngine {
		return &SyntaxError{File: sec.file, Line: int(no), Col: r.started.col, Text: r.started.text,
			Msg:  "a stage that starts another, with streams per micro-batch",
			Want: "`streams per engine`, where the started op has a stream of its own"}
	}
	streams := int(r.pl.Micro)
	if r.pl.Layout == schedule.PerEngine {
		streams = min(len(r.pl.Stages), len(r.pl.Engines))
	}
	if err := pairs(sec, len(r.pl.Stages)*rounds*int(r.pl.Micro), streams); err != nil {
		return err
	}
	return r.checkTotal(sec)
}

// checkTotal refuses ops that add up to more than a day.
func (r *pipelineReader) checkTotal(sec *section) error {
	// Of one round. No step overflows: an op lasts at most an hour, and there are at most 1024 in a stage.
	var total, whole time.Duration
	for i, st := range r.pl.Stages {
		for k := range r.pl.Micro {
			total += st.DurOf(k)
		}
		whole += st.Whole
		if most := maxTotal / time.Duration(max(r.pl.Repeat, 1)); total > most || whole > most {
			return r.at(sec, i, "a sum of at most 24h", "up to here the durations of all ops add up to more than 24h")
		}
	}
	return nil
}

// at points at the duration of a stage.
func (r *pipelineReader) at(sec *section, stage int, want, format string, args ...any) error {
	return &SyntaxError{File: sec.file, Line: int(r.pl.Stages[stage].Line), Col: r.places[stage].col,
		Text: r.places[stage].text, Msg: fmt.Sprintf(format, args...), Want: want}
}

// pairs refuses a schedule whose order would not fit into memory.
func pairs(sec *section, ops, streams int) error {
	if ops*streams > maxPairs {
		return sec.errorf(fmt.Sprintf("at most %d for ops times streams", maxPairs), "%d ops on %d streams",
			ops, streams)
	}
	return nil
}
