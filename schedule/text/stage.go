package text

import (
	"time"

	"github.com/gpu-overlap/overlap/schedule"
)

func (r *pipelineReader) stage(l *line) error {
	kind, err := l.kind()
	if err != nil {
		return err
	}
	st := schedule.Stage{Kind: kind, Line: l.no}
	col := len(l.code) + 1
	if l.more() {
		col = l.toks[l.at].col
	}
	if err := durations(l, &st); err != nil {
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
func (r *pipelineReader) starts(l *line, kind schedule.Kind, col int) (err error) {
	word, _ := l.next("")
	if err := l.starter(word, kind); err != nil {
		return err
	}
	if r.lines["starts"] == 0 {
		r.lines["starts"], r.started = l.no, place{l.text, word.col}
	}
	st := schedule.Stage{Kind: kind, Started: true, Line: l.no}
	if err := durations(l, &st); err != nil {
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
		return l.errorf(word, "`on` another engine, whose stream is another",
			"a stage that starts another on its own engine")
	}
	r.pl.Stages = append(r.pl.Stages, st)
	r.places = append(r.places, place{l.text, col})
	return nil
}

// durations takes one duration, or one for each micro-batch.
func durations(l *line, st *schedule.Stage) (err error) {
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

// kind takes a kind of op.
func (l *line) kind() (schedule.Kind, error) {
	t, err := l.expect(kindNames[:]...)
	for k, name := range kindNames {
		if name == t.text {
			return schedule.Kind(k), err
		}
	}
	return 0, err
}

// kernel takes a kind of kernel.
func (l *line) kernel() (schedule.Kernel, error) {
	t, err := l.expect(schedule.Exact.String(), schedule.Nanosleep.String())
	if t.text == schedule.Nanosleep.String() {
		return schedule.Nanosleep, err
	}
	return schedule.Exact, err
}
