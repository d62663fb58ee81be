package text

import (
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

// match finds the form of a line: the first that fits as a whole, or else the one that goes along furthest. ok is false
// when none begins as the line does.
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

// fit compares a line with a form, word by word. Operands are not looked at: what is wrong with one is said when it is
// read.
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
