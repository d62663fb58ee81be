package text

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	maxName  = 64   // bytes
	maxWords = 1000 // of a line: 1000 names of 64 bytes still fit into maxLine when they are printed
)

// token is a word of a line, or a colon.
type token struct {
	text string
	col  int // in bytes, 1 is the first
}

// line is one line of a section and a cursor on its tokens.
type line struct {
	file string
	no   int32
	text string // all of it, for messages
	code string // without the comment
	toks []token
	at   int // the next token
}

// each visits the lines that are neither blank nor comment, those of a block `repeat N` … `end` N times. The line is
// reused from visit to visit.
func (s *section) each(visit func(*line) error) error {
	l := &line{file: s.file, no: int32(s.line)}
	repeated := 0 // lines of blocks, each as often as it is repeated
	for rest := s.body; rest != ""; {
		l.text, rest, _ = strings.Cut(rest, "\n")
		l.no++
		if err := l.scan(); err != nil {
			return err
		}
		if len(l.toks) == 0 {
			continue
		}
		b, after, repeats, err := l.repeatBlock(rest, repeated)
		repeated += b.times * len(b.texts)
		switch {
		case err != nil:
			return err
		case repeats:
			rest = after
			err = b.visit(l, func() error { return visit(l) })
		default:
			err = visit(l)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (l *line) scan() error {
	l.code, _, _ = strings.Cut(l.text, "#")
	l.toks, l.at = l.toks[:0], 0
	start := -1 // of the word that is being read
	for i := 0; i <= len(l.code); i++ {
		var c byte = ' '
		if i < len(l.code) {
			c = l.code[i]
		}
		if c < ' ' && c != '\t' || c == 0x7f {
			return l.errorAt(i+1, fmt.Sprintf("control character %#x", c), "text")
		}
		if c != ' ' && c != '\t' && c != ':' {
			if start < 0 {
				start = i
			}
			continue
		}
		if start >= 0 {
			l.toks = append(l.toks, token{l.code[start:i], start + 1})
			start = -1
		}
		if c == ':' {
			l.toks = append(l.toks, token{":", i + 1})
		}
	}
	if len(l.toks) > maxWords {
		return l.errorAt(l.toks[maxWords].col, fmt.Sprintf("the line has %d words", len(l.toks)),
			fmt.Sprintf("at most %d", maxWords))
	}
	return nil
}

func (l *line) errorAt(col int, msg, want string) error {
	return &SyntaxError{File: l.file, Line: int(l.no), Col: col, Text: l.text, Msg: msg, Want: want}
}

// errorf points at a token.
func (l *line) errorf(t token, want, format string, args ...any) error {
	return l.errorAt(t.col, fmt.Sprintf(format, args...), want)
}

// word is the i-th token's text; "" when there is none.
func (l *line) word(i int) string {
	if i < len(l.toks) {
		return l.toks[i].text
	}
	return ""
}

// more says whether a token is left.
func (l *line) more() bool { return l.at < len(l.toks) }

// next takes a token; what names it for the error when there is none.
func (l *line) next(what string) (token, error) {
	if !l.more() {
		return token{}, l.errorAt(len(strings.TrimRight(l.code, " \t"))+1, "the line ends too early", what)
	}
	l.at++
	return l.toks[l.at-1], nil
}

// peek is the text of the next token; "" at the end.
func (l *line) peek() string { return l.word(l.at) }

// expect takes a token that must be one of words.
func (l *line) expect(words ...string) (token, error) {
	if !l.more() {
		return l.next(oneOf("", words))
	}
	t, err := l.next("")
	if !slices.Contains(words, t.text) {
		err = l.errorf(t, oneOf(t.text, words), "unexpected %s", quoted(t.text))
	}
	return t, err
}

// end fails when a token is left.
func (l *line) end() error {
	if !l.more() {
		return nil
	}
	t := l.toks[l.at]
	return l.errorf(t, "the end of the line", "unexpected %s", quoted(t.text))
}

// clauseWords end a list of names, and main and legacy always are streams: none of them names anything else.
var clauseWords = []string{"after", "reads", "writes", "on", "sms", "bandwidth", "starts", "pinned", "pageable",
	"want", "intended", "whole", "blocking", "priority", "capacity"}

func reserved(word string) bool {
	return word == mainName || word == legacyName || word == perThreadName || word == nullName ||
		slices.Contains(clauseWords, word)
}

// name takes a name; what says of what: "event".
func (l *line) name(what string) (token, error) {
	if !l.more() {
		return l.next("the name of " + what)
	}
	t, err := l.next("")
	switch {
	case !validName(t.text):
		err = l.errorf(t, "a letter or _, then letters, digits, _ - . up to 64 bytes", "%s is not a name for %s",
			quoted(t.text), what)
	case reserved(t.text):
		err = l.errorf(t, "the name of "+what, "%s is a word of the language", quoted(t.text))
	}
	return t, err
}

func validName(s string) bool {
	for i := range len(s) {
		c := s[i]
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_'
		if !letter && (i == 0 || !('0' <= c && c <= '9' || c == '-' || c == '.')) {
			return false
		}
	}
	return 0 < len(s) && len(s) <= maxName
}

// count takes a whole number within [least, most].
func (l *line) count(what string, least, most int) (int, error) {
	rng := fmt.Sprintf("%s from %d to %d", what, least, most)
	t, err := l.next(rng)
	if err != nil {
		return 0, err
	}
	n, err := strconv.Atoi(t.text)
	if err != nil || n < least || n > most {
		return 0, l.errorf(t, rng, "%s is not %s", quoted(t.text), what)
	}
	return n, nil
}

// duration takes a duration in (0, most].
func (l *line) duration(most time.Duration) (time.Duration, error) {
	const want = "a duration as 100ms or 1.5us: a number and one of ns, us, ms, s"
	t, err := l.next(want)
	if err != nil {
		return 0, err
	}
	d, fault := parseDuration(t.text)
	switch {
	case fault != "":
		return 0, l.errorf(t, want, "%s %s", quoted(t.text), fault)
	case d <= 0:
		return 0, l.errorf(t, "more than 0", "%s is not a positive duration", quoted(t.text))
	case d > most:
		limit := FormatDuration(most)
		if most >= time.Hour {
			limit = fmt.Sprintf("%dh", int(most.Hours()))
		}
		return 0, l.errorf(t, "at most "+limit, "%s is too long", quoted(t.text))
	}
	return d, nil
}

// percent takes a number from 0 to 100 and its sign: "2%", "0.5%".
func (l *line) percent() (float64, error) {
	const want = "a percentage from 0% to 100%"
	t, err := l.next(want)
	if err != nil {
		return 0, err
	}
	number, found := strings.CutSuffix(t.text, "%")
	digits, negative := strings.CutPrefix(number, "-")
	plain := strings.Trim(digits, "0123456789.") == "" && len(digits) <= maxName // no exponent, Inf or NaN
	f, err := strconv.ParseFloat(digits, 64)
	switch {
	case !found:
		return 0, l.errorf(t, want, "%s lacks its %%", quoted(t.text))
	case err != nil || !plain:
		return 0, l.errorf(t, want, "%s is not a percentage", quoted(t.text))
	case negative || f > 100:
		return 0, l.errorf(t, want, "%s is out of range", quoted(t.text))
	}
	return f, nil
}
