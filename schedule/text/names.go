package text

import (
	"slices"
	"strings"

	"github.com/gpu-overlap/overlap/schedule"
)

// Streams that need no declaration.
const (
	mainName      = "main"       // Streams[Origin]
	legacyName    = "legacy"     // the legacy default stream, whatever main is
	perThreadName = "per-thread" // in a program: the default stream of the thread that makes the call
)

// nullName is how a handle that is NULL is spelled.
const nullName = "null"

// kindNames are those of the kinds of op, in their order.
var kindNames = func() (list []string) {
	for k := range schedule.NumKinds {
		list = append(list, k.String())
	}
	return list
}()

// kindNamed finds a kind by its name.
func kindNamed(name string) (schedule.Kind, bool) {
	i := slices.Index(kindNames, name)
	return schedule.Kind(max(i, 0)), i >= 0
}

// streamOf takes the name of a known stream, for a call: what is always there cannot be destroyed.
func (r *spelledReader) streamOf(l *line, v schedule.Verb) (schedule.Ref, error) {
	s, err := r.stream(l)
	if err == nil && v == schedule.DestroyStream && !r.sched.Streams[s.Index()].Kind.Created() {
		t := l.toks[l.at-1]
		err = l.errorf(t, "a stream that was created", "%s cannot be destroyed", t.text)
	}
	return s, err
}

// stream takes the name of a known stream.
func (r *spelledReader) stream(l *line) (schedule.Ref, error) {
	t, err := l.next("a stream")
	if err != nil {
		return schedule.Ref{}, err
	}
	id, ok := r.streams[t.text]
	if !ok {
		known := []string{mainName, legacyName}
		for _, s := range r.sched.Streams[1:] {
			if s.Kind != schedule.Legacy {
				known = append(known, s.Name)
			}
		}
		return schedule.Ref{}, l.errorf(t, oneOf(t.text, known), "unknown stream %s", quoted(t.text))
	}
	return schedule.At(id), nil
}

// event takes the name of an event. In a schedule some instruction must record it; raw calls may do without.
func (r *spelledReader) event(l *line) (schedule.Ref, error) {
	if r.raw && l.peek() == nullName {
		l.at++
		return schedule.Null, nil
	}
	t, err := l.name("an event")
	if err != nil {
		return schedule.Ref{}, err
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
		return schedule.Ref{}, l.errorf(t, want, "no instruction records event %s", t.text)
	}
	return intern(r.events, &r.sched.Events, t.text), nil
}

// graph takes the name of a graph that some instruction captures or makes.
func (r *spelledReader) graph(l *line) (schedule.Ref, error) {
	if l.peek() == nullName {
		l.at++
		return schedule.Null, nil
	}
	t, err := l.name("a graph")
	if err != nil {
		return schedule.Ref{}, err
	}
	id, ok := r.graphIDs[t.text]
	if !ok {
		want := "`end capture " + t.text + "` on some stream"
		if near := nearest(t.text, r.graphs); near != "" {
			want = near + ", or " + want
		}
		return schedule.Ref{}, l.errorf(t, want, "no instruction captures graph %s", t.text)
	}
	return id, nil
}

func (r *spelledReader) newNode(l *line) (schedule.Ref, error) {
	t, err := l.name("a node")
	if err != nil {
		return schedule.Ref{}, err
	}
	_, isOp := r.ops[t.text]
	if isOp || slices.Contains(r.sched.Nodes, t.text) {
		return schedule.Ref{}, l.errorf(t, "another name", "node %s is there already", t.text)
	}
	r.sched.Nodes = append(r.sched.Nodes, strings.Clone(t.text))
	return schedule.At(int32(len(r.ops) + len(r.sched.Nodes) - 1)), nil
}

// node takes the name of an op, or of a node that was named before.
func (r *spelledReader) node(l *line) (schedule.Ref, error) {
	t, err := l.next("a node")
	if err != nil {
		return schedule.Ref{}, err
	}
	if t.text == nullName {
		return schedule.Null, nil
	}
	if id, ok := r.ops[t.text]; ok {
		return schedule.At(id), nil
	}
	if i := slices.Index(r.sched.Nodes, t.text); i >= 0 {
		return schedule.At(int32(len(r.ops) + i)), nil
	}
	return schedule.Ref{}, l.errorf(t, "an op, or a node that a line above names", "unknown node %s", quoted(t.text))
}

// intern finds a name, and adds it where it is new.
func intern(ids map[string]schedule.Ref, names *[]string, name string) schedule.Ref {
	id, ok := ids[name]
	if !ok {
		id = schedule.At(int32(len(*names)))
		name = strings.Clone(name)
		ids[name] = id
		*names = append(*names, name)
	}
	return id
}
