package schedule

import (
	"fmt"
	"strings"
)

// syntax prints calls as a case spells them.
type syntax struct {
	in      *Intent
	streams []Stream
	events  []string
	graphs  []string
	nodes   []string
	args    []Args
}

func (p *Program) syntax() syntax {
	return syntax{p.Intent, p.Streams, p.Events, p.Graphs, p.Nodes, p.Args}
}

// named is the name of an id; "?" when it has none, so that a faulty program can still be printed.
func named(names []string, id int32) string {
	if id == Null.Index() {
		return nullName
	}
	if id < 0 || int(id) >= len(names) {
		return "?"
	}
	return names[id]
}

func (x syntax) stream(id int32) string {
	if id < 0 || int(id) >= len(x.streams) {
		return "?"
	}
	return x.streams[id].Name
}

// instr is one line, without its end. Creating a stream or event is not a part of the language, but printed like it.
func (x syntax) instr(in Instr) string {
	line := x.call(in)
	if in.Intended {
		line += " intended"
	}
	if in.Want != Success {
		line += " want " + in.Want.name()
	}
	return line
}

func (x syntax) call(in Instr) string {
	if in.Arg > 0 && int(in.Arg) <= len(x.args) {
		return x.spell(in, x.args[in.Arg-1])
	}
	stream, event, graph := x.stream(in.Stream.Index()), named(x.events, in.Event.Index()), named(x.graphs, in.Graph.Index())
	switch in.Verb {
	case Launch, HostFunc, Copy:
		return stream + ": " + x.op(in.Op.Index())
	case Record:
		return stream + ": record " + event
	case Wait:
		return stream + ": wait " + event
	case BeginCapture:
		if in.Mode == Global {
			return stream + ": begin capture"
		}
		return stream + ": begin capture " + in.Mode.String()
	case EndCapture:
		return stream + ": end capture " + graph
	case Instantiate:
		return "instantiate " + graph
	case Upload:
		return "upload " + graph + " " + stream
	case Replay:
		return stream + ": replay " + graph
	case SyncStream:
		return stream + ": sync"
	case QueryStream:
		return stream + ": query"
	case SyncEvent:
		return "sync event " + event
	case QueryEvent:
		return "query event " + event
	case SyncContext:
		return "sync context"
	case CreateStream:
		return "create stream " + stream + x.attributes(in.Stream.Index())
	case DestroyStream:
		return "destroy stream " + stream
	case CreateEvent:
		return "create event " + event
	case DestroyEvent:
		return "destroy event " + event
	case Gate:
		return stream + ": gate"
	case OpenGate:
		return "open gate"
	}
	return fmt.Sprintf("unknown call %d", in.Verb)
}

// attributes of a stream, each after a blank.
func (x syntax) attributes(id int32) string {
	if id < 0 || int(id) >= len(x.streams) {
		return ""
	}
	s, text := x.streams[id], ""
	if s.Kind == Blocking {
		text = " blocking"
	}
	if s.Priority != 0 {
		text += fmt.Sprintf(" priority %d", s.Priority)
	}
	return text
}

// op is "computation A 2ms after X".
func (x syntax) op(id int32) string {
	if x.in == nil || id < 0 || int(id) >= len(x.in.Ops) {
		return "?"
	}
	op := &x.in.Ops[id]
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s %s%s", op.Kind, op.Name, FormatDuration(op.Dur), op.footprint().text())
	if len(op.After) > 0 {
		b.WriteString(" after")
		for _, pred := range op.After {
			b.WriteString(" " + x.in.Ops[pred].Name)
		}
	}
	buffers := func(word string, ids []int32) {
		if len(ids) > 0 {
			b.WriteString(" " + word)
		}
		for _, id := range ids {
			b.WriteString(" " + named(x.in.Buffers, id))
		}
	}
	buffers("reads", op.Reads)
	buffers("writes", op.Writes)
	if op.On() != int32(op.Kind) {
		b.WriteString(" on " + engineName(x.in.Engines, op.On()))
	}
	return b.String()
}

func engineName(engines []Engine, id int32) string {
	if id < 0 || int(id) >= len(engines) {
		return "?"
	}
	return engines[id].Name
}

// name is the code's name, or its number when this package knows no name for it.
func (c Code) name() string {
	if name, ok := codeNames[c]; ok {
		return name
	}
	return fmt.Sprint(int32(c))
}

// Text prints a program for people: its setup, then its body, a call a line.
func (p *Program) Text() string {
	var b strings.Builder
	x := p.syntax()
	part := func(title string, instrs []Instr) {
		b.WriteString("# " + title + "\n")
		thread := int32(0)
		for _, in := range instrs {
			if in.Thread != thread {
				thread = in.Thread
				fmt.Fprintf(&b, "thread %d\n", thread)
			}
			b.WriteString(x.instr(in))
			if in.Device != 0 {
				fmt.Fprintf(&b, " # device %d", in.Device)
			}
			b.WriteByte('\n')
		}
	}
	part("setup", p.Setup)
	part("body", p.Body)
	return b.String()
}
