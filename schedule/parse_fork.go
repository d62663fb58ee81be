package schedule

import "fmt"

// fork reads `S: fork a b`: S records a fresh event, and a and b wait for it.
func (r *spelledReader) fork(l *line, origin int32) error {
	others, err := r.otherStreams(l, origin)
	if err != nil {
		return err
	}
	event := r.fresh("fork", &r.forks)
	r.issue(l, Record, origin, event)
	for _, s := range others {
		r.issue(l, Wait, s, event)
	}
	return nil
}

// join reads `S: join a b`: a and b each record a fresh event, and S waits for both.
func (r *spelledReader) join(l *line, origin int32) error {
	others, err := r.otherStreams(l, origin)
	if err != nil {
		return err
	}
	for _, s := range others {
		event := r.fresh("join", &r.joins)
		r.issue(l, Record, s, event)
		r.issue(l, Wait, origin, event)
	}
	return nil
}

// otherStreams takes the streams of a fork or join on stream origin.
func (r *spelledReader) otherStreams(l *line, origin int32) ([]int32, error) {
	verb := l.toks[l.at-1].text
	seen := map[int32]bool{origin: true}
	var others []int32
	for len(others) == 0 || l.more() {
		if l.peek() == "want" {
			return nil, l.errorf(l.toks[l.at], "record and wait spelled out, each with its code", "%s is several calls", verb)
		}
		other, err := r.stream(l)
		if err != nil {
			return nil, err
		}
		id := other.Index()
		t := l.toks[l.at-1]
		if id == origin {
			return nil, l.errorf(t, "other streams", "a %s of stream %s by itself", verb, t.text)
		}
		if seen[id] {
			return nil, l.errorf(t, "it once", "a second stream %s", t.text)
		}
		seen[id] = true
		others = append(others, id)
	}
	return others, nil
}

// fresh is a new event named after kind and a number, which skips names that the file uses.
func (r *spelledReader) fresh(kind string, last *int) int32 {
	for {
		*last++
		if name := fmt.Sprintf("%s%d", kind, *last); !r.used[name] {
			return intern(r.events, &r.sched.Events, name)
		}
	}
}

func (r *spelledReader) issue(l *line, v Verb, stream, event int32) {
	in := call(v, stream)
	in.Event, in.Line = At(event), l.no
	r.sched.Issue = append(r.sched.Issue, in)
}
