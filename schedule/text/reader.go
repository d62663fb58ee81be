package text

import (
	"slices"
	"strings"
	"time"

	"github.com/gpu-overlap/overlap/schedule"
)

// spelledReader reads a section whose lines are calls. It passes the section twice: names are declared first, so that a
// line may name what stands below it, then each line becomes calls.
type spelledReader struct {
	raw      bool // a program section
	sched    *schedule.Schedule
	read     call // that of the line
	graphs   []string
	engines  engineTable
	streams  map[string]int32
	events   map[string]schedule.Ref // by the order in which calls use them
	ops      map[string]int32
	buffers  map[string]schedule.Ref
	graphIDs map[string]schedule.Ref

	used      map[string]bool // events that the file names, so that those of fork and join get other names
	recorded  map[string]bool
	forked    []string         // streams that a fork declares, unless a stream statement does
	legacy    bool             // some line names the legacy stream
	perThread bool             // or the default stream of a thread
	thread    int32            // that makes the calls from here on
	once      map[string]int32 // the lines of the statements that may stand once
	env       []string
	timed     schedule.Ref           // the calls before it are not timed; none without such a line
	started   map[int32]schedule.Ref // by op that another starts, once it is issued: the event after it
	starting  map[int32]bool         // ops that others start, wherever they stand
	starts    []schedule.Ref         // the streams of started ops
	expanded  bool
	forks     int // the number of the last event of a fork
	joins     int
	total     time.Duration // of the ops so far
}

func (c *Case) parseSpelled(sec *section) error {
	engines, err := declareEngines(sec)
	if err != nil {
		return err
	}
	c.Kind = SpelledCase
	if c.Raw {
		c.Kind = ProgramCase
	}
	main := schedule.Stream{Name: mainName, Kind: schedule.Legacy}
	c.Schedule = schedule.Schedule{Name: c.Name, File: c.File, Streams: []schedule.Stream{main}}
	r := &spelledReader{raw: c.Raw, sched: &c.Schedule, engines: engines,
		streams:  map[string]int32{mainName: schedule.Origin},
		events:   map[string]schedule.Ref{},
		ops:      map[string]int32{},
		buffers:  map[string]schedule.Ref{},
		graphIDs: map[string]schedule.Ref{},
		used:     map[string]bool{},
		recorded: map[string]bool{},
		once:     map[string]int32{},
		started:  map[int32]schedule.Ref{},
		starting: map[int32]bool{}}
	r.sched.Intent.Engines = engines.list
	most := min(strings.Count(sec.body, "\n"), len(sec.body)/len("a:host b 1s\n")) // ops
	r.sched.Intent.Ops = make([]schedule.Op, 0, most)
	r.sched.Issue = make([]schedule.Instr, 0, most)
	if err := sec.each(r.declare); err != nil {
		return err
	}
	r.declareStreams()
	if err := sec.each(r.statement); err != nil {
		return err
	}
	r.joinStarted()
	c.Graphs, c.Env, c.Timed = r.graphs, r.env, r.timed
	c.Expanded = r.expanded || strings.Contains(sec.body, "repeat")
	return r.check(sec)
}

// check is what only the whole section shows.
func (r *spelledReader) check(sec *section) error {
	switch {
	case len(r.sched.Issue) == 0:
		return sec.errorf("instructions as `main: record e`", "the section %s is empty", sec.name)
	case len(r.ops) == 0 && !r.raw:
		return sec.errorf("at least one op, as `main: computation A 1ms`", "the schedule has no ops")
	}
	if err := pairs(sec, len(r.ops), len(r.sched.Streams)); err != nil {
		return err
	}
	return r.checkAfter(sec)
}

// declare collects what a line introduces. A line that makes no sense is left to the second pass.
func (r *spelledReader) declare(l *line) error {
	r.legacy = r.legacy || l.mentions(legacyName)
	r.perThread = r.perThread || r.raw && l.mentions(perThreadName)
	if s, ok := l.statement(); ok {
		if s.declare == nil {
			return nil
		}
		l.at = 1
		return s.declare(r, l)
	}
	f, ok := r.match(l)
	if !ok {
		return nil
	}
	for k := range f.words {
		op := words[f.form][k].operand
		if op == nil || op.declare == nil {
			continue
		}
		if err := op.declare(r, l, forms[f.form].verb, int(f.at[k])); err != nil {
			return err
		}
	}
	return nil
}

// mentions says whether a word stands anywhere in the line.
func (l *line) mentions(word string) bool {
	return slices.ContainsFunc(l.toks, func(t token) bool { return t.text == word })
}

func (r *spelledReader) declareEvent(l *line, v schedule.Verb, at int) error {
	r.used[l.word(at)] = true
	if v == schedule.Record {
		r.recorded[l.word(at)] = true
	}
	return nil
}

func (r *spelledReader) declareGraph(l *line, _ schedule.Verb, at int) error {
	if name := l.word(at); validName(name) && name != nullName {
		intern(r.graphIDs, &r.graphs, name)
	}
	return nil
}

func (r *spelledReader) declareForked(l *line, _ schedule.Verb, at int) error {
	if l.word(at-1) == "fork" {
		for _, t := range l.toks[at:] {
			r.forked = append(r.forked, t.text)
		}
	}
	return nil
}

// addStream adds a stream that no line named before.
func (r *spelledReader) addStream(s schedule.Stream) {
	r.streams[s.Name] = int32(len(r.sched.Streams))
	r.sched.Streams = append(r.sched.Streams, s)
}

// declareStreams gives ids to the streams of forks, then to the legacy stream, which thus is the last.
func (r *spelledReader) declareStreams() {
	for _, name := range r.forked {
		if _, ok := r.streams[name]; !ok && validName(name) && !reserved(name) {
			r.addStream(schedule.Stream{Name: name, Kind: schedule.NonBlocking})
		}
	}
	if r.legacy {
		r.addStream(schedule.Stream{Name: legacyName, Kind: schedule.Legacy})
	}
	if r.perThread {
		r.addStream(schedule.Stream{Name: perThreadName, Kind: schedule.PerThread})
	}
}
