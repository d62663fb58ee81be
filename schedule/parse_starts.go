package schedule

import "slices"

// start reads `starts NAME DURATION [on ENGINE]`: an op that another starts when it ends, and that then holds neither its
// stream nor its SMs. It gets a stream of its own, one for all that are started on an engine.
func (r *spelledReader) start(l *line, kind Kind) error {
	word := l.toks[l.at]
	l.at++
	if err := l.starter(word, kind); err != nil {
		return err
	}
	name, err := l.name("an op")
	if err != nil {
		return err
	}
	op := &r.sched.Intent.Ops[r.ops[name.text]]
	op.Kind = kind
	if op.Dur, err = r.duration(l); err != nil {
		return err
	}
	if l.peek() == "on" {
		l.at++
		if op.Engine, err = r.engines.use(l, kind); err != nil {
			return err
		}
	}
	for _, generated := range []string{r.engines.list[op.On()].Name + startedSuffix, l.word(starterName) + sentSuffix, name.text + doneSuffix} {
		if len(generated) > maxName {
			return l.errorf(word, "shorter names", "it makes a name of %d bytes, %s", len(generated), quoted(generated))
		}
	}
	if l.peek() == "want" {
		return l.errorf(l.toks[l.at], "the calls spelled out, each with its code", "starts is several calls")
	}
	return nil
}

// What is put behind the names of an engine, of an op that starts another, and of the other.
const (
	startedSuffix = ".started"
	sentSuffix    = ".sent"
	doneSuffix    = ".done"
)

const starterName = 3 // the word of a line that is the name of its op

// starter refuses to start a copy: it would need a size of its own.
func (l *line) starter(word token, kind Kind) error {
	if kind.Copies() {
		return l.errorf(word, "it only on kernels and host functions", "%s of a %s", word.text, kind)
	}
	return nil
}

// issueStarted issues the op that starter starts, behind an event that is recorded after it.
func (r *spelledReader) issueStarted(l *line, stream, starter int32) {
	r.expanded = true
	started := starter + 1 // declared right after it
	op := &r.sched.Intent.Ops[started]
	op.After = []int32{starter}
	own := r.startedStream(r.engines.list[op.On()].Name)
	sent := r.freshNamed(r.sched.Intent.Ops[starter].Name + sentSuffix)
	r.issue(l, Record, stream, sent)
	r.issue(l, Wait, own, sent)
	in := call(op.Kind.verb(), own)
	in.Op, in.Line = At(started), l.no
	r.sched.Issue = append(r.sched.Issue, in)
	r.started[started] = r.freshNamed(op.Name + doneSuffix)
	r.issue(l, Record, own, r.started[started])
}

// awaitStarted lets a stream wait for the started ops that an op is after.
func (r *spelledReader) awaitStarted(l *line, stream int32, op *Op) {
	for _, before := range op.After {
		if done, ok := r.started[before]; ok {
			r.issue(l, Wait, stream, done)
		}
	}
}

// startedStream is the stream of the ops that are started on an engine.
func (r *spelledReader) startedStream(engine string) int32 {
	id := r.streams[startedName(engine)] // was declared before
	if !slices.Contains(r.starts, id) {
		r.starts = append(r.starts, id)
	}
	return id
}

func startedName(engine string) string { return engine + startedSuffix }

// joinStarted lets main wait for the streams of started ops at the very end.
func (r *spelledReader) joinStarted() {
	for _, s := range r.starts {
		event := r.fresh("join", &r.joins)
		for _, c := range []struct {
			verb   Verb
			stream int32
		}{{Record, s}, {Wait, Origin}} {
			in := call(c.verb, c.stream)
			in.Event = At(event)
			r.sched.Issue = append(r.sched.Issue, in)
		}
	}
}

// freshNamed is a new event of that name, or, where the file uses it, of that name and underscores.
func (r *spelledReader) freshNamed(name string) int32 {
	for r.used[name] {
		name += "_"
	}
	r.used[name] = true
	return intern(r.events, &r.sched.Events, name)
}
