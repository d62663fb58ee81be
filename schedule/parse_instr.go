package schedule

import (
	"fmt"
	"slices"
	"strconv"
)

// verbs are what an instruction on a stream may do, and whether only a program section may do it.
var verbs = map[string]verbSpec{
	"computation": {known: true}, "communication": {known: true}, "host": {known: true}, "h2d": {known: true}, "d2h": {known: true},
	"record": {known: true}, "wait": {known: true}, "sync": {known: true}, "query": {known: true}, "fork": {known: true}, "join": {known: true},
	"begin": {true, true}, "end": {true, true}, "replay": {true, true},
}

type verbSpec struct{ known, rawOnly bool }

// destroyed are the objects of a destroy that is no form.
var destroyed = []string{"stream", "event"}

var (
	scheduleVerbs = []string{"computation", "communication", "host", "h2d", "d2h", "record", "wait", "fork", "join", "sync", "query"}
	programVerbs  = append(slices.Clone(scheduleVerbs), "begin", "end", "replay")
)

// instruction reads `STREAM: VERB ...`.
func (r *spelledReader) instruction(l *line) error {
	stream, err := r.stream(l)
	if err != nil {
		return err
	}
	l.at++ // the colon
	known := scheduleVerbs
	if r.raw {
		known = programVerbs
	}
	if !l.more() {
		_, err := l.next(oneOf("", known))
		return err
	}
	verb, _ := l.next("")
	spec, ok := verbs[verb.text]
	switch {
	case !ok && statements[verb.text] == programStatement && r.raw:
		return l.errorf(verb, fmt.Sprintf("`%s ...`", verb.text), "%s needs no stream", verb.text)
	case spec.rawOnly && !r.raw, !ok && statements[verb.text] == programStatement:
		return onlyInProgram(l, verb)
	case !ok:
		return l.errorf(verb, oneOf(verb.text, known), "unknown verb %s", quoted(verb.text))
	}
	in := Instr{Stream: stream}
	switch verb.text {
	case "computation", "communication", "host", "h2d", "d2h":
		return r.op(l, in)
	case "fork":
		return r.fork(l, stream.Index())
	case "join":
		return r.join(l, stream.Index())
	case "record":
		in.Verb = Record
		in.Event, err = r.event(l)
	case "wait":
		in.Verb = Wait
		in.Event, err = r.event(l)
	case "sync":
		in.Verb = SyncStream
	case "query":
		in.Verb = QueryStream
	case "begin":
		in.Verb = BeginCapture
		in.Mode, err = l.beginCapture()
	case "end":
		in.Verb = EndCapture
		if _, err = l.expect("capture"); err == nil {
			in.Graph, err = r.graph(l)
		}
	case "replay":
		in.Verb = Replay
		in.Graph, err = r.graph(l)
	}
	if err != nil {
		return err
	}
	return r.finish(l, in)
}

// bare reads a statement that needs no stream before it.
func (r *spelledReader) bare(l *line, verb string) (err error) {
	in := Instr{}
	object := token{}
	switch verb {
	case "sync":
		in.Verb = SyncEvent
		object, err = l.expect("event", "context")
	case "query":
		in.Verb = QueryEvent
		object, err = l.expect("event")
	case "destroy":
		in.Verb = DestroyEvent
		object, err = l.expect(destroyed...)
	case "instantiate":
		in.Verb = Instantiate
		in.Graph, err = r.graph(l)
	case "upload":
		in.Verb = Upload
		if in.Graph, err = r.graph(l); err == nil {
			in.Stream, err = r.stream(l)
		}
	}
	if err != nil {
		return err
	}
	switch object.text {
	case "event":
		in.Event, err = r.event(l)
	case "context":
		in.Verb = SyncContext
	case "stream":
		in.Verb = DestroyStream
		if name := l.peek(); name == mainName || name == legacyName || name == perThreadName {
			return l.errorf(l.toks[l.at], "a stream that was created", "%s cannot be destroyed", name)
		}
		in.Stream, err = r.stream(l)
	}
	if err != nil {
		return err
	}
	return r.finish(l, in)
}

// finish reads the end of an instruction, and issues it.
func (r *spelledReader) finish(l *line, in Instr) error {
	if l.peek() == "intended" && in.Verb.Blocks() {
		in.Intended = true
		l.at++
	}
	if l.more() {
		t := l.toks[l.at]
		if t.text != "want" {
			return l.errorf(t, "`want CODE` or the end of the line", "unexpected %s", quoted(t.text))
		}
		l.at++
		var err error
		if in.Want, err = l.resultCode(); err != nil {
			return err
		}
	}
	if err := l.end(); err != nil {
		return err
	}
	in.Line, in.Thread = l.no, r.thread
	r.sched.Issue = append(r.sched.Issue, in)
	return nil
}

const maxCode = 9999 // CUDA's last is 999

// resultCode takes the code that a call must return: a number or a name.
func (l *line) resultCode() (Code, error) {
	const want = "a code as 900 or CUDA_ERROR_NOT_READY"
	t, err := l.next(want)
	if err != nil {
		return 0, err
	}
	var names []string
	for code, name := range codeNames {
		if name == t.text {
			return code, nil
		}
		names = append(names, name)
	}
	n, err := strconv.Atoi(t.text)
	if err != nil || n < 0 || n > maxCode {
		slices.Sort(names)
		near := want
		if name := nearest(t.text, names); name != "" {
			near = name
		}
		return 0, l.errorf(t, near, "unknown code %s", quoted(t.text))
	}
	return Code(n), nil
}

func (l *line) beginCapture() (CaptureMode, error) {
	if _, err := l.expect("capture"); err != nil || !l.more() || l.peek() == "want" {
		return Global, err
	}
	return l.mode()
}

// stream takes the name of a known stream.
func (r *spelledReader) stream(l *line) (Ref, error) {
	t, err := l.next("a stream")
	if err != nil {
		return Ref{}, err
	}
	id, ok := r.streams[t.text]
	if !ok {
		known := []string{mainName, legacyName}
		for _, s := range r.sched.Streams[1:] {
			if s.Kind != Legacy {
				known = append(known, s.Name)
			}
		}
		return Ref{}, l.errorf(t, oneOf(t.text, known), "unknown stream %s", quoted(t.text))
	}
	return At(id), nil
}

// event takes the name of an event. In a schedule some instruction must record it; raw calls may do without.
func (r *spelledReader) event(l *line) (Ref, error) {
	if r.raw && l.peek() == nullName {
		l.at++
		return Null, nil
	}
	t, err := l.name("an event")
	if err != nil {
		return Ref{}, err
	}
	if !r.recorded[t.text] && !r.raw {
		var known []string
		for name := range r.recorded {
			known = append(known, name)
		}
		slices.Sort(known)
		want := "`record " + t.text + "` on some stream"
		if near := nearest(t.text, known); near != "" {
			want = near + ", or " + want
		}
		return Ref{}, l.errorf(t, want, "no instruction records event %s", t.text)
	}
	return At(intern(r.events, &r.sched.Events, t.text)), nil
}

// graph takes the name of a graph that some instruction captures.
func (r *spelledReader) graph(l *line) (Ref, error) {
	if l.peek() == nullName {
		l.at++
		return Null, nil
	}
	t, err := l.name("a graph")
	if err != nil {
		return Ref{}, err
	}
	id, ok := r.graphIDs[t.text]
	if !ok {
		want := "`end capture " + t.text + "` on some stream"
		if near := nearest(t.text, r.graphs); near != "" {
			want = near + ", or " + want
		}
		return Ref{}, l.errorf(t, want, "no instruction captures graph %s", t.text)
	}
	return At(id), nil
}
