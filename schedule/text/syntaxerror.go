package text

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// SyntaxError says where a case file is wrong, what is wrong and what would be right.
type SyntaxError struct {
	File string
	Line int    // 1 is the first; 0 when the whole file is meant
	Col  int    // in bytes of Text, 1 is the first; 0 when no place in the line is meant
	Text string // the line, as it stands in the file
	Msg  string
	Want string // what would be right; may be empty
}

// Error is "file:line: msg; want ...", and below it the line with a caret under the place.
func (e *SyntaxError) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.Line > 0 {
		fmt.Fprintf(&b, ":%d", e.Line)
	}
	b.WriteString(": " + e.Msg)
	if e.Want != "" {
		b.WriteString("; want " + e.Want)
	}
	if e.Col > 0 {
		text, caret := e.excerpt()
		fmt.Fprintf(&b, "\n    %s\n    %s^", text, strings.Repeat(" ", caret))
	}
	return b.String()
}

const (
	excerptBefore = 70 // bytes of a long line that are shown before the caret
	excerptAfter  = 50
	tabWidth      = 4
)

// excerpt is the line as a terminal can show it, and how many cells stand before the caret.
func (e *SyntaxError) excerpt() (text string, caret int) {
	at := min(e.Col-1, len(e.Text))
	from, to := 0, len(e.Text)
	if at > excerptBefore {
		from = runeStart(e.Text, at-excerptBefore)
	}
	if to-at > excerptAfter {
		to = runeStart(e.Text, at+excerptAfter)
	}
	before, after := visible(e.Text[from:at], 0), ""
	if from > 0 {
		before = "…" + before
	}
	caret = utf8.RuneCountInString(before)
	after = visible(e.Text[at:to], caret)
	if to < len(e.Text) {
		after += "…"
	}
	return strings.TrimRight(before+after, " "), caret
}

// runeStart is where the rune of byte i begins; i itself when no rune is there.
func runeStart(s string, i int) int {
	for start := i; start >= 0 && start > i-utf8.UTFMax; start-- {
		if utf8.RuneStart(s[start]) {
			return start
		}
	}
	return i
}

// visible expands tabs, to stops counted from cell, and quotes what would not print as one cell.
func visible(s string, cell int) string {
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		shown := s[:n]
		switch {
		case r == '\t':
			shown = strings.Repeat(" ", tabWidth-cell%tabWidth)
		case r == utf8.RuneError && n == 1:
			shown = fmt.Sprintf(`\x%02x`, s[0])
		case !unicode.IsPrint(r):
			quoted := strconv.QuoteRuneToASCII(r)
			shown = quoted[1 : len(quoted)-1]
		}
		cell += utf8.RuneCountInString(shown)
		b.WriteString(shown)
		s = s[n:]
	}
	return b.String()
}

// quoted is a word from a file for a message: in quotes, escaped, and cut when it is long.
func quoted(word string) string {
	const most = 40
	if len(word) > most {
		word = word[:runeStart(word, most)] + "…"
	}
	return strconv.Quote(word)
}
