package schedule

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// spelledReader reads a section whose lines are calls. It passes the section twice: names are declared first, so that a
// line may name what stands below it, then each line becomes calls.
type spelledReader struct {
	raw      bool // a program section
	sched    *Schedule
	graphs   []string
	engines  engineTable
	streams  map[string]int32
	events   map[string]int32 // by the order in which calls use them
	ops      map[string]int32
	buffers  map[string]int32
	graphIDs map[string]int32

	used      map[string]bool // events that the file names, so that those of fork and join get other names
	recorded  map[string]bool
	forked    []string // streams that a fork declares, unless a stream statement does
	legacy    bool     // some line names the legacy stream
	perThread bool     // or the default stream of a thread
	thread    int32    // that makes the calls from here on
	kernels   int32    // the line of the statement
	slow      int32    // likewise
	env       []string
	timed     int32           // the line of the statement
	timedAt   int32           // the number of calls before it; None without it
	started   map[int32]int32 // by op that another starts, once it is issued: the event after it
	starting  map[int32]bool  // ops that others start, wherever they stand
	starts    []int32         // the streams of started ops
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
	c.Schedule = Schedule{Name: c.Name, File: c.File, Streams: []Stream{{Name: mainName, Kind: Legacy}}}
	r := &spelledReader{raw: c.Raw, sched: &c.Schedule, engines: engines,
		streams: map[string]int32{mainName: Origin}, events: map[string]int32{}, ops: map[string]int32{},
		buffers: map[string]int32{}, graphIDs: map[string]int32{}, used: map[string]bool{}, recorded: map[string]bool{},
		timedAt: None, started: map[int32]int32{}, starting: map[int32]bool{}}
	r.sched.Intent.Engines = engines.list
	most := min(strings.Count(sec.body, "\n"), len(sec.body)/len("a:host b 1s\n")) // ops
	r.sched.Intent.Ops = make([]Op, 0, most)
	r.sched.Issue = make([]Instr, 0, most)
	if err := sec.each(r.declare); err != nil {
		return err
	}
	r.declareStreams()
	if err := sec.each(r.statement); err != nil {
		return err
	}
	r.joinStarted()
	c.Graphs, c.Env, c.Timed = r.graphs, r.env, At(r.timedAt)
	c.Expanded = r.expanded || strings.Contains(sec.body, "repeat")
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
	r.legacy = r.legacy || slices.ContainsFunc(l.toks, func(t token) bool { return t.text == legacyName })
	r.perThread = r.perThread || r.raw && slices.ContainsFunc(l.toks, func(t token) bool { return t.text == perThreadName })
	if r.raw {
		r.declareNamed(l)
	}
	verb, object := l.word(0), l.word(1)
	if object == ":" {
		verb, object = l.word(2), l.word(3)
		l.at = 3
	} else {
		l.at = 1
	}
	switch verb {
	case "computation", "communication", "host", "h2d", "d2h":
		return r.declareOp(l)
	case "record":
		r.used[object], r.recorded[object] = true, true
	case "wait":
		r.used[object] = true
	case "sync", "query", "destroy":
		if object == "event" {
			r.used[l.word(l.at+1)] = true
		}
	case "fork":
		for _, t := range l.toks[l.at:] {
			r.forked = append(r.forked, t.text)
		}
	case "end":
		if g := l.word(l.at + 1); r.raw && validName(g) {
			intern(r.graphIDs, &r.graphs, g)
		}
	case "stream":
		if l.at == 1 {
			return r.declareStream(l)
		}
	case "repeat": // a block is not visited by its first line
		if l.at == 1 {
			return l.errorf(l.toks[0], "`end` alone on a line after it", "a repeat without an end")
		}
	}
	return nil
}

func (r *spelledReader) declareOp(l *line) error {
	if l.at == 1 || !l.more() { // no stream, no name
		return nil
	}
	name, err := l.name("an op")
	if err != nil {
		return err
	}
	if id, ok := r.ops[name.text]; ok {
		return l.errorf(name, "a name for each op", "op %s is already on line %d", name.text, r.sched.Intent.Ops[id].Line)
	}
	id := int32(len(r.sched.Intent.Ops))
	if id >= maxOps {
		return l.errorf(name, fmt.Sprintf("at most %d", maxOps), "too many ops")
	}
	r.ops[strings.Clone(name.text)] = id
	r.sched.Intent.Ops = append(r.sched.Intent.Ops, Op{Name: strings.Clone(name.text), Line: l.no})
	if at := slices.IndexFunc(l.toks, func(t token) bool { return t.text == "starts" }); at >= l.at {
		engine := l.word(2) // the kind, whose name a built-in engine may have
		if k := slices.Index(kindNames[:], engine); k >= 0 {
			engine = r.engines.list[k].Name
		}
		if l.word(at+3) == "on" {
			engine = l.word(at + 4)
		}
		r.forked = append(r.forked, startedName(engine))
		l.at = at + 1
		r.starting[int32(len(r.sched.Intent.Ops))] = true
		return r.declareOp(l)
	}
	return nil
}

// declareStream reads `stream a b [blocking] [priority N]`.
func (r *spelledReader) declareStream(l *line) error {
	first := len(r.sched.Streams)
	for l.more() && l.peek() != "blocking" && l.peek() != "priority" {
		t := l.toks[l.at]
		if t.text == mainName || t.text == legacyName {
			return l.errorf(t, "another name", "stream %s is always there", t.text)
		}
		if _, err := l.name("a stream"); err != nil {
			return err
		}
		if _, ok := r.streams[t.text]; ok {
			return l.errorf(t, "it once", "stream %s is already declared", t.text)
		}
		r.addStream(Stream{Name: t.text, Kind: NonBlocking})
	}
	if len(r.sched.Streams) == first {
		_, err := l.name("a stream")
		return err
	}
	var attr Stream
	seen := map[string]bool{}
	for l.more() {
		t, err := l.expect("blocking", "priority")
		if err != nil {
			return err
		}
		if seen[t.text] {
			return l.errorf(t, "it once", "a second %s", quoted(t.text))
		}
		seen[t.text] = true
		if t.text == "blocking" {
			attr.Kind = Blocking
			continue
		}
		n, err := l.count("a priority", -maxPriority, maxPriority)
		if err != nil {
			return err
		}
		attr.Priority = int32(n)
	}
	for i := range r.sched.Streams[first:] {
		s := &r.sched.Streams[first+i]
		s.Kind, s.Priority = attr.Kind, attr.Priority
	}
	return nil
}

const (
	maxPriority = 100
	maxThread   = 7
)

func (r *spelledReader) addStream(s Stream) {
	r.streams[s.Name] = int32(len(r.sched.Streams))
	r.sched.Streams = append(r.sched.Streams, s)
}

// declareStreams gives ids to the streams of forks, then to the legacy stream, which thus is the last.
func (r *spelledReader) declareStreams() {
	for _, name := range r.forked {
		if _, ok := r.streams[name]; !ok && validName(name) && !reserved(name) {
			r.addStream(Stream{Name: name, Kind: NonBlocking})
		}
	}
	if r.legacy {
		r.addStream(Stream{Name: legacyName, Kind: Legacy})
	}
	if r.perThread {
		r.addStream(Stream{Name: perThreadName, Kind: PerThread})
	}
}

// statement turns a line into calls.
func (r *spelledReader) statement(l *line) error {
	class, err := classOf(l)
	if err != nil {
		return err
	}
	if class >= programStatement && !r.raw {
		return onlyInProgram(l, l.toks[0])
	}
	if r.raw {
		is, err := r.probeCall(l)
		if is || err != nil && (class == probeStatement || l.word(1) == ":" && !verbs[l.word(2)].known || l.word(0) == "destroy" && !slices.Contains(destroyed, l.word(1))) {
			return err
		}
	}
	if l.word(1) == ":" {
		return r.instruction(l)
	}
	word, _ := l.next("")
	switch {
	case class == pipelineStatement && r.raw:
		return l.errorf(word, "instructions", "a pipeline stands only in a schedule section")
	case class == pipelineStatement:
		return l.errorf(word, "either stages or instructions", "%s among instructions", word.text)
	case word.text == "engine" || word.text == "stream": // was declared before
		return nil
	case word.text == "thread":
		n, err := l.count("a thread", 0, maxThread)
		r.thread = int32(n)
		if err != nil {
			return err
		}
		return l.end()
	case word.text == "slow":
		if r.slow > 0 {
			return l.errorf(word, "it once", "slow is already on line %d", r.slow)
		}
		r.slow = l.no
		if r.sched.HostDelay, err = l.slowHost(); err != nil {
			return err
		}
		return l.end()
	case word.text == "env":
		r.env, err = l.env(r.env)
		return err
	case word.text == "timed":
		if r.timed > 0 {
			return l.errorf(word, "it once", "timed is already on line %d", r.timed)
		}
		r.timed, r.timedAt = l.no, int32(len(r.sched.Issue))
		if op, found := uncaptured(r.sched.Issue); found {
			return l.errorf(word, "ops in a capture before it, or behind it", "op %s, on line %d, is issued before what is timed",
				r.sched.Intent.Ops[op.Op.Index()].Name, op.Line)
		}
		return l.end()
	case word.text == "kernels":
		if r.kernels > 0 {
			return l.errorf(word, "it once", "kernels is already on line %d", r.kernels)
		}
		r.kernels = l.no
		kernel, err := l.kernel()
		if err != nil {
			return err
		}
		for i := range r.sched.Intent.Ops {
			r.sched.Intent.Ops[i].Kernel = kernel
		}
		return l.end()
	}
	return r.bare(l, word.text)
}

// uncaptured finds an op that is issued while nothing captures: it would count, and never be timed.
func uncaptured(calls []Instr) (Instr, bool) {
	open := 0
	for _, in := range calls {
		switch {
		case in.Verb == BeginCapture:
			open++
		case in.Verb == EndCapture:
			open--
		case in.Op.Some() && open <= 0:
			return in, true
		}
	}
	return Instr{}, false
}

func onlyInProgram(l *line, t token) error {
	return l.errorf(t, "the calls between them: giant, eager and replay are derived from these", "%s stands only in a program section", t.text)
}

// intern gives the id of a name, a new one when it has none.
func intern(ids map[string]int32, names *[]string, name string) int32 {
	id, ok := ids[name]
	if !ok {
		id = int32(len(*names))
		name = strings.Clone(name)
		ids[name] = id
		*names = append(*names, name)
	}
	return id
}
