package probe

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// measured is a log of P18 with two calls; cells are code and status by column.
func measured(cell func(column column, call string) (code, status string)) *Log {
	l := &Log{Device: "a GPU"}
	for _, c := range unsafeColumns() {
		for _, call := range []string{"s9:_query", "s0:_call_launch-empty"} {
			code, status := cell(c, call)
			text := strings.ReplaceAll(call, "_", " ")
			if c.program == "other" {
				text = "thread 1 " + text
			}
			l.Parts = append(l.Parts, PartLog{Title: fmt.Sprintf("%s mode=%s call=%s", c.program, c.mode, call),
				Rows: []Row{
					{What: "s9: query", Saw: []string{"0"}}, {What: "s0: begin capture", Saw: []string{"0"}},
					{What: "s0: call launch-empty", Saw: []string{"0"}}, {What: text, Saw: []string{code + "  main none"}},
					{What: "s0: capturing", Saw: []string{"0  " + status}}, {What: "s0: end capture g", Saw: []string{"0"}},
					{What: "s0: capturing", Saw: []string{"0  none"}},
				}})
		}
	}
	return l
}

func TestUnsafeTable(t *testing.T) {
	text, err := UnsafeTable(measured(func(c column, call string) (string, string) {
		if call == "s9:_query" && c.name == "other global" {
			return "900", "invalidated"
		}
		return "0", "active"
	}))
	require.NoError(t, err)
	lines := strings.Split(text, "\n")
	assert.Equal(t, "# Derived from what a GPU showed: a GPU", lines[0])
	assert.Equal(t, "s9: query | 0 | 0 | 0 | 900 lost | 0 | 0 | 0 | 0 | 0", strings.Join(strings.Fields(lines[2]), " "))
	assert.Equal(t, "s0: call launch-empty | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0",
		strings.Join(strings.Fields(lines[3]), " "))
}

func TestTableErrors(t *testing.T) {
	fine := func(column, string) (string, string) { return "0", "active" }
	missing := measured(fine)
	missing.Parts = missing.Parts[:len(missing.Parts)-1]
	for want, l := range map[string]*Log{
		"want a code":                   measured(func(column, string) (string, string) { return "free", "active" }),
		"want a capture that is active": measured(func(column, string) (string, string) { return "0", "none" }),
		"take the golden anew":          missing,
		"no part of it is called":       {},
		"no row shows":                  {Parts: []PartLog{{Title: "owner mode=global call=s9:_query"}}},
	} {
		_, err := UnsafeTable(l)
		assert.ErrorContains(t, err, want)
	}
}
