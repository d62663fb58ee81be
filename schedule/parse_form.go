package schedule

import (
	"fmt"
	"slices"
	"strings"
)

// probeCall reads a line as a call that only probes make. It is none when no form fits: then the error is that of the form
// that came nearest, or nil when none has so much as its verb.
func (r *spelledReader) probeCall(l *line) (is bool, err error) {
	furthest := 0
	for i := range forms {
		fits, at, e := r.fit(l, int32(i))
		switch {
		case fits:
			return true, e
		case e != nil && at > furthest:
			furthest, err = at, e
		}
	}
	if like := r.formsLike(l); err == nil && len(like) > 0 {
		err = l.errorf(l.toks[verbAt(l)], oneOf("", like), "no call is spelled so")
	}
	l.at = 0
	return false, err
}

// verbAt is where the verb of a line stands: behind its stream, if it has one.
func verbAt(l *line) int {
	if l.word(1) == ":" && len(l.toks) > 2 {
		return 2
	}
	return 0
}

// formsLike are the forms with the same verb, at the same place.
func (r *spelledReader) formsLike(l *line) (list []string) {
	at := verbAt(l)
	for i, w := range words {
		if at < len(w) && w[at] == l.word(at) && (at == 2) == (w[0] == "STREAM") {
			list = append(list, "`"+strings.Replace(forms[i].text, " :", ":", 1)+"`")
		}
	}
	return list
}

// declareNamed collects the graphs that a line names, and what it creates.
func (r *spelledReader) declareNamed(l *line) {
	w := func(i int) string { return l.word(i) }
	switch {
	case w(0) == "create" && w(1) == "graph" && validName(w(2)):
		intern(r.graphIDs, &r.graphs, w(2))
	case w(0) == "instantiate" && w(2) == "from" && validName(w(1)):
		intern(r.graphIDs, &r.graphs, w(1))
	case w(0) == "add" && w(1) == "to" && slices.Contains(kindNames[:], w(3)):
		l.at = 4
		r.declareOp(l)
	}
	for i, t := range l.toks {
		if t.text == "into" && w(2) == "begin" && validName(w(i+1)) && w(i+1) != nullName {
			intern(r.graphIDs, &r.graphs, w(i+1))
		}
		if i > 2 && slices.Contains(kindNames[:], t.text) && w(1) == ":" && (w(2) == "programmatic" || w(2) == "triggering" || w(2) == "completing") {
			l.at = i + 1
			r.declareOp(l)
			break
		}
	}
}

// fit tries one form. The line fits when all words of the form that are no operands are there.
func (r *spelledReader) fit(l *line, id int32) (fits bool, at int, err error) {
	l.at = 0
	f := &forms[id]
	if (words[id][0] == "STREAM") != (l.word(1) == ":") {
		return false, 0, nil
	}
	in := call(f.verb, None)
	args := Args{Form: id, Number: f.number}
	verb := false // a word of the form was there
	for i, word := range words[id] {
		switch {
		case word == "OP":
			if !slices.Contains(kindNames[:], l.peek()) || !verb {
				return false, 0, nil
			}
			return true, 0, r.probeOp(l, in, args)
		case !operands[word]:
			if l.peek() != word {
				return false, l.at, err
			}
			l.at++
			verb = verb || word != ":"
		case err == nil:
			next := ""
			if i+1 < len(words[id]) {
				next = words[id][i+1]
			}
			at := l.at
			if err = r.operand(l, word, next, &in, &args); err != nil {
				l.at = at + 1
			}
		default: // an earlier operand was wrong: look for the rest of the form all the same
			l.at++
		}
	}
	switch {
	case err != nil:
		if !verb || l.more() && l.peek() != "want" {
			return false, l.at, nil
		}
		return false, l.at, err
	case l.more() && l.peek() != "want":
		return false, l.at, nil
	}
	in.Arg = r.args(args)
	return true, 0, r.finish(l, in)
}

func (r *spelledReader) args(a Args) int32 {
	r.sched.Args = append(r.sched.Args, a)
	return int32(len(r.sched.Args))
}

// probeOp reads the op of a launch with an attribute, or of a node.
func (r *spelledReader) probeOp(l *line, in Instr, args Args) error {
	verb := in.Verb
	l.at++
	if err := r.op(l, in); err != nil {
		return err
	}
	last := &r.sched.Issue[len(r.sched.Issue)-1]
	last.Verb, last.Arg = verb, r.args(args)
	return nil
}

// operand reads one operand; next is the word of the form behind it.
func (r *spelledReader) operand(l *line, word, next string, in *Instr, args *Args) (err error) {
	switch word {
	case "STREAM":
		in.Stream, err = r.stream(l)
	case "EVENT":
		in.Event, err = r.event(l)
	case "EVENT2":
		args.Event, err = r.event(l)
	case "GRAPH", "NEWGRAPH":
		in.Graph, err = r.graph(l)
	case "GRAPH2":
		args.Graph, err = r.graph(l)
	case "NEWNODE":
		args.Node, err = r.newNode(l)
	case "NODE":
		args.Node, err = r.node(l)
	case "NODES":
		args.Nodes, err = r.nodeList(l, next)
	case "AFTER":
		if l.peek() == "after" {
			l.at++
			args.Nodes, err = r.nodeList(l, next)
		}
	case "MODE":
		in.Mode, err = l.mode()
	case "NUMBER", "NUMBER2":
		var n int
		n, err = l.count("a number", -maxCode, maxCode)
		if word == "NUMBER" {
			args.Number = int32(n)
		} else {
			args.Second = int32(n)
		}
	case "API":
		args.API, err = l.api(in.Stream.Some())
	case "DURATION":
		args.Dur, err = l.duration(maxOp)
	}
	return err
}

// mode takes a capture mode: a name, or a number that the driver must refuse.
func (l *line) mode() (CaptureMode, error) {
	known := modeNames[:]
	t, err := l.next(oneOf("", known))
	if err != nil {
		return 0, err
	}
	if i := slices.Index(known, t.text); i >= 0 {
		return CaptureMode(i), nil
	}
	l.at--
	n, err := l.count("a mode", -1, 9)
	if err != nil {
		return 0, l.errorf(t, oneOf(t.text, known), "unknown mode %s", quoted(t.text))
	}
	return CaptureMode(n), nil
}

// api takes the name of a call.
func (l *line) api(onStream bool) (API, error) {
	var known []string
	for a := NoAPI + 1; a < NumAPIs; a++ {
		if a.OnStream() == onStream {
			known = append(known, a.String())
		}
	}
	t, err := l.next(oneOf("", known))
	if err != nil {
		return 0, err
	}
	if !slices.Contains(known, t.text) {
		return 0, l.errorf(t, oneOf(t.text, known), "unknown call %s", quoted(t.text))
	}
	return API(slices.Index(apiNames[:], t.text)), nil
}

func (r *spelledReader) newNode(l *line) (Ref, error) {
	t, err := l.name("a node")
	if err != nil {
		return Ref{}, err
	}
	_, isOp := r.ops[t.text]
	if isOp || slices.Contains(r.sched.Nodes, t.text) {
		return Ref{}, l.errorf(t, "another name", "node %s is there already", t.text)
	}
	r.sched.Nodes = append(r.sched.Nodes, strings.Clone(t.text))
	return At(int32(len(r.ops) + len(r.sched.Nodes) - 1)), nil
}

// node takes the name of an op, or of a node that was named before.
func (r *spelledReader) node(l *line) (Ref, error) {
	t, err := l.next("a node")
	if err != nil {
		return Ref{}, err
	}
	if t.text == nullName {
		return Null, nil
	}
	if id, ok := r.ops[t.text]; ok {
		return At(id), nil
	}
	if i := slices.Index(r.sched.Nodes, t.text); i >= 0 {
		return At(int32(len(r.ops) + i)), nil
	}
	return Ref{}, l.errorf(t, "an op, or a node that a line above names", "unknown node %s", quoted(t.text))
}

// nodeList takes nodes, up to the next word of the form.
func (r *spelledReader) nodeList(l *line, next string) (list []Ref, err error) {
	for l.more() && l.peek() != next && l.peek() != "want" && err == nil {
		var id Ref
		if id, err = r.node(l); err == nil {
			list = append(list, id)
		}
	}
	return list, err
}

// spell prints a call in its form.
func (x syntax) spell(in Instr, args Args) string {
	if args.Form < 0 || int(args.Form) >= len(forms) {
		return fmt.Sprintf("%s without arguments", in.Verb.Call())
	}
	var out []string
	for _, word := range words[args.Form] {
		switch word {
		case "STREAM":
			word = x.stream(in.Stream.Index())
		case "EVENT":
			word = named(x.events, in.Event.Index())
		case "EVENT2":
			word = named(x.events, args.Event.Index())
		case "GRAPH", "NEWGRAPH":
			word = named(x.graphs, in.Graph.Index())
		case "GRAPH2":
			word = named(x.graphs, args.Graph.Index())
		case "NEWNODE", "NODE":
			word = x.node(args.Node)
		case "NODES", "AFTER":
			var list []string
			if word == "AFTER" && len(args.Nodes) > 0 {
				list = append(list, "after")
			}
			for _, n := range args.Nodes {
				list = append(list, x.node(n))
			}
			word = strings.Join(list, " ")
		case "MODE":
			word = in.Mode.String()
		case "NUMBER":
			word = fmt.Sprint(args.Number)
		case "NUMBER2":
			word = fmt.Sprint(args.Second)
		case "API":
			word = args.API.String()
		case "DURATION":
			word = FormatDuration(args.Dur)
		case "OP":
			word = x.op(in.Op.Index())
		}
		if word != "" {
			out = append(out, word)
		}
	}
	return strings.Replace(strings.Join(out, " "), " :", ":", 1)
}

func (x syntax) node(node Ref) string {
	switch id, ops := node.Index(), int32(len(x.in.Ops)); {
	case node == Null:
		return nullName
	case id >= ops:
		return named(x.nodes, id-ops)
	case id < 0:
		return "?"
	default:
		return x.in.Ops[id].Name
	}
}
