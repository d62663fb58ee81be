package text

import (
	"slices"

	"github.com/gpu-overlap/overlap/schedule"
)

// What is put behind the names of an engine, of an op that starts another, and of the other.
const (
	startedSuffix = ".started"
	sentSuffix    = ".sent"
	doneSuffix    = ".done"
)

// start reads `starts NAME DURATION [on ENGINE]` behind an op: another op, which it starts when it ends, and which then
// holds neither its stream nor its SMs. It gets a stream of its own, one for all that are started on an engine.
func (r *spelledReader) start(l *line, c *call) error {
	word := l.toks[l.at]
	l.at++
	starter := &r.sched.Intent.Ops[c.Op.Index()]
	if err := l.starter(word, starter.Kind); err != nil {
		return err
	}
	if c.Verb != starter.Kind.Verb() {
		return l.errorf(word, "it in `STREAM: OP`", "starts in such a call")
	}
	name, err := l.name("an op")
	if err != nil {
		return err
	}
	op := &r.sched.Intent.Ops[r.ops[name.text]]
	op.Kind = starter.Kind
	if op.Dur, err = r.duration(l); err != nil {
		return err
	}
	if l.peek() == "on" {
		l.at++
		if op.Engine, err = r.engines.use(l, op.Kind); err != nil {
			return err
		}
	}
	for _, made := range []string{r.engines.list[op.On()].Name + startedSuffix, starter.Name + sentSuffix,
		op.Name + doneSuffix} {
		if len(made) > maxName {
			return l.errorf(word, "shorter names", "it makes a name of %d bytes, %s", len(made), quoted(made))
		}
	}
	if l.peek() == "want" {
		return l.errorf(l.toks[l.at], "the calls spelled out, each with its code", "starts is several calls")
	}
	c.starts = true
	return nil
}

// starter refuses to start a copy: it would need a size of its own.
func (l *line) starter(word token, kind schedule.Kind) error {
	if kind.Copies() {
		return l.errorf(word, "it only on kernels and host functions", "%s of a %s", word.text, kind)
	}
	return nil
}

// declareStarted collects the op that the line's op starts, and its stream. at is where the kind stands.
func (r *spelledReader) declareStarted(l *line, at int) error {
	starts := slices.IndexFunc(l.toks, func(t token) bool { return t.text == "starts" })
	if starts <= at+1 {
		return nil
	}
	kind, _ := kindNamed(l.word(at))
	engine := r.engines.list[kind].Name
	if l.word(starts+3) == "on" {
		engine = l.word(starts + 4)
	}
	r.forked = append(r.forked, startedName(engine))
	r.starting[int32(len(r.sched.Intent.Ops))] = true
	return r.declareName(l, starts+1)
}

// issueStarted issues the op that starter starts, behind an event that is recorded after it.
func (r *spelledReader) issueStarted(l *line, stream schedule.Ref, starter int32) {
	r.expanded = true
	started := starter + 1 // declared right after it
	op := &r.sched.Intent.Ops[started]
	op.After = []int32{starter}
	own := r.startedStream(r.engines.list[op.On()].Name)
	sent := r.freshNamed(r.sched.Intent.Ops[starter].Name + sentSuffix)
	r.add(l, schedule.Record, stream, sent)
	r.add(l, schedule.Wait, own, sent)
	r.sched.Issue = append(r.sched.Issue, schedule.Instr{Verb: op.Kind.Verb(), Stream: own, Op: schedule.At(started),
		Line: l.no})
	r.started[started] = r.freshNamed(op.Name + doneSuffix)
	r.add(l, schedule.Record, own, r.started[started])
}

// awaitStarted lets a stream wait for the started ops that an op is after.
func (r *spelledReader) awaitStarted(l *line, stream schedule.Ref, op *schedule.Op) {
	for _, before := range op.After {
		if done, ok := r.started[before]; ok {
			r.add(l, schedule.Wait, stream, done)
		}
	}
}

// startedStream is the stream of the ops that are started on an engine.
func (r *spelledReader) startedStream(engine string) schedule.Ref {
	s := schedule.At(r.streams[startedName(engine)]) // was declared before
	if !slices.Contains(r.starts, s) {
		r.starts = append(r.starts, s)
	}
	return s
}

func startedName(engine string) string { return engine + startedSuffix }

// joinStarted lets main wait for the streams of started ops at the very end.
func (r *spelledReader) joinStarted() {
	nowhere := &line{}
	for _, s := range r.starts {
		event := r.fresh("join", &r.joins)
		r.add(nowhere, schedule.Record, s, event)
		r.add(nowhere, schedule.Wait, schedule.At(schedule.Origin), event)
	}
}

// freshNamed is a new event of that name, or, where the file uses it, of that name and underscores.
func (r *spelledReader) freshNamed(name string) schedule.Ref {
	for r.used[name] {
		name += "_"
	}
	r.used[name] = true
	return intern(r.events, &r.sched.Events, name)
}
