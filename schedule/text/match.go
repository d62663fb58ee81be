package text

import (
	"fmt"
	"slices"

	"github.com/gpu-overlap/overlap/schedule"
)

const mostWords = 12 // of a form

// fit is how far a line goes along with a form.
type fit struct {
	form  int
	at    [mostWords + 1]int16 // by word of the form: where it begins in the line
	words int                  // of the form that are there
	end   int                  // of the line: where they end
	whole bool                 // all are there, and nothing but what may stand behind every call
}

// head is how the line begins.
func (l *line) head() head {
	if l.word(1) == ":" {
		return head{true, l.word(2)}
	}
	return head{false, l.word(0)}
}

// match finds the form of a line: the first that fits as a whole, or else the one that goes along furthest. ok is false when
// none begins as the line does.
func (r *spelledReader) match(l *line) (best fit, ok bool) {
	for _, i := range formsOf(l.head()) {
		if !forms[i].standsIn(r.raw) {
			continue
		}
		if f := l.fit(i); !ok || f.whole && !best.whole || !best.whole && f.end > best.end {
			best, ok = f, true
		}
		if best.whole {
			break
		}
	}
	return best, ok
}

// fit compares a line with a form, word by word. Operands are not looked at: what is wrong with one is said when it is read.
func (l *line) fit(form int) fit {
	f := fit{form: form}
	for k, w := range words[form] {
		n, there := l.takes(f.end, w, words[form][k+1:])
		if !there {
			return f
		}
		f.end, f.words = f.end+n, k+1
		f.at[k+1] = int16(f.end)
	}
	f.whole = f.end >= len(l.toks) || isTail(l.word(f.end))
	return f
}

// takes says how many words of the line from at on a word of a form takes, and whether it is there at all.
func (l *line) takes(at int, w word, rest []word) (n int, there bool) {
	next := l.word(at)
	if w.operand == nil {
		return 1, next == w.literal
	}
	switch w.operand.size {
	case optional:
		if next != "after" {
			return 0, true
		}
	case someNode:
	case wholeOp:
		_, there := kindNamed(next)
		return len(l.toks) - at, there
	case allRest:
		return len(l.toks) - at, true
	default:
		return 1, at < len(l.toks) && next != "want"
	}
	for at+n < len(l.toks) && !isTail(l.word(at+n)) && (len(rest) == 0 || l.word(at+n) != rest[0].literal) {
		n++
	}
	return n, true
}

// isTail says whether a word begins what may stand behind every call.
func isTail(word string) bool { return word == "want" || word == "intended" }

// misfit says what is wrong with a line that fits no form as a whole: f went along furthest. An operand that is wrong comes
// first, since a word too many or too few may follow from it.
func (r *spelledReader) misfit(l *line, f fit) error {
	if err := r.operands(l, f); err != nil {
		return err
	}
	var literals []string
	done := false // a form is complete here
	for _, i := range formsOf(l.head()) {
		other := l.fit(i)
		switch {
		case !forms[i].standsIn(r.raw) || other.end != f.end:
		case other.words == len(words[i]):
			done = true
		default:
			w := words[i][other.words]
			if w.operand != nil && w.operand.size != wholeOp {
				l.at = f.end
				return w.operand.read(r, l, &call{}, f.end)
			}
			for _, word := range w.begins() {
				if !slices.Contains(literals, word) {
					literals = append(literals, word)
				}
			}
		}
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

// begins are the words that may stand at a word of a form: its literal, or the kinds of op.
func (w word) begins() (list []string) {
	if w.operand == nil {
		return []string{w.literal}
	}
	return kindNames
}

// operands reads those of a form into r.read, as far as the line goes along with it.
func (r *spelledReader) operands(l *line, f fit) (err error) {
	r.read = call{Instr: schedule.Instr{Verb: forms[f.form].verb}, args: schedule.Args{Number: forms[f.form].number}}
	for k := 0; k < f.words && err == nil; k++ {
		l.at = int(f.at[k])
		if words[f.form][k].operand == nil {
			l.at++
			continue
		}
		err = words[f.form][k].operand.read(r, l, &r.read, int(f.at[k+1]))
	}
	return err
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
	return l.errorf(t, "the calls between them: giant, eager and replay are derived from these", "%s stands only in a program section", t.text)
}
