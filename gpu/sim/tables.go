package sim

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/gpu-overlap/overlap/schedule"
)

// The tables of what is refused while streams capture. They are derived from what a GPU showed of two probes.
var (
	//go:embed tables/unsafe.txt
	unsafeText string
	//go:embed tables/legacy.txt
	legacyText string
)

// unsafeColumns and legacyColumns are the captures that a call can meet, as the tables must have them.
var (
	unsafeColumns = []string{
		"owner global", "owner thread-local", "owner relaxed", "other global", "other thread-local", "other relaxed",
		"exchanged global", "exchanged thread-local", "exchanged relaxed",
	}
	legacyColumns = []string{"non-blocking", "blocking", "forked", "per-thread"}
)

// tables are both.
type tables struct{ unsafe, legacy *table }

var readTables = sync.OnceValues(func() (t tables, err error) {
	if t.unsafe, err = parseTable("unsafe.txt", unsafeText, unsafeColumns); err != nil {
		return t, err
	}
	t.legacy, err = parseTable("legacy.txt", legacyText, legacyColumns)
	return t, err
})

// table says of each call, as a probe spells it, what it gives beside each kind of capture.
type table struct{ rows map[string][]cell }

// cell is that of a call in a column; that of a call that the table does not have lets it pass.
func (t *table) cell(call string, column int) cell {
	if row, ok := t.rows[call]; ok {
		return row[column]
	}
	return cell{}
}

// cell is the code that a call gives, and whether the capture is lost.
type cell struct {
	code schedule.Code
	lost bool
}

// parseTable reads a table: a line for each call, its cells between bars, `900 lost` or `0`. The first line names the
// columns; # starts a comment.
func parseTable(file, text string, columns []string) (*table, error) {
	t := &table{rows: map[string][]cell{}}
	header := false
	for i, l := range strings.Split(text, "\n") {
		l, _, _ = strings.Cut(l, "#")
		if strings.TrimSpace(l) == "" {
			continue
		}
		words := strings.Split(l, "|")
		for k := range words {
			words[k] = strings.Join(strings.Fields(words[k]), " ")
		}
		bad := func(format string, args ...any) error {
			return fmt.Errorf("sim: tables/%s:%d: %s", file, i+1, fmt.Sprintf(format, args...))
		}
		switch {
		case !header:
			if words[0] != "call" || !slices.Equal(words[1:], columns) {
				return nil, bad("the columns are %q; want call, then %q", words, columns)
			}
			header = true
		case words[0] == "":
			return nil, bad("a row without a call")
		case t.rows[words[0]] != nil:
			return nil, bad("%q stands here a second time", words[0])
		case len(words) != len(columns)+1:
			return nil, bad("%d cells; want %d, behind bars", len(words)-1, len(columns))
		default:
			row := make([]cell, len(columns))
			for k, word := range words[1:] {
				var ok bool
				if row[k], ok = parseCell(word); !ok {
					return nil, bad("%q under %s; want a code, and `lost` behind it when the capture is", word, columns[k])
				}
			}
			t.rows[words[0]] = row
		}
	}
	if !header {
		return nil, fmt.Errorf("sim: tables/%s: empty; want a line of columns", file)
	}
	return t, nil
}

func parseCell(word string) (c cell, ok bool) {
	number, rest, _ := strings.Cut(word, " ")
	n, err := strconv.Atoi(number)
	return cell{schedule.Code(n), rest == "lost"}, err == nil && n >= 0 && (rest == "" || rest == "lost")
}
