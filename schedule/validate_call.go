package schedule

import "fmt"

// checker looks at calls: at what Verb.Takes says of each, and at the Args of those that have any. Fields that a verb
// does not take are looked at too where something reads them of every call: streams, events and ops.
type checker struct {
	intent  *Intent
	streams []Stream
	events  []string
	graphs  []string
	args    []Args
	nodes   []string

	seen     *seen // of the intent, where plain is asked
	launches int   // of ops, by plain calls
}

// plain says whether a call is one of the plain ones, which are nearly all of a large program, and nothing is wrong
// with it.
func (c *checker) plain(in *Instr) bool {
	if in.Verb >= NumVerbs || in.Arg|in.Thread|in.Device|int32(in.Want) != 0 || in.Intended || in.Graph.n != 0 {
		return false
	}
	switch in.Verb {
	case Launch, HostFunc, Copy:
		if in.Event.n != 0 || !in.Stream.Within(len(c.streams)) || !in.Op.Within(len(c.intent.Ops)) {
			return false
		}
		if c.seen.issuedBy[in.Op.n-1] != in.Verb {
			return false
		}
		c.launches++
		return true
	case CreateEvent:
		return in.Op.n == 0 && in.Stream.n == 0 && in.Event.Within(len(c.events))
	case Record, Wait:
		return in.Op.n == 0 && in.Stream.Within(len(c.streams)) && in.Event.Within(len(c.events))
	}
	return false
}

// wrong is a fault of the i-th call of a list, which it names as far as it can.
func (c *checker) wrong(in *Instr, i int, want, format string, args ...any) *fault {
	f := faulty(in.Line, want, format, args...)
	f.text = fmt.Sprintf("call %d%s: %s", i, c.onStream(in), f.text)
	return f
}

func (c *checker) onStream(in *Instr) string {
	if in.Stream.Within(len(c.streams)) {
		return " on " + c.streams[in.Stream.Index()].Name
	}
	return ""
}

// call looks at one call of any verb.
func (c *checker) call(in *Instr, i int) *fault {
	if in.Verb >= NumVerbs {
		return c.wrong(in, i, fmt.Sprintf("one of %d", NumVerbs), "verb %d", in.Verb)
	}
	takes := verbs[in.Verb].takes
	null := takes&MayBeNull != 0 || verbs[in.Verb].role == OfProbe
	if f := c.operand(in, i, in.Stream, len(c.streams), takes&TakesStream != 0, false, "stream"); f != nil {
		return f
	}
	if f := c.operand(in, i, in.Event, len(c.events), takes&TakesEvent != 0, null, "event"); f != nil {
		return f
	}
	if f := c.operand(in, i, in.Op, len(c.intent.Ops), takes&TakesOp != 0, false, "op"); f != nil {
		return f
	}
	if f := c.operand(in, i, in.Graph, len(c.graphs), takes&TakesGraph != 0, null, "graph"); f != nil {
		return f
	}
	switch {
	case in.Thread < 0 || in.Thread > MaxThread:
		return c.wrong(in, i, fmt.Sprintf("0 to %d", MaxThread), "thread %d", in.Thread)
	case in.Device < 0:
		return c.wrong(in, i, "0 for the first", "device %d", in.Device)
	case in.Want < -MaxCode || in.Want > MaxCode:
		return c.wrong(in, i, fmt.Sprintf("at most %d", MaxCode), "code %d", int32(in.Want))
	case in.Intended && !in.Verb.Blocks():
		return c.wrong(in, i, "it only of calls in which the host waits", "%s is intended", in.Verb.Call())
	case in.Op.Some() && !carriesOp(in.Verb):
		return c.wrong(in, i, "none", "%s with an op", in.Verb.Call())
	}
	switch in.Verb {
	case Launch, HostFunc, Copy:
		if op := &c.intent.Ops[in.Op.Index()]; op.Kind.Verb() != in.Verb {
			return c.wrong(in, i, op.Kind.Verb().Call(), "%s of op %s, a %s", in.Verb.Call(), op.Name, op.Kind)
		}
	case CreateStream:
		if s := &c.streams[in.Stream.Index()]; !s.Kind.Created() {
			return c.wrong(in, i, "a stream that is created", "%s of stream %s, which is always there", in.Verb.Call(),
				s.Name)
		}
	}
	if in.Arg == 0 && in.Verb.Role() != OfProbe {
		return nil
	}
	return c.argsOf(in, i)
}

// carriesOp says whether an Instr of the verb may name an op.
func carriesOp(v Verb) bool { return verbs[v].takes&TakesOp != 0 || v == AddNode }

// operand looks at one reference: whether it is there when it is needed, and points to something when it is there.
func (c *checker) operand(in *Instr, i int, r Ref, n int, needed, null bool, what string) *fault {
	if r.n > 0 && int(r.n) <= n || r.n == 0 && !needed || r == Null && null {
		return nil
	}
	if r.n == 0 {
		article := "a"
		if what == "event" || what == "op" {
			article = "an"
		}
		return c.wrong(in, i, fmt.Sprintf("one of the %d that there are", n), "%s needs %s %s", in.Verb.Call(), article,
			what)
	}
	return c.wrong(in, i, fmt.Sprintf("one of the %d that there are", n), "%s of %s %s", in.Verb.Call(), what, r)
}

// argsOf looks at what a call takes beside the fields of an Instr.
func (c *checker) argsOf(in *Instr, i int) *fault {
	if in.Arg < 0 || int(in.Arg) > len(c.args) {
		return c.wrong(in, i, "0, or 1 + an index", "%s has arguments %d of %d", in.Verb.Call(), in.Arg, len(c.args))
	}
	var a Args
	if in.Arg > 0 {
		a = c.args[in.Arg-1]
	}
	nodes := len(c.intent.Ops) + len(c.nodes)
	for _, n := range a.Nodes {
		if n != Null && !n.Within(nodes) {
			return c.wrong(in, i, fmt.Sprintf("one of the %d that there are", nodes), "%s of node %s", in.Verb.Call(),
				n)
		}
	}
	for _, r := range [...]struct {
		what   string
		ref    Ref
		n      int
		needed bool
	}{
		{"event", a.Event, len(c.events), in.Verb == Elapsed},
		{"graph", a.Graph, len(c.graphs), in.Verb == UpdateExec || in.Verb == AddNode && a.Number == AddChild},
		{"node", a.Node, nodes, in.Verb == DestroyNode || in.Verb == EnableNode},
	} {
		if f := c.operand(in, i, r.ref, r.n, r.needed, true, r.what); f != nil {
			return f
		}
	}
	if a.Number < -MaxCode || a.Number > mostBurst || a.Priority < -MaxCode || a.Priority > MaxCode || a.Dur < 0 ||
		a.Dur > MaxTotal || a.API >= NumAPIs {
		return c.wrong(in, i, "numbers that the language has", "%s: number %d, priority %d, duration %v, call %d",
			in.Verb.Call(),
			a.Number, a.Priority, a.Dur, a.API)
	}
	return c.probeCall(in, i, &a)
}

// probeCall looks at what only some calls of probes need.
func (c *checker) probeCall(in *Instr, i int, a *Args) *fault {
	switch in.Verb {
	case Invoke:
		switch {
		case a.API == NoAPI:
			return c.wrong(in, i, "one of the language", "a call of what?")
		case a.API.OnStream():
			return c.operand(in, i, in.Stream, len(c.streams), true, false, "stream")
		}
	case LaunchWith:
		op := &c.intent.Ops[in.Op.Index()]
		switch {
		case op.Kind.Verb() != Launch:
			return c.wrong(in, i, "a kernel", "%s of op %s, a %s", in.Verb.Call(), op.Name, op.Kind)
		case a.Number < AfterTrigger || a.Number > CompletesLaunch:
			return c.wrong(in, i, fmt.Sprintf("%d to %d", AfterTrigger, CompletesLaunch), "%s with attribute %d",
				in.Verb.Call(), a.Number)
		case a.Number != AfterTrigger:
			return c.operand(in, i, in.Event, len(c.events), true, true, "event")
		}
	case AddNode:
		switch a.Number {
		case AddOp:
			return c.operand(in, i, in.Op, len(c.intent.Ops), true, false, "op")
		case AddWait, AddRecord:
			return c.operand(in, i, in.Event, len(c.events), true, true, "event")
		case AddMemcpy, AddMemset, AddChild, AddEmpty:
		default:
			return c.wrong(in, i, "one that a probe adds", "a node of kind %d", a.Number)
		}
	case Burst:
		if a.Number < 0 {
			return c.wrong(in, i, "0 or more", "a burst of %d launches", a.Number)
		}
	}
	return nil
}
