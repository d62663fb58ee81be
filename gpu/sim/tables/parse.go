package tables

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gpu-overlap/overlap/schedule"
)

// Cell is what a call gives that meets a capture. The zero Cell is success, which costs the capture nothing.
type Cell struct {
	Code schedule.Code
	Lost bool // the capture is
}

// form is what a table must look like.
type form struct {
	file    string
	calls   []string // by number; "" is not spelled
	columns []string // in their order
}

// line is a line of a file: its number, and its words between bars, without comment.
type line struct {
	form   form
	number int
	words  []string
}

// bad is what is wrong with a line, and what would be right.
func (l line) bad(format string, args ...any) error {
	return fmt.Errorf("gpu/sim/tables/%s:%d: %s", l.form.file, l.number, fmt.Sprintf(format, args...))
}

// parse reads a table: a line for each call, its cells between bars, `900 lost` or `0`. The first line names the
// columns; # starts a comment. All cells of a call that is not spelled are zero.
func (f form) parse(text string) ([][]Cell, error) {
	cells, at := make([][]Cell, len(f.calls)), make([]int, len(f.calls)) // at: the lines of the rows
	lines, end := f.lines(text)
	if len(lines) == 0 {
		return nil, end.bad("no line of columns; want %q", append([]string{"call"}, f.columns...))
	}
	if err := lines[0].header(); err != nil {
		return nil, err
	}
	var unknown error
	for _, l := range lines[1:] {
		call := slices.Index(f.calls, l.words[0])
		switch {
		case l.words[0] == "":
			return nil, l.bad("a row without a call; want it before the first bar")
		case call < 0 && unknown == nil:
			unknown = l.bad("no call is spelled %q", l.words[0])
		case call < 0:
		case at[call] > 0:
			return nil, l.bad("a second row for %q; want the one of line %d alone", l.words[0], at[call])
		default:
			var err error
			if cells[call], err = l.cells(); err != nil {
				return nil, err
			}
			at[call] = l.number
		}
	}
	missing := f.fill(cells)
	switch {
	case unknown != nil && len(missing) > 0:
		return nil, fmt.Errorf("%w; want one of those that have no row yet: %q", unknown, missing)
	case unknown != nil:
		return nil, fmt.Errorf("%w; all that have a constant have their rows, so want a constant more, or this row away",
			unknown)
	case len(missing) > 0:
		return nil, end.bad("the table ends without a row for %q; want a row for each call", missing)
	}
	return cells, nil
}

// lines are those that say something; end stands for the end of the file.
func (f form) lines(text string) (list []line, end line) {
	all := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i, s := range all {
		s, _, _ = strings.Cut(s, "#")
		if strings.TrimSpace(s) == "" {
			continue
		}
		l := line{f, i + 1, strings.Split(s, "|")}
		for k := range l.words {
			l.words[k] = strings.Join(strings.Fields(l.words[k]), " ")
		}
		list = append(list, l)
	}
	return list, line{form: f, number: len(all)}
}

// header says what is wrong with the line of the columns.
func (l line) header() error {
	want := append([]string{"call"}, l.form.columns...)
	for i, w := range want {
		if i >= len(l.words) {
			return l.bad("the columns end before %q; want %q", w, want)
		}
		if l.words[i] != w {
			return l.bad("column %d is %q; want %q", i+1, l.words[i], w)
		}
	}
	if len(l.words) > len(want) {
		return l.bad("a column %q behind the last; want %q", l.words[len(want)], want)
	}
	return nil
}

// cells are those of a row.
func (l line) cells() ([]Cell, error) {
	if len(l.words) != len(l.form.columns)+1 {
		return nil, l.bad("%d cells; want %d, behind bars", len(l.words)-1, len(l.form.columns))
	}
	row := make([]Cell, len(l.form.columns))
	for k, word := range l.words[1:] {
		number, rest, _ := strings.Cut(word, " ")
		n, err := strconv.Atoi(number)
		if err != nil || n < 0 || rest != "" && rest != "lost" {
			return nil, l.bad("%q under %s; want a code, and `lost` behind it when the capture is",
				word, l.form.columns[k])
		}
		row[k] = Cell{schedule.Code(n), rest == "lost"}
	}
	return row, nil
}

// fill gives the call that is not spelled its cells, and finds those that have none.
func (f form) fill(cells [][]Cell) (missing []string) {
	for call, name := range f.calls {
		switch {
		case name == "":
			cells[call] = make([]Cell, len(f.columns))
		case cells[call] == nil:
			missing = append(missing, name)
		}
	}
	return missing
}
