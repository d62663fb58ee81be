package dot

import (
	"fmt"
	"strconv"
	"strings"
)

// shorten keeps messages on one line.
func shorten(s string) string {
	const most = 60
	if len(s) > most {
		return strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}

// Error is what is wrong with a file, and the line, counted from 1; "DOT line 3: want …, found …".
type Error struct {
	Line int
	What string
}

func (e *Error) Error() string { return fmt.Sprintf("DOT line %d: %s", e.Line, e.What) }

func errorAt(line int, format string, args ...any) error {
	return &Error{line, fmt.Sprintf(format, args...)}
}

// The DOT that is read here: quoted and plain ids, numerals, the three kinds of comment, punctuation. HTML labels,
// ports and node sets are refused.
type tokenKind uint8

const (
	endToken tokenKind = iota
	idToken
	quotedToken
	arrowToken
	punctToken // one of { } [ ] = ; ,
)

type token struct {
	kind tokenKind
	text string // of a quoted one what stands between the quotes, escapes and all
	line int    // of its first character
}

func (t token) String() string {
	switch t.kind {
	case endToken:
		return "the end of the file"
	case quotedToken:
		return fmt.Sprintf("%q", shorten(t.text))
	}
	return shorten(t.text)
}

func (t token) is(punct string) bool { return t.kind == punctToken && t.text == punct }

func (t token) isID() bool { return t.kind == idToken || t.kind == quotedToken }

// keyword says whether an unquoted id is this keyword of DOT, which ignores case.
func (t token) keyword(word string) bool { return t.kind == idToken && strings.EqualFold(t.text, word) }

type scanner struct {
	src  string
	pos  int
	line int
}

func (s *scanner) next() (token, error) {
	if err := s.skip(); err != nil {
		return token{}, err
	}
	if s.pos == len(s.src) {
		return token{kind: endToken, line: s.line}, nil
	}
	start, c := s.pos, s.src[s.pos]
	switch {
	case c == '"':
		return s.quoted()
	case strings.IndexByte("{}[]=;,", c) >= 0:
		s.pos++
		return token{punctToken, s.src[start:s.pos], s.line}, nil
	case strings.HasPrefix(s.src[start:], "->"):
		s.pos += 2
		return token{arrowToken, "->", s.line}, nil
	case letter(c):
		s.run(func(c byte) bool { return letter(c) || digit(c) })
	case c == '-' || c == '.' || digit(c):
		s.pos++
		s.run(func(c byte) bool { return digit(c) || c == '.' })
	default:
		return token{}, errorAt(s.line, "want a name, a string or punctuation, found %q", s.src[start:start+1])
	}
	return token{idToken, s.src[start:s.pos], s.line}, nil
}

func letter(c byte) bool { return c == '_' || c >= 0x80 || 'a' <= c|0x20 && c|0x20 <= 'z' }
func digit(c byte) bool  { return '0' <= c && c <= '9' }

func (s *scanner) run(in func(byte) bool) {
	for s.pos < len(s.src) && in(s.src[s.pos]) {
		s.pos++
	}
}

// quoted reads a string, which may span lines. A backslash takes the next character with it.
func (s *scanner) quoted() (token, error) {
	line, start := s.line, s.pos+1
	for end := start; ; end++ {
		n := strings.IndexByte(s.src[end:], '"')
		if n < 0 {
			break
		}
		end += n
		escapes := 0
		for end-escapes > start && s.src[end-escapes-1] == '\\' {
			escapes++
		}
		if escapes%2 == 0 {
			text := s.src[start:end]
			s.line += strings.Count(text, "\n")
			s.pos = end + 1
			return token{quotedToken, text, line}, nil
		}
	}
	return token{}, errorAt(line, "want the closing quote of this string, found the end of the file")
}

// skip passes white space and comments.
func (s *scanner) skip() error {
	for s.pos < len(s.src) {
		rest := s.src[s.pos:]
		switch {
		case rest[0] == '\n':
			s.line++
			s.pos++
		case rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\r':
			s.pos++
		case rest[0] == '#' || strings.HasPrefix(rest, "//"):
			s.run(func(c byte) bool { return c != '\n' })
		case strings.HasPrefix(rest, "/*"):
			end := strings.Index(rest[2:], "*/")
			if end < 0 {
				return errorAt(s.line, "want the end of this comment, found the end of the file")
			}
			s.line += strings.Count(rest[:2+end], "\n")
			s.pos += 2 + end + 2
		default:
			return nil
		}
	}
	return nil
}

func number(s string) (int, bool) {
	n, err := strconv.ParseUint(s, 10, 31)
	return int(n), err == nil && digit(s[0])
}
