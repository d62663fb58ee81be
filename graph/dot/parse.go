package dot

import (
	"slices"
	"strings"
)

// document is what the statements of a DOT file say, before anything is known about who wrote it.
type document struct {
	clusters []token // the names of subgraphs
	nodes    []dotNode
	edges    []dotEdge
}

type dotNode struct {
	id    token
	attrs []attr
}

type dotEdge struct {
	from, to token
	attrs    []attr
}

type attr struct{ key, value token }

// get finds an attribute; the last of a name counts.
func get(attrs []attr, key string) (token, bool) {
	for i := len(attrs) - 1; i >= 0; i-- {
		if attrs[i].key.text == key {
			return attrs[i].value, true
		}
	}
	return token{}, false
}

// Limits that no sensible graph meets; they keep a wrong file from taking all memory.
const (
	maxBytes = 256 << 20
	maxItems = 1 << 24 // nodes, edges and subgraphs
	maxDepth = 64      // of subgraphs
)

type parser struct {
	scan  scanner
	tok   token // the one to be read next
	depth int
	doc   document
	room  []attr // where the next attributes lie
}

// parse reads a whole file: digraph [name] { statement… }.
func parse(src string) (*document, error) {
	p := &parser{scan: scanner{src: src, line: 1}}
	const most = 1 << 20 // of what is believed before it is read
	p.doc.edges = make([]dotEdge, 0, min(most, strings.Count(src, "->")))
	p.doc.nodes = make([]dotNode, 0, min(most, strings.Count(src, "[")))
	if err := p.advance(); err != nil {
		return nil, err
	}
	if p.tok.keyword("strict") {
		if err := p.advance(); err != nil {
			return nil, err
		}
	}
	if !p.tok.keyword("digraph") {
		return nil, errorAt(p.tok.line, "want digraph, found %v", p.tok)
	}
	if err := p.advance(); err != nil {
		return nil, err
	}
	if err := p.block(); err != nil {
		return nil, err
	}
	if p.tok.kind != endToken {
		return nil, errorAt(p.tok.line, "want the end of the file after one graph, found %v", p.tok)
	}
	return &p.doc, nil
}

func (p *parser) advance() (err error) {
	p.tok, err = p.scan.next()
	return err
}

func (p *parser) expect(punct string) error {
	if !p.tok.is(punct) {
		return errorAt(p.tok.line, "want %s, found %v", punct, p.tok)
	}
	return p.advance()
}

// block reads [name] { statement… }.
func (p *parser) block() error {
	if p.depth++; p.depth > maxDepth {
		return errorAt(p.tok.line, "want at most %d subgraphs within one another", maxDepth)
	}
	if p.tok.isID() {
		if err := p.advance(); err != nil {
			return err
		}
	}
	if err := p.expect("{"); err != nil {
		return err
	}
	for !p.tok.is("}") {
		if err := p.statement(); err != nil {
			return err
		}
	}
	p.depth--
	return p.advance()
}

func (p *parser) statement() error {
	switch {
	case p.tok.is(";"):
		return p.advance()
	case p.tok.keyword("subgraph"):
		if err := p.advance(); err != nil {
			return err
		}
		if p.tok.isID() {
			p.doc.clusters = append(p.doc.clusters, p.tok)
		}
		return p.within(p.tok, p.block())
	case p.tok.keyword("graph"), p.tok.keyword("node"), p.tok.keyword("edge"):
		if err := p.advance(); err != nil {
			return err
		}
		_, err := p.attributes()
		return err
	case !p.tok.isID():
		return errorAt(p.tok.line, "want a node, an edge or }, found %v", p.tok)
	}
	id := p.tok
	if err := p.advance(); err != nil {
		return err
	}
	switch {
	case p.tok.is("="):
		return p.value()
	case p.tok.kind == arrowToken:
		return p.chain(id)
	}
	attrs, err := p.attributes()
	p.doc.nodes = append(p.doc.nodes, dotNode{id, attrs})
	return p.within(id, err)
}

// value passes the rest of a graph's own attribute, key = value.
func (p *parser) value() error {
	if err := p.advance(); err != nil {
		return err
	}
	if !p.tok.isID() {
		return errorAt(p.tok.line, "want a value, found %v", p.tok)
	}
	return p.advance()
}

// chain reads the rest of a -> b -> c [attributes].
func (p *parser) chain(from token) error {
	first := len(p.doc.edges)
	start := from
	for p.tok.kind == arrowToken {
		if err := p.advance(); err != nil {
			return err
		}
		if !p.tok.isID() {
			return errorAt(p.tok.line, "want the node to which the edge leads, found %v", p.tok)
		}
		p.doc.edges = append(p.doc.edges, dotEdge{from: from, to: p.tok})
		from = p.tok
		if err := p.advance(); err != nil {
			return err
		}
	}
	attrs, err := p.attributes()
	for i := range p.doc.edges[first:] {
		p.doc.edges[first+i].attrs = attrs
	}
	return p.within(start, err)
}

func (p *parser) within(at token, err error) error {
	if err == nil && len(p.doc.clusters)+len(p.doc.nodes)+len(p.doc.edges) > maxItems {
		return errorAt(at.line, "want at most %d nodes, edges and subgraphs", maxItems)
	}
	return err
}

// attributes reads any number of [key=value, …]. Those of many nodes share a piece of memory.
func (p *parser) attributes() (attrs []attr, err error) {
	const few, many = 8, 4096 // of a node, and in one piece of memory
	if cap(p.room)-len(p.room) < few {
		p.room = make([]attr, 0, many)
	}
	start := len(p.room)
	for p.tok.is("[") {
		if err := p.advance(); err != nil {
			return nil, err
		}
		for !p.tok.is("]") {
			a, err := p.attribute()
			if err != nil {
				return nil, err
			}
			p.room = append(p.room, a)
		}
		if err := p.advance(); err != nil {
			return nil, err
		}
	}
	return slices.Clip(p.room[start:]), nil
}

func (p *parser) attribute() (a attr, err error) {
	if !p.tok.isID() {
		return a, errorAt(p.tok.line, "want an attribute or ], found %v", p.tok)
	}
	a.key = p.tok
	if err := p.advance(); err != nil {
		return a, err
	}
	if err := p.expect("="); err != nil {
		return a, err
	}
	if !p.tok.isID() {
		return a, errorAt(p.tok.line, "want the value of %s, found %v", shorten(a.key.text), p.tok)
	}
	a.value = p.tok
	if err := p.advance(); err != nil {
		return a, err
	}
	if p.tok.is(",") || p.tok.is(";") {
		return a, p.advance()
	}
	return a, nil
}
