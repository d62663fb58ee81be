package text

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/tools/txtar"
)

const (
	maxFile = 16 << 20 // bytes
	maxLine = 64 << 10 // bytes
)

var byteOrderMark = []byte("\ufeff")

// section is one file of the archive: its name, and where it stands.
type section struct {
	file string // the case file, for messages
	name string
	line int // of its header
	body string
}

// errorf points at the header of the section.
func (s *section) errorf(want, format string, args ...any) error {
	return &SyntaxError{File: s.file, Line: s.line, Col: 4, Text: "-- " + s.name + " --",
		Msg: fmt.Sprintf(format, args...), Want: want}
}

// source is a case file cut into its sections.
type source struct {
	file     string
	why      string
	sections []section
	last     line // of the file
}

// readSource checks that the data is text within limits and cuts it. Lines may end in CR LF.
func readSource(file string, data []byte) (*source, error) {
	if len(data) > maxFile {
		return nil, &SyntaxError{File: file, Msg: fmt.Sprintf("the file has %d bytes", len(data)),
			Want: "at most 16 MiB"}
	}
	data = bytes.TrimPrefix(data, byteOrderMark)
	data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	if err := checkText(file, data); err != nil {
		return nil, err
	}
	arc := txtar.Parse(data)
	src := &source{file: file, last: lastLine(file, data)}
	no := bytes.Count(arc.Comment, []byte("\n"))
	if err := checkWhy(file, string(arc.Comment)); err != nil {
		return nil, err
	}
	src.why = trimBlankLines(string(arc.Comment))
	for _, f := range arc.Files {
		no++
		src.sections = append(src.sections, section{file: file, name: f.Name, line: no, body: string(f.Data)})
		no += bytes.Count(f.Data, []byte("\n"))
	}
	return src, nil
}

func lastLine(file string, data []byte) line {
	text := strings.TrimSuffix(string(data), "\n")
	l := line{file: file, no: int32(strings.Count(text, "\n") + 1)}
	l.text = text[strings.LastIndexByte(text, '\n')+1:]
	return l
}

// checkText refuses what no text file holds.
func checkText(file string, data []byte) error {
	for no := 1; len(data) > 0; no++ {
		text, rest, _ := bytes.Cut(data, []byte("\n"))
		bad := func(at int, msg, want string) error {
			return &SyntaxError{File: file, Line: no, Col: at + 1, Text: string(text), Msg: msg, Want: want}
		}
		if len(text) > maxLine {
			return bad(maxLine, fmt.Sprintf("the line has %d bytes", len(text)), "at most 64 KiB")
		}
		if i := bytes.IndexByte(text, 0); i >= 0 {
			return bad(i, "a NUL byte: the file is binary", "text in UTF-8")
		}
		if !utf8.Valid(text) {
			return bad(invalidAt(text), "bytes that are not UTF-8", "text in UTF-8")
		}
		if i := bytes.IndexByte(text, '\r'); i >= 0 {
			return bad(i, "a carriage return inside a line", "lines that end in LF or CR LF")
		}
		if i := bytes.Index(text, byteOrderMark); i >= 0 {
			return bad(i, "a byte order mark inside the text", "one at the beginning of the file, or none")
		}
		data = rest
	}
	return nil
}

func invalidAt(text []byte) int {
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return len(text)
}

// checkWhy refuses a section header that is spoilt by blanks: it would silently become a part of the comment.
func checkWhy(file, comment string) error {
	for i, text := range strings.Split(comment, "\n") {
		header := strings.TrimSpace(text)
		if strings.HasPrefix(header, "-- ") && strings.HasSuffix(header, " --") {
			return &SyntaxError{File: file, Line: i + 1, Col: 1, Text: text,
				Msg:  "a section header with blanks around it",
				Want: header + " alone on its line"}
		}
	}
	return nil
}

// trimBlankLines drops blank lines at both ends, and the last line's end.
func trimBlankLines(s string) string {
	for {
		first, rest, found := strings.Cut(s, "\n")
		if !found || strings.TrimSpace(first) != "" {
			break
		}
		s = rest
	}
	return strings.TrimRight(s, " \t\n")
}
