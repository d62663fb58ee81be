package schedule

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// op reads `KIND NAME DURATION [SIZE [pinned|pageable]] [sms P% [waves N]] [bandwidth P%] [after X Y] [reads b] [writes b] [on ENGINE]
// [starts NAME DURATION [on ENGINE]] [want CODE]`, from NAME on.
func (r *spelledReader) op(l *line, in Instr) error {
	kind := Kind(slices.Index(kindNames[:], l.toks[l.at-1].text))
	name, err := l.name("an op")
	if err != nil {
		return err
	}
	in.Op = At(r.ops[name.text])
	in.Verb = kind.verb()
	op := &r.sched.Intent.Ops[in.Op.Index()]
	op.Kind = kind
	if op.Dur, err = r.duration(l); err != nil {
		return err
	}
	if kind.Copies() {
		var f footprint
		if err := f.copied(l); err != nil {
			return err
		}
		op.take(f)
	}
	if err := r.clauses(l, op); err != nil {
		return err
	}
	start := l.at
	if l.peek() == "starts" {
		if err := r.start(l, op.Kind); err != nil {
			return err
		}
	}
	r.awaitStarted(l, in.Stream.Index(), op)
	if err := r.finish(l, in); err != nil || start == l.at || l.word(start) != "starts" {
		return err
	}
	r.issueStarted(l, in.Stream.Index(), in.Op.Index())
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
		return 0, l.errorf(l.toks[at], "a sum of at most 24h", "up to here the durations of all ops add up to more than 24h")
	}
	return d, nil
}

func (r *spelledReader) clauses(l *line, op *Op) (err error) {
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
		case "sms", "bandwidth", "waves":
			if t.text == "waves" && l.word(l.at-3) != "sms" {
				return l.errorf(t, "it right behind `sms P%`", "waves of a grid of unknown size")
			}
			f := op.footprint()
			err = f.clause(l, t, op.Kind)
			op.take(f)
		}
		if err != nil {
			return err
		}
	}
	// Buffers get their ids in this order whatever the order of the clauses, so that printing and parsing keeps the ids.
	for _, b := range reads {
		op.Reads = append(op.Reads, intern(r.buffers, &r.sched.Intent.Buffers, b))
	}
	for _, b := range writes {
		op.Writes = append(op.Writes, intern(r.buffers, &r.sched.Intent.Buffers, b))
	}
	return nil
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
			return nil, l.errorf(l.toks[first+i], "it below what starts "+name, "op %s is started only further down: nothing can wait for it here", name)
		}
		ids[i] = id
	}
	return ids, nil
}

// checkAfter refuses ops that are after themselves by way of others.
func (r *spelledReader) checkAfter(sec *section) error {
	cycle := findCycle(r.sched.Intent.Ops)
	if cycle == nil {
		return nil
	}
	const most = 8
	var names []string
	for i, op := range cycle {
		if i == most {
			names = append(names, fmt.Sprintf("(%d more)", len(cycle)-most))
			break
		}
		names = append(names, r.sched.Intent.Ops[op].Name)
	}
	names = append(names, r.sched.Intent.Ops[cycle[0]].Name)
	return sec.each(func(l *line) error {
		if l.no != r.sched.Intent.Ops[cycle[0]].Line {
			return nil
		}
		at := slices.IndexFunc(l.toks, func(t token) bool { return t.text == "after" })
		return l.errorf(l.toks[at], "an order that ends somewhere", "a cycle: %s", strings.Join(names, " after "))
	})
}

// findCycle gives ops of which each is after the next, and the last after the first; nil when there are none.
// It starts with the op of the cycle that has the smallest id.
func findCycle(ops []Op) []int32 {
	const unseen, open, done = 0, 1, 2
	state := make([]uint8, len(ops))
	next := make([]int32, len(ops)) // the first of After that was not followed yet
	var path []int32
	for root := range ops {
		if state[root] != unseen {
			continue
		}
		path = append(path[:0], int32(root))
		state[root] = open
		for len(path) > 0 {
			op := path[len(path)-1]
			if int(next[op]) == len(ops[op].After) {
				state[op] = done
				path = path[:len(path)-1]
				continue
			}
			pred := ops[op].After[next[op]]
			next[op]++
			switch state[pred] {
			case unseen:
				state[pred] = open
				path = append(path, pred)
			case open:
				cycle := path[slices.Index(path, pred):]
				first := slices.Index(cycle, slices.Min(cycle))
				return slices.Concat(cycle[first:], cycle[:first])
			}
		}
	}
	return nil
}
