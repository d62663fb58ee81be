package text

import (
	"slices"
	"strconv"

	"github.com/gpu-overlap/overlap/schedule"
)

// call reads a line that is a call, or several.
func (r *spelledReader) call(l *line) error {
	f, ok := r.match(l)
	switch {
	case !ok:
		return r.unknown(l)
	case !f.whole:
		return r.misfit(l, f)
	}
	if err := r.operands(l, f); err != nil {
		return err
	}
	c, form := &r.read, &forms[f.form]
	if form.expand != nil {
		form.expand(r, l, c)
		return nil
	}
	if err := l.tail(&c.Instr); err != nil {
		return err
	}
	if form.scope == inProbe {
		r.sched.Args = append(r.sched.Args, c.args)
		c.Arg = int32(len(r.sched.Args))
	}
	r.issue(l, c)
	return nil
}

// issue adds a call, behind the waits that its op needs, and before the op that it starts.
func (r *spelledReader) issue(l *line, c *call) {
	if c.Op.Some() && c.Stream.Some() {
		r.awaitStarted(l, c.Stream, &r.sched.Intent.Ops[c.Op.Index()])
	}
	c.Line, c.Thread = l.no, r.thread
	r.sched.Issue = append(r.sched.Issue, c.Instr)
	if c.starts {
		r.issueStarted(l, c.Stream, c.Op.Index())
	}
}

const tailWant = "`want CODE` or the end of the line"

// tail reads what may stand behind every call: `intended`, where the host waits, and the code that it must return.
func (l *line) tail(in *schedule.Instr) (err error) {
	if l.peek() == "intended" && in.Verb.Blocks() {
		in.Intended = true
		l.at++
	}
	if !l.more() {
		return nil
	}
	if l.peek() != "want" {
		return l.tooMuch()
	}
	l.at++
	if in.Want, err = l.resultCode(); err != nil {
		return err
	}
	return l.end()
}

// tooMuch is the error of a word behind a call that is complete.
func (l *line) tooMuch() error {
	t := l.toks[l.at]
	return l.errorf(t, tailWant, "unexpected %s", quoted(t.text))
}

const maxCode = schedule.MaxCode

// resultCode takes the code that a call must return: a number or a name.
func (l *line) resultCode() (schedule.Code, error) {
	const want = "a code as 900 or CUDA_ERROR_NOT_READY"
	t, err := l.next(want)
	if err != nil {
		return 0, err
	}
	if code, ok := schedule.CodeNamed(t.text); ok {
		return code, nil
	}
	n, err := strconv.Atoi(t.text)
	if err != nil || n < 0 || n > maxCode {
		near := want
		if name := nearest(t.text, schedule.CodeNames()); name != "" {
			near = name
		}
		return 0, l.errorf(t, near, "unknown code %s", quoted(t.text))
	}
	return schedule.Code(n), nil
}

// modeNames are those of the capture modes, in their order.
var modeNames = []string{schedule.Global.String(), schedule.ThreadLocal.String(), schedule.Relaxed.String()}

// mode takes a capture mode: a name, or a number that the driver must refuse.
func (l *line) mode() (schedule.CaptureMode, error) {
	t, err := l.next(oneOf("", modeNames))
	if err != nil {
		return 0, err
	}
	if i := slices.Index(modeNames, t.text); i >= 0 {
		return schedule.CaptureMode(i), nil
	}
	l.at--
	n, err := l.count("a mode", -1, 9)
	if err != nil {
		return 0, l.errorf(t, oneOf(t.text, modeNames), "unknown mode %s", quoted(t.text))
	}
	return schedule.CaptureMode(n), nil
}

// api takes the name of a call.
func (l *line) api(onStream bool) (schedule.API, error) {
	var known []string
	for a := schedule.NoAPI + 1; a < schedule.NumAPIs; a++ {
		if a.OnStream() == onStream {
			known = append(known, a.String())
		}
	}
	t, err := l.next(oneOf("", known))
	if err != nil {
		return 0, err
	}
	for a := schedule.NoAPI + 1; a < schedule.NumAPIs; a++ {
		if a.OnStream() == onStream && a.String() == t.text {
			return a, nil
		}
	}
	return 0, l.errorf(t, oneOf(t.text, known), "unknown call %s", quoted(t.text))
}
