package text

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gpu-overlap/overlap/schedule"
)

// declareOp collects the op whose kind stands at a word of the line, and the one that it starts.
func (r *spelledReader) declareOp(l *line, at int) error {
	if at+1 >= len(l.toks) { // no name
		return nil
	}
	if err := r.declareName(l, at+1); err != nil {
		return err
	}
	return r.declareStarted(l, at)
}

// declareName adds the op whose name stands at a word of the line.
func (r *spelledReader) declareName(l *line, at int) error {
	l.at = at
	name, err := l.name("an op")
	if err != nil {
		return err
	}
	if id, ok := r.ops[name.text]; ok {
		return l.errorf(name, "a name for each op", "op %s is already on line %d", name.text,
			r.sched.Intent.Ops[id].Line)
	}
	id := int32(len(r.sched.Intent.Ops))
	if id >= maxOps {
		return l.errorf(name, fmt.Sprintf("at most %d", maxOps), "too many ops")
	}
	own := strings.Clone(name.text)
	r.ops[own] = id
	r.sched.Intent.Ops = append(r.sched.Intent.Ops, schedule.Op{Name: own, Line: l.no})
	return nil
}

// op reads `KIND NAME DURATION [SIZE [pinned|pageable]] [sms P% [waves N]] [bandwidth P%] [after X Y] [reads b] [writes
// b] [on ENGINE] [starts NAME DURATION [on ENGINE]]`.
func (r *spelledReader) op(l *line, c *call) error {
	kind, _ := kindNamed(l.toks[l.at].text)
	l.at++
	name, err := l.name("an op")
	if err != nil {
		return err
	}
	c.Op = schedule.At(r.ops[name.text])
	if c.Verb == schedule.Launch {
		c.Verb = kind.Verb()
	}
	op := &r.sched.Intent.Ops[c.Op.Index()]
	op.Kind = kind
	if op.Dur, err = r.duration(l); err != nil {
		return err
	}
	var f footprint
	if kind.Copies() {
		if err := f.copied(l); err != nil {
			return err
		}
	}
	if err := r.clauses(l, op, &f); err != nil {
		return err
	}
	f.give(op)
	if l.peek() == "starts" {
		return r.start(l, c)
	}
	return nil
}

// duration takes the duration of an op.
func (r *spelledReader) duration(l *line) (time.Duration, error) {
	at := l.at
	d, err := l.duration(maxOp)
	if err != nil {
		return 0, err
	}
	if r.total += d; r.total > maxTotal {
		return 0, l.errorf(l.toks[at], "a sum of at most 24h",
			"up to here the durations of all ops add up to more than 24h")
	}
	return d, nil
}

// clauses reads what may follow in any order, up to `starts` or `want`.
func (r *spelledReader) clauses(l *line, op *schedule.Op, f *footprint) (err error) {
	var reads, writes []string
	seen := map[string]bool{}
	for l.more() && l.peek() != "want" && l.peek() != "starts" {
		t := l.toks[l.at]
		if !slices.Contains(opClauses, t.text) && !(t.text == "waves" && r.raw) {
			return l.errorf(t, oneOf(t.text, append(opClauses, "want")), "unexpected %s", quoted(t.text))
		}
		if seen[t.text] {
			return l.errorf(t, "it once", "a second %s", quoted(t.text))
		}
		seen[t.text] = true
		l.at++
		switch t.text {
		case "after":
			op.After, err = r.after(l)
		case "reads":
			reads, err = l.names("a buffer")
		case "writes":
			writes, err = l.names("a buffer")
		case "on":
			op.Engine, err = r.engines.use(l, op.Kind)
		case "waves":
			if l.word(l.at-3) != "sms" {
				return l.errorf(t, "it right behind `sms P%`", "waves of a grid of unknown size")
			}
			fallthrough
		default:
			err = f.clause(l, t, op.Kind)
		}
		if err != nil {
			return err
		}
	}
	// Buffers get their ids in this order whatever the order of the clauses, so that printing and parsing keeps the
	// ids.
	op.Reads, op.Writes = r.bufferIDs(reads), r.bufferIDs(writes)
	return nil
}

func (r *spelledReader) bufferIDs(names []string) (ids []int32) {
	for _, b := range names {
		ids = append(ids, intern(r.buffers, &r.sched.Intent.Buffers, b).Index())
	}
	return ids
}

var opClauses = []string{"after", "reads", "writes", "on", "sms", "bandwidth", "starts"}

// names takes a list of distinct names, up to the next clause.
func (l *line) names(what string) ([]string, error) {
	var list []string
	seen := map[string]bool{}
	for len(list) == 0 || l.more() && !slices.Contains(clauseWords, l.peek()) {
		t, err := l.name(what)
		if err != nil {
			return nil, err
		}
		if seen[t.text] {
			return nil, l.errorf(t, "it once", "a second %s", t.text)
		}
		seen[t.text] = true
		list = append(list, t.text)
	}
	return list, nil
}

func (r *spelledReader) after(l *line) ([]int32, error) {
	first := l.at
	names, err := l.names("an op")
	if err != nil {
		return nil, err
	}
	ids := make([]int32, len(names))
	for i, name := range names {
		id, ok := r.ops[name]
		if !ok {
			var known []string
			for _, op := range r.sched.Intent.Ops {
				known = append(known, op.Name)
			}
			return nil, l.errorf(l.toks[first+i], oneOf(name, known), "unknown op %s", quoted(name))
		}
		if _, issued := r.started[id]; r.starting[id] && !issued {
			return nil, l.errorf(l.toks[first+i], "it below what starts "+name,
				"op %s is started only further down: nothing can wait for it here", name)
		}
		ids[i] = id
	}
	return ids, nil
}
