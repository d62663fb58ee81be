package text

import (
	"slices"
	"strings"
	"time"

	"github.com/gpu-overlap/overlap/verdict"
)

const (
	maxNodes  = 100_000_000
	maxDetail = 4 << 10 // bytes
)

// expectReader reads the section expect.
type expectReader struct {
	e     verdict.Expect
	raw   bool
	names []string         // kinds and engines
	ops   map[string]bool  // names of ops
	timed bool             // a program section of which calls are timed
	lines map[string]int32 // of what may stand once
}

func parseExpect(sec *section, c *Case) (verdict.Expect, error) {
	r := expectReader{raw: c.Raw, timed: c.Timed.Some(), ops: map[string]bool{}, lines: map[string]int32{},
		names: slices.Clone(kindNames)}
	for _, e := range c.Schedule.Intent.Engines {
		if !slices.Contains(r.names, e.Name) {
			r.names = append(r.names, e.Name)
		}
	}
	for i := range c.Schedule.Intent.Ops {
		r.ops[c.Schedule.Intent.Ops[i].Name] = true
	}
	err := sec.each(r.expectation)
	return r.e, err
}

var expectations = []string{"serial", "giant", "ideal", "optimal", "scheduled", "eager", "replay", "hides", "beats",
	"graph", "verdict"}

// ofSchedules are the expectations that a program section has no use for.
var ofSchedules = []string{"giant", "eager", "beats"}

func (r *expectReader) expectation(l *line) error {
	e, at := &r.e, &r.e.Lines
	word, _ := l.next("")
	if r.raw && (slices.Contains(ofSchedules, word.text) || word.text == "replay" && !r.timed) {
		return l.errorf(word, "what holds for raw driver calls", "a program section has no %s", word.text)
	}
	switch word.text {
	case "serial":
		return r.time(l, &e.Serial, &at.Serial)
	case "giant":
		return r.time(l, &e.Giant, &at.Giant)
	case "ideal":
		return r.time(l, &e.Ideal, &at.Ideal)
	case "optimal":
		return r.time(l, &e.Optimal, &at.Optimal)
	case "scheduled":
		return r.time(l, &e.Scheduled, &at.Scheduled)
	case "eager":
		return r.mode(l, &e.Eager, &at.Eager, &e.EagerVerdict, &at.EagerVerdict)
	case "replay":
		return r.mode(l, &e.Replay, &at.Replay, &e.ReplayVerdict, &at.ReplayVerdict)
	case "hides":
		return r.hides(l)
	case "beats":
		return r.beats(l)
	case "graph":
		return r.graph(l)
	case "verdict":
		return r.verdict(l, &e.Verdict, &at.Verdict)
	}
	return l.errorf(word, oneOf(word.text, expectations), "unknown expectation %s", quoted(word.text))
}

// once notes the line of an expectation, and fails at its second.
func (r *expectReader) once(l *line, key string) error {
	if before := r.lines[key]; before > 0 {
		return l.errorf(l.toks[0], "it once", "%s is already on line %d", key, before)
	}
	r.lines[key] = l.no
	return nil
}

func (r *expectReader) time(l *line, d *time.Duration, at *int32) (err error) {
	if err := r.once(l, l.toks[0].text); err != nil {
		return err
	}
	if *d, err = l.duration(maxTotal); err != nil {
		return err
	}
	*at = l.no
	return l.end()
}

// mode reads `within N% of ideal` or `verdict ...` after eager or replay.
func (r *expectReader) mode(l *line, target *verdict.Target, at *int32, outcome **verdict.Outcome,
	outcomeAt *int32) error {
	mode := l.toks[0].text
	word, err := l.expect("within", "verdict")
	if err != nil {
		return err
	}
	if word.text == "verdict" {
		*outcome = &verdict.Outcome{}
		return r.verdict(l, *outcome, outcomeAt)
	}
	if err := r.once(l, mode+" within"); err != nil {
		return err
	}
	if target.Percent, err = l.percent(); err != nil {
		return err
	}
	if _, err := l.expect("of"); err != nil {
		return err
	}
	of, err := l.expect(verdict.OfIdeal.String(), verdict.OfScheduled.String())
	if err != nil {
		return err
	}
	target.Of, *at = verdict.OfIdeal, l.no
	if of.text == verdict.OfScheduled.String() {
		target.Of = verdict.OfScheduled
	}
	return l.end()
}

func (r *expectReader) hides(l *line) (err error) {
	h := verdict.Hides{Line: l.no}
	if h.What, err = r.engine(l); err != nil {
		return err
	}
	if h.Percent, err = l.percent(); err != nil {
		return err
	}
	key := "hides " + h.What
	if l.more() {
		if _, err := l.expect("under"); err != nil {
			return err
		}
		under := l.at
		if h.Under, err = r.engine(l); err != nil {
			return err
		}
		if h.Under == h.What {
			return l.errorf(l.toks[under], "another kind of op or engine", "%s under itself", h.What)
		}
		key += " under " + h.Under
	}
	if err := r.once(l, key); err != nil {
		return err
	}
	r.e.Hides = append(r.e.Hides, h)
	return l.end()
}

// beats reads `giant [by P%]`.
func (r *expectReader) beats(l *line) (err error) {
	if err := r.once(l, "beats"); err != nil {
		return err
	}
	if _, err := l.expect("giant"); err != nil {
		return err
	}
	r.e.Beats = verdict.Beats{Given: true, Line: l.no}
	if l.more() {
		if _, err := l.expect("by"); err != nil {
			return err
		}
		if r.e.Beats.Percent, err = l.percent(); err != nil {
			return err
		}
	}
	return l.end()
}

// engine takes a kind of op, an engine or an op.
func (r *expectReader) engine(l *line) (string, error) {
	t, err := l.next("a kind of op, an engine or an op: " + oneOf("", r.names))
	if err == nil && !slices.Contains(r.names, t.text) && !r.ops[t.text] {
		err = l.errorf(t, oneOf(t.text, r.names), "unknown engine or op %s", quoted(t.text))
	}
	return strings.Clone(t.text), err
}

// graph reads `N nodes M edges`.
func (r *expectReader) graph(l *line) error {
	if err := r.once(l, "graph"); err != nil {
		return err
	}
	nodes, err := l.count("a number of nodes", 0, maxNodes)
	if err != nil {
		return err
	}
	if _, err := l.expect("nodes", "node"); err != nil {
		return err
	}
	edges, err := l.count("a number of edges", 0, maxNodes)
	if err != nil {
		return err
	}
	if _, err := l.expect("edges", "edge"); err != nil {
		return err
	}
	r.e.Graph, r.e.Lines.Graph = verdict.Size{Given: true, Nodes: int32(nodes), Edges: int32(edges)}, l.no
	return l.end()
}

// verdict reads `CAUSE[: detail]`, after the word verdict. The cause may have several words.
func (r *expectReader) verdict(l *line, o *verdict.Outcome, at *int32) error {
	key := "verdict"
	if l.at > 1 {
		key = l.toks[0].text + " verdict"
	}
	if err := r.once(l, key); err != nil {
		return err
	}
	first, err := l.next("met or a cause")
	if err != nil {
		return err
	}
	last := first
	words := []string{first.text}
	for l.more() && l.peek() != ":" {
		last, _ = l.next("")
		words = append(words, last.text)
	}
	name := strings.Join(words, " ")
	cause, ok := verdict.ParseCause(name)
	if !ok {
		return l.errorf(first, oneOf(name, verdict.CauseNames()), "unknown cause %s", quoted(name))
	}
	*o, *at = verdict.Outcome{Cause: cause}, l.no
	if !l.more() {
		return nil
	}
	colon := l.toks[l.at]
	o.Detail = strings.Clone(strings.TrimSpace(l.code[colon.col:]))
	switch {
	case cause == verdict.Met:
		return l.errorf(colon, "`verdict met` alone", "met has no detail")
	case o.Detail == "":
		return l.errorf(colon, "what the verdict must say, or no colon", "the detail is empty")
	case len(o.Detail) > maxDetail:
		return l.errorf(colon, "at most 4 KiB", "the detail has %d bytes", len(o.Detail))
	}
	return nil
}
