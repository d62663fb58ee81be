package text

import (
	"fmt"
	"strings"

	"github.com/gpu-overlap/overlap/schedule"
)

// call is a call that is read or printed, with what it takes beside the fields of an Instr.
type call struct {
	schedule.Instr
	args   schedule.Args
	others []schedule.Ref // of a fork or join: the other streams
	starts bool           // the op starts the one that is declared after it
}

// operand is a word of a form that stands for something.
type operand struct {
	size size
	// read takes it from the line into the call; until is where the words end that it may take.
	read func(r *spelledReader, l *line, c *call, until int) error
	// print is how a call has it: one word or several, or none.
	print func(x *syntax, c *call) string
	// given says whether a call has it, where a form without it would not say all. nil: no form goes by it.
	given func(c *call) bool
	// declare collects the name that it introduces, which stands at a word of the line. nil: it introduces none.
	declare func(r *spelledReader, l *line, v schedule.Verb, at int) error
}

// size is how many words of a line an operand takes.
type size uint8

const (
	oneWord  size = iota
	someNode      // any number, up to the next word of the form
	optional      // none, or `after` and any number
	wholeOp       // a kind, and all the rest of the line
	allRest       // all the rest of the line
)

// operands are named as the forms name them. An event, a graph or a node may be null, where the driver must refuse it.
var operands = map[string]*operand{
	"STREAM": {
		read: func(r *spelledReader, l *line, c *call, _ int) (err error) {
			c.Stream, err = r.streamOf(l, c.Verb)
			return
		},
		print: func(x *syntax, c *call) string { return x.stream(c.Stream) },
		given: func(c *call) bool { return c.Stream.Some() }},
	"NEWSTREAM": {
		print: func(x *syntax, c *call) string { return x.stream(c.Stream) + x.attributes(c.Stream) }},
	"STREAMS": {size: allRest,
		read: func(r *spelledReader, l *line, c *call, _ int) (err error) {
			c.others, err = r.otherStreams(l, c.Stream)
			return
		},
		declare: (*spelledReader).declareForked},
	"EVENT": {
		read:    func(r *spelledReader, l *line, c *call, _ int) (err error) { c.Event, err = r.event(l); return },
		print:   func(x *syntax, c *call) string { return named(x.events, c.Event) },
		declare: (*spelledReader).declareEvent},
	"EVENT2": {
		read:    func(r *spelledReader, l *line, c *call, _ int) (err error) { c.args.Event, err = r.event(l); return },
		print:   func(x *syntax, c *call) string { return named(x.events, c.args.Event) },
		declare: (*spelledReader).declareEvent},
	"GRAPH": {
		read:  func(r *spelledReader, l *line, c *call, _ int) (err error) { c.Graph, err = r.graph(l); return },
		print: func(x *syntax, c *call) string { return named(x.graphs, c.Graph) }},
	"NEWGRAPH": {
		read:    func(r *spelledReader, l *line, c *call, _ int) (err error) { c.Graph, err = r.graph(l); return },
		print:   func(x *syntax, c *call) string { return named(x.graphs, c.Graph) },
		declare: (*spelledReader).declareGraph},
	"GRAPH2": {
		read:  func(r *spelledReader, l *line, c *call, _ int) (err error) { c.args.Graph, err = r.graph(l); return },
		print: func(x *syntax, c *call) string { return named(x.graphs, c.args.Graph) },
		given: func(c *call) bool { return c.args.Graph.Some() }},
	"NEWNODE": {
		read:  func(r *spelledReader, l *line, c *call, _ int) (err error) { c.args.Node, err = r.newNode(l); return },
		print: func(x *syntax, c *call) string { return x.node(c.args.Node) },
		given: func(c *call) bool { return c.args.Node.Some() }},
	"NODE": {
		read:  func(r *spelledReader, l *line, c *call, _ int) (err error) { c.args.Node, err = r.node(l); return },
		print: func(x *syntax, c *call) string { return x.node(c.args.Node) }},
	"NODES": {size: someNode,
		read: func(r *spelledReader, l *line, c *call, end int) (err error) {
			c.args.Nodes, err = r.nodes(l, end)
			return
		},
		print: func(x *syntax, c *call) string { return x.nodesOf(c.args.Nodes) },
		given: func(c *call) bool { return len(c.args.Nodes) > 0 }},
	"AFTER": {size: optional,
		read: func(r *spelledReader, l *line, c *call, end int) (err error) {
			if l.at < end {
				l.at++ // `after`
				c.args.Nodes, err = r.nodes(l, end)
			}
			return err
		},
		print: func(x *syntax, c *call) string {
			if len(c.args.Nodes) == 0 {
				return ""
			}
			return "after " + x.nodesOf(c.args.Nodes)
		}},
	"MODE": {
		read:  func(r *spelledReader, l *line, c *call, _ int) (err error) { c.Mode, err = l.mode(); return },
		print: func(_ *syntax, c *call) string { return c.Mode.String() },
		given: func(c *call) bool { return c.Mode != schedule.Global }},
	"NUMBER": {
		read:  func(r *spelledReader, l *line, c *call, _ int) (err error) { c.args.Number, err = l.number(); return },
		print: func(_ *syntax, c *call) string { return fmt.Sprint(c.args.Number) }},
	"NUMBER2": {
		read: func(r *spelledReader, l *line, c *call, _ int) (err error) {
			c.args.Prioritized = true
			c.args.Priority, err = l.number()
			return err
		},
		print: func(_ *syntax, c *call) string { return fmt.Sprint(c.args.Priority) },
		given: func(c *call) bool { return c.args.Prioritized }},
	"API": {
		read: func(r *spelledReader, l *line, c *call, _ int) (err error) {
			c.args.API, err = l.api(c.Stream.Some())
			return
		},
		print: func(_ *syntax, c *call) string { return c.args.API.String() }},
	"DURATION": {
		read: func(r *spelledReader, l *line, c *call, _ int) (err error) {
			c.args.Dur, err = l.duration(maxOp)
			return
		},
		print: func(_ *syntax, c *call) string { return FormatDuration(c.args.Dur) }},
	"OP": {size: wholeOp,
		read:    func(r *spelledReader, l *line, c *call, _ int) error { return r.op(l, c) },
		print:   func(x *syntax, c *call) string { return x.op(c.Op) },
		declare: func(r *spelledReader, l *line, _ schedule.Verb, at int) error { return r.declareOp(l, at) }},
}

// number is what flags, a priority or a count may be.
func (l *line) number() (int32, error) {
	n, err := l.count("a number", -maxCode, maxCode)
	return int32(n), err
}

// nodes takes nodes up to a word of the line.
func (r *spelledReader) nodes(l *line, until int) (list []schedule.Ref, err error) {
	for l.at < until && err == nil {
		var node schedule.Ref
		if node, err = r.node(l); err == nil {
			list = append(list, node)
		}
	}
	return list, err
}

func (x *syntax) nodesOf(list []schedule.Ref) string {
	names := make([]string, len(list))
	for i, node := range list {
		names[i] = x.node(node)
	}
	return strings.Join(names, " ")
}
