package schedule

import (
	"fmt"
	"time"
)

// Validate refuses a pipeline that no case file could say.
func (pl *Pipeline) Validate() error {
	if pl == nil {
		return fmt.Errorf("pipeline: none; want one")
	}
	f := pl.fault()
	return f.in("", "pipeline")
}

func (pl *Pipeline) fault() *fault {
	switch {
	case pl.Micro < 1 || pl.Micro > MaxMicro:
		return faulty(0, fmt.Sprintf("1 to %d", MaxMicro), "%d micro-batches", pl.Micro)
	case pl.Layout > PerEngine || pl.Kernel > Nanosleep:
		return faulty(0, "those that there are", "layout %d, kernel %d", pl.Layout, pl.Kernel)
	case len(pl.Stages) == 0:
		return faulty(0, "at least one", "no stage")
	case pl.Repeat < 0 || pl.Repeat > MaxRepeat:
		return faulty(0, fmt.Sprintf("0 to %d", MaxRepeat), "%d rounds", pl.Repeat)
	case pl.Offset < 0 || pl.Offset > MaxOffset:
		return faulty(0, fmt.Sprintf("0 to %d", MaxOffset), "an offset of %d stages", pl.Offset)
	case pl.HostDelay < 0 || pl.HostDelay > MaxHostDelay:
		return faulty(0, fmt.Sprintf("0s to %v", MaxHostDelay), "slow host: %v for each call", pl.HostDelay)
	}
	ops := len(pl.Stages) * int(max(pl.Repeat, 1)) * int(pl.Micro)
	if ops > MaxOps {
		return faulty(0, fmt.Sprintf("at most %d", MaxOps), "%d ops", ops)
	}
	engines := pl.engines()
	if f := engineFaults(engines); f != nil {
		return f
	}
	streams := int(pl.Micro)
	if pl.Layout == PerEngine {
		streams = min(len(pl.Stages), len(engines))
	}
	if ops*streams > MaxPairs {
		return faulty(0, fmt.Sprintf("at most %d for ops times streams", MaxPairs), "%d ops on %d streams", ops,
			streams)
	}
	var total, whole time.Duration // of one round; no step overflows: an op lasts at most an hour, and a stage has at most 1024
	for i := range pl.Stages {
		st := &pl.Stages[i]
		if f := pl.stageFault(i, engines); f != nil {
			return f
		}
		for k := range pl.Micro {
			total += st.DurOf(k)
		}
		whole += st.Whole
		if most := MaxTotal / time.Duration(max(pl.Repeat, 1)); total > most || whole > most {
			return faulty(st.Line, "a sum of at most 24h",
				"stage %s: up to here the durations of all ops add up to more", StageName(i))
		}
	}
	return nil
}

// stageFault looks at the i-th stage.
func (pl *Pipeline) stageFault(i int, engines []Engine) *fault {
	st, name := &pl.Stages[i], "stage "+StageName(i)
	if st.Kind >= NumKinds {
		return faulty(st.Line, "one that there is", "%s: kind %d", name, st.Kind)
	}
	if n := len(st.Durs); n > 0 && n != int(pl.Micro) {
		return faulty(st.Line, fmt.Sprintf("one duration, or %d", pl.Micro), "%s: %d durations for %d micro-batches",
			name, n, pl.Micro)
	}
	for k := range pl.Micro {
		if d := st.DurOf(k); d <= 0 || d > MaxOp {
			return durationFault(st.Line, name, d, MaxOp)
		}
	}
	if st.Whole < 0 || st.Whole > MaxOp {
		return faulty(st.Line, fmt.Sprintf("0s to %v", MaxOp), "%s: whole %v", name, st.Whole)
	}
	if e := st.On(); e < 0 || int(e) >= len(engines) {
		return faulty(st.Line, "one that the pipeline has", "%s: engine %d of %d", name, e, len(engines))
	}
	if f := footprintFault(st.Line, "", name, st.Kind, st.SMs, 0, st.Bandwidth, st.Bytes, st.Pageable); f != nil {
		return f
	}
	if f := sharesFault(st.Line, "", name, st.Kind, st.SMs > 0 || st.Bandwidth > 0); f != nil {
		return f
	}
	if st.Bytes > MaxBytes {
		return faulty(st.Line, "at most 64GiB", "%s: a copy of %d bytes", name, st.Bytes)
	}
	switch {
	case st.Started && i == 0:
		return faulty(st.Line, "a stage before it", "%s: nothing starts it", name)
	case st.Started && pl.Layout != PerEngine:
		return faulty(st.Line, "streams per engine", "%s: a stage that another starts, with streams per micro-batch",
			name)
	case st.Started && pl.Stages[i-1].On() == st.On():
		return faulty(st.Line, "another engine, whose stream is another", "%s: started by a stage on its own engine",
			name)
	}
	return nil
}

// engines are those of the pipeline: the defaults when it gives none.
func (pl *Pipeline) engines() []Engine {
	if pl.Engines == nil {
		return DefaultEngines()
	}
	return pl.Engines
}
