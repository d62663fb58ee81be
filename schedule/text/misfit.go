package text

import (
	"fmt"
	"slices"
)

// misfit says what is wrong with a line that fits no form as a whole: f went along furthest. An operand that is wrong
// comes first, since a word too many or too few may follow from it.
func (r *spelledReader) misfit(l *line, f fit) error {
	if err := r.operands(l, f); err != nil {
		return err
	}
	literals, done, err := r.expected(l, f.end)
	if err != nil {
		return err
	}
	l.at = f.end
	if len(literals) == 0 {
		return l.tooMuch()
	}
	if !l.more() {
		_, err := l.next(oneOf("", literals))
		return err
	}
	t := l.toks[l.at]
	want := oneOf(t.text, literals)
	if done {
		want += ", or " + tailWant
	}
	return l.errorf(t, want, "unexpected %s", quoted(t.text))
}

// expected are the words that some form has where the line stops going along with any; done says that a form is
// complete there. The error is that of an operand that should stand there.
func (r *spelledReader) expected(l *line, at int) (literals []string, done bool, err error) {
	for _, i := range formsOf(l.head()) {
		f := l.fit(i)
		switch {
		case !forms[i].standsIn(r.raw) || f.end != at:
			continue
		case f.words == len(words[i]):
			done = true
			continue
		}
		w := words[i][f.words]
		if w.operand != nil && w.operand.size != wholeOp {
			l.at = at
			if err := w.operand.read(r, l, &call{}, at); err != nil {
				return nil, false, err
			}
		}
		for _, word := range w.begins() {
			if !slices.Contains(literals, word) {
				literals = append(literals, word)
			}
		}
	}
	return literals, done, nil
}

// begins are the words that may stand at a word of a form: its literal, or the kinds of op.
func (w word) begins() []string {
	switch {
	case w.operand == nil:
		return []string{w.literal}
	case w.operand.size == wholeOp:
		return kindNames
	}
	return nil
}

// unknown says what is wrong with a line that begins as no form does here.
func (r *spelledReader) unknown(l *line) error {
	h := l.head()
	if !h.onStream {
		return onlyInProgram(l, l.toks[0])
	}
	if _, err := r.stream(l); err != nil {
		return err
	}
	l.at++ // the colon
	known := knownVerbs(r.raw)
	if !l.more() {
		_, err := l.next(oneOf("", known))
		return err
	}
	verb, _ := l.next("")
	alone := statements[verb.text].class == programStatement || len(formsOf(head{false, verb.text})) > 0
	switch {
	case alone && r.raw:
		return l.errorf(verb, fmt.Sprintf("`%s ...`", verb.text), "%s needs no stream", verb.text)
	case alone || len(formsOf(h)) > 0:
		return onlyInProgram(l, verb)
	}
	return l.errorf(verb, oneOf(verb.text, known), "unknown verb %s", quoted(verb.text))
}

// knownVerbs are what a line on a stream may begin with, without what only probes say.
func knownVerbs(raw bool) (list []string) {
	for i := range forms {
		if !forms[i].standsIn(raw) || forms[i].scope == inProbe {
			continue
		}
		for _, h := range headsOf(i) {
			if h.onStream && !slices.Contains(list, h.word) {
				list = append(list, h.word)
			}
		}
	}
	return list
}

func onlyInProgram(l *line, t token) error {
	return l.errorf(t, "the calls between them: giant, eager and replay are derived from these",
		"%s stands only in a program section", t.text)
}
