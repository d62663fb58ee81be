package text

import (
	"fmt"
	"strings"

	"github.com/gpu-overlap/overlap/schedule"
)

// syntax prints calls as a case spells them.
type syntax struct {
	in      *schedule.Intent
	streams []schedule.Stream
	events  []string
	graphs  []string
	names   []string // of nodes
	args    []schedule.Args
}

func syntaxOf(p *schedule.Program) *syntax {
	if p == nil {
		p = &schedule.Program{}
	}
	in := p.Intent
	if in == nil {
		in = &schedule.Intent{}
	}
	return &syntax{in, p.Streams, p.Events, p.Graphs, p.Nodes, p.Args}
}

// instr is one line, without its end.
func (x *syntax) instr(in schedule.Instr) string {
	var b strings.Builder
	x.write(&b, in)
	return b.String()
}

// write prints one line, without its end.
func (x *syntax) write(b *strings.Builder, in schedule.Instr) {
	c := call{Instr: in}
	if in.Arg > 0 && int(in.Arg) <= len(x.args) {
		c.args = x.args[in.Arg-1]
	}
	form, ok := formOf(&c)
	if !ok {
		fmt.Fprintf(b, "unknown call %d", in.Verb)
		return
	}
	x.spell(b, form, &c)
	if in.Intended {
		b.WriteString(" intended")
	}
	if in.Want != schedule.Success {
		b.WriteString(" want " + in.Want.Name())
	}
}

// formOf finds the form that spells a call: of those of its verb, the first that says all of it.
func formOf(c *call) (form int, ok bool) {
	if c.Verb >= schedule.NumVerbs || len(byVerb[c.Verb]) == 0 {
		return 0, false
	}
	if len(byVerb[c.Verb]) == 1 {
		return byVerb[c.Verb][0], true
	}
	best := -1 // one that says which variant it is, if not all
	for _, i := range byVerb[c.Verb] {
		if f := &forms[i]; f.scope == shown && c.Arg > 0 || f.number != c.args.Number && !has(i, operands["NUMBER"]) {
			continue
		}
		if best < 0 {
			best = i
		}
		if forms[i].scope == shown || saysAll(i, c) {
			return i, true
		}
	}
	if best < 0 {
		best = byVerb[c.Verb][0]
	}
	return best, true
}

// saysAll says whether a form has all operands that the call has, of those that some form of its verb has.
func saysAll(form int, c *call) bool {
	for _, other := range byVerb[c.Verb] {
		for _, w := range words[other] {
			if w.operand != nil && w.operand.given != nil && w.operand.given(c) && !has(form, w.operand) {
				return false
			}
		}
	}
	return true
}

// spell prints a call in a form.
func (x *syntax) spell(b *strings.Builder, form int, c *call) {
	for k, w := range words[form] {
		word := w.literal
		if w.operand != nil {
			word = w.operand.print(x, c)
		}
		if k > 0 && word != "" && word != ":" {
			b.WriteByte(' ')
		}
		b.WriteString(word)
	}
}

// named is the name of an element; "?" when it has none, so that a faulty program can still be printed.
func named(names []string, ref schedule.Ref) string {
	switch {
	case ref == schedule.Null:
		return nullName
	case !ref.Within(len(names)):
		return "?"
	}
	return names[ref.Index()]
}

func (x *syntax) stream(ref schedule.Ref) string {
	if !ref.Within(len(x.streams)) {
		return "?"
	}
	return x.streams[ref.Index()].Name
}

// attributes of a stream, each after a blank.
func (x *syntax) attributes(ref schedule.Ref) string {
	if !ref.Within(len(x.streams)) {
		return ""
	}
	s, text := x.streams[ref.Index()], ""
	if s.Kind == schedule.Blocking {
		text = " blocking"
	}
	if s.Priority != 0 {
		text += fmt.Sprintf(" priority %d", s.Priority)
	}
	return text
}

// node is an op, or else a node that has a name of its own.
func (x *syntax) node(ref schedule.Ref) string {
	ops := 0
	if x.in != nil {
		ops = len(x.in.Ops)
	}
	if ref.Within(ops) {
		return x.in.Ops[ref.Index()].Name
	}
	if ref.Some() && ref != schedule.Null {
		ref = schedule.At(ref.Index() - int32(ops))
	}
	return named(x.names, ref)
}

// op is "computation A 2ms after X".
func (x *syntax) op(ref schedule.Ref) string {
	if x.in == nil || !ref.Within(len(x.in.Ops)) {
		return "?"
	}
	op := &x.in.Ops[ref.Index()]
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s %s%s", op.Kind, op.Name, FormatDuration(op.Dur), footprintOf(op).text())
	if len(op.After) > 0 {
		b.WriteString(" after")
		for _, pred := range op.After {
			b.WriteString(" " + x.in.NameOf(pred))
		}
	}
	buffers := func(word string, ids []int32) {
		if len(ids) > 0 {
			b.WriteString(" " + word)
		}
		for _, id := range ids {
			b.WriteString(" " + named(x.in.Buffers, schedule.At(id)))
		}
	}
	buffers("reads", op.Reads)
	buffers("writes", op.Writes)
	if op.On() != int32(op.Kind) {
		b.WriteString(" on " + engineName(x.in.Engines, op.On()))
	}
	return b.String()
}

func engineName(engines []schedule.Engine, id int32) string {
	if id < 0 || int(id) >= len(engines) {
		return "?"
	}
	return engines[id].Name
}
