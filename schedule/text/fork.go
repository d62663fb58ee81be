package text

import (
	"fmt"

	"github.com/gpu-overlap/overlap/schedule"
)

// fork expands `STREAM: fork STREAMS`: the stream records a fresh event, and the others wait for it.
func (r *spelledReader) fork(l *line, c *call) {
	event := r.fresh("fork", &r.forks)
	r.add(l, schedule.Record, c.Stream, event)
	for _, s := range c.others {
		r.add(l, schedule.Wait, s, event)
	}
}

// join expands `STREAM: join STREAMS`: each of the others records a fresh event, and the stream waits for it.
func (r *spelledReader) join(l *line, c *call) {
	for _, s := range c.others {
		event := r.fresh("join", &r.joins)
		r.add(l, schedule.Record, s, event)
		r.add(l, schedule.Wait, c.Stream, event)
	}
}

// otherStreams takes the streams of a fork or join on stream origin.
func (r *spelledReader) otherStreams(l *line, origin schedule.Ref) ([]schedule.Ref, error) {
	verb := l.toks[l.at-1].text
	seen := map[schedule.Ref]bool{origin: true}
	var others []schedule.Ref
	for len(others) == 0 || l.more() {
		if l.peek() == "want" {
			return nil, l.errorf(l.toks[l.at], "record and wait spelled out, each with its code",
				"%s is several calls", verb)
		}
		s, err := r.stream(l)
		if err != nil {
			return nil, err
		}
		t := l.toks[l.at-1]
		switch {
		case s == origin:
			return nil, l.errorf(t, "other streams", "a %s of stream %s by itself", verb, t.text)
		case seen[s]:
			return nil, l.errorf(t, "it once", "a second stream %s", t.text)
		}
		seen[s] = true
		others = append(others, s)
	}
	return others, nil
}

// fresh is a new event named after kind and a number, which skips names that the file uses.
func (r *spelledReader) fresh(kind string, last *int) schedule.Ref {
	for {
		*last++
		if name := fmt.Sprintf("%s%d", kind, *last); !r.used[name] {
			return intern(r.events, &r.sched.Events, name)
		}
	}
}

// add adds a record or a wait that a line stands for beside others.
func (r *spelledReader) add(l *line, v schedule.Verb, stream, event schedule.Ref) {
	r.sched.Issue = append(r.sched.Issue, schedule.Instr{Verb: v, Stream: stream, Event: event, Line: l.no})
}
