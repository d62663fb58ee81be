package probe

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/gpu-overlap/overlap/gpu/sim/tables"
	"github.com/gpu-overlap/overlap/schedule"
)

// column is one column of a table: the parts of a probe that fill it.
type column struct{ name, program, mode string }

// unsafeColumns are those of the table that P18 fills: it calls its programs by the callers.
func unsafeColumns() (list []column) {
	for c := range tables.NumUnsafeColumns {
		list = append(list, column{c.String(), c.Caller().String(), c.Mode().String()})
	}
	return list
}

// legacyPrograms are what P19 calls its programs.
var legacyPrograms = [tables.NumLegacyColumns]string{
	tables.NonBlockingCapture: "non-blocking origin", tables.BlockingOrigin: "blocking origin",
	tables.BlockingFork: "non-blocking origin forked into blocking", tables.PerThreadOrigin: "per-thread origin",
}

// legacyColumns are of relaxed captures, so that no call is refused because it is unsafe.
func legacyColumns() (list []column) {
	for c := range tables.NumLegacyColumns {
		list = append(list, column{c.String(), legacyPrograms[c], schedule.Relaxed.String()})
	}
	return list
}

// UnsafeTable is what P18 showed of calls that a capture may forbid, as the simulated device reads it.
func UnsafeTable(l *Log) (string, error) { return table(l, unsafeColumns()) }

// LegacyTable is what P19 showed of the legacy stream beside a capture.
func LegacyTable(l *Log) (string, error) { return table(l, legacyColumns()) }

// table has a row for each call and a cell for each capture that it meets: the code that the call gave, and whether the
// capture was lost.
func table(l *Log, columns []column) (string, error) {
	var calls []string
	cells := map[string]string{} // by column and call
	for _, p := range l.Parts {
		name, mode, call, ok := choice(p.Title)
		for _, c := range columns {
			if !ok || c.program != name || c.mode != mode {
				continue
			}
			cell, err := p.cell(call)
			if err != nil {
				return "", fmt.Errorf("%s: %w", p.Title, err)
			}
			if c == columns[0] {
				calls = append(calls, call)
			}
			cells[c.name+"|"+call] = cell
		}
	}
	lines := [][]string{{"call"}}
	for _, c := range columns {
		lines[0] = append(lines[0], c.name)
	}
	for _, call := range calls {
		row := []string{call}
		for _, c := range columns {
			cell, ok := cells[c.name+"|"+call]
			if !ok {
				return "", fmt.Errorf("no part shows %q for %s: take the golden anew", call, c.name)
			}
			row = append(row, cell)
		}
		lines = append(lines, row)
	}
	if len(calls) == 0 {
		return "", fmt.Errorf("no part of it is called %q, with a mode and a call", columns[0].program)
	}
	return fmt.Sprintf("# Derived from what a GPU showed: %s\n", l.Device) + aligned(lines), nil
}

// choice takes a title apart: the program, and its variables mode and call.
func choice(title string) (program, mode, call string, ok bool) {
	program, rest, ok := strings.Cut(title, " mode=")
	if !ok {
		return "", "", "", false
	}
	mode, call, ok = strings.Cut(rest, " call=")
	return program, mode, strings.ReplaceAll(call, "_", " "), ok && !strings.Contains(call, " ")
}

// cell finds the call behind the begin of the capture and the launch that follows it, then what became of the capture.
func (p *PartLog) cell(call string) (string, error) {
	begun, origin, code := -1, "", ""
	for i, r := range p.Rows {
		_, what, threaded := strings.Cut(r.What, " ")
		if !threaded || !strings.HasPrefix(r.What, "thread ") {
			what = r.What
		} else {
			_, what, _ = strings.Cut(what, " ")
		}
		switch stream, verb, _ := strings.Cut(what, ": "); {
		case begun < 0 && strings.HasPrefix(verb, "begin capture"):
			begun, origin = i, stream
		case begun < 0 || i == begun+1:
		case code == "" && what == call:
			code = strings.Fields(r.Saw[0])[0]
			if _, err := strconv.Atoi(code); err != nil {
				return "", fmt.Errorf("%s gave %q; want a code", call, r.Saw[0])
			}
		case code != "" && what == origin+": capturing":
			switch strings.Join(strings.Fields(r.Saw[0]), " ") {
			case "0 " + statusNames[1]:
				return code, nil
			case "0 " + statusNames[2]:
				return code + " lost", nil
			}
			return "", fmt.Errorf("behind %s, %s showed %q; want a capture that is active or invalidated", call, what,
				r.Saw[0])
		}
	}
	return "", fmt.Errorf("no row shows %q in a capture, and what became of that", call)
}

// aligned prints rows with bars between their cells.
func aligned(rows [][]string) string {
	width := make([]int, len(rows[0]))
	for _, r := range rows {
		for i, c := range r {
			width[i] = max(width[i], len(c))
		}
	}
	var b strings.Builder
	for _, r := range rows {
		line := ""
		for i, c := range r {
			if i > 0 {
				line += " | "
			}
			line += fmt.Sprintf("%-*s", width[i], c)
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}
