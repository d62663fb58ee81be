package tables

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/schedule"
)

func TestRead(t *testing.T) {
	all, err := Read()
	require.NoError(t, err)
	assert.Equal(t, Cell{schedule.CaptureUnsupported, true}, all.Unsafe.Cell(QueryOther,
		Meets(Owner, schedule.ThreadLocal)))
	assert.Equal(t, Cell{}, all.Unsafe.Cell(QueryOther, Meets(Other, schedule.ThreadLocal)))
	assert.Equal(t, Cell{schedule.CaptureImplicit, true}, all.Legacy.Cell(LegacySync, PerThreadOrigin))
	for c := range NumUnsafeColumns {
		assert.Equal(t, Cell{}, all.Unsafe.Cell(Unlisted, c), "a call without a row passes")
	}
}

func TestColumns(t *testing.T) {
	for c := range NumUnsafeColumns {
		assert.Equal(t, c, Meets(c.Caller(), c.Mode()))
	}
	assert.Equal(t, "exchanged thread-local", Meets(Exchanged, schedule.ThreadLocal).String())
	assert.Equal(t, UnsafeColumn(9), NumUnsafeColumns)
}

// Each call is spelled, and no two alike; so is each column.
func TestSpellings(t *testing.T) {
	distinct := func(names []string) {
		seen := map[string]bool{}
		for i, name := range names {
			assert.NotEmpty(t, name, "number %d", i)
			assert.False(t, seen[name], name)
			seen[name] = true
		}
	}
	distinct(unsafeNames[1:])
	distinct(legacyNames[:])
	distinct(callerNames[:])
	distinct(legacyColumnNames[:])
}

var two = form{"t.txt", []string{"", "x y", "z"}, []string{"a", "b"}}

func TestParse(t *testing.T) {
	cells, err := two.parse("# why\ncall | a | b # columns\n\nz |1|2 lost\nx y |  900   lost| 0\n")
	require.NoError(t, err)
	assert.Equal(t, [][]Cell{{{}, {}}, {{900, true}, {}}, {{1, false}, {2, true}}}, cells)
}

func TestParseErrors(t *testing.T) {
	const columns = "call | a | b\n"
	for _, row := range []struct{ text, want string }{
		{"", `:1: no line of columns; want ["call" "a" "b"]`},
		{"# nothing\n\n", `:2: no line of columns; want ["call" "a" "b"]`},
		{"what | a | b\n", `:1: column 1 is "what"; want "call"`},
		{"call | b\n", `:1: column 2 is "b"; want "a"`},
		{"call | a | a\n", `:1: column 3 is "a"; want "b"`},
		{"call | a\n", `:1: the columns end before "b"; want ["call" "a" "b"]`},
		{columns[:12] + " | c\n", `:1: a column "c" behind the last; want ["call" "a" "b"]`},
		{columns + "z | 0\n", ":2: 1 cells; want 2, behind bars"},
		{columns + "\n | 0 | 0\n", ":3: a row without a call; want it before the first bar"},
		{columns + "z | 0 | 0\nx y | 0 | 0\nz | 0 | 0\n", `:4: a second row for "z"; want the one of line 2 alone`},
		{columns + "z | 0 | nine\n", `:2: "nine" under b; want a code, and ` + "`lost` behind it when the capture is"},
		{columns + "z | 900 gone | 0\n", `:2: "900 gone" under a; want a code`},
		{columns + "z | -1 | 0\n", `:2: "-1" under a; want a code`},
		{columns + "z | 0 | 0\n", `:2: the table ends without a row for ["x y"]`},
		{columns + "z | 0 | 0\nx  Y | 0 | 0\n",
			`:3: no call is spelled "x Y"; want one of those that have no row yet: ["x y"]`},
		{columns + "z | 0 | 0\nx y | 0 | 0\nx | 0 | 0\n",
			`:4: no call is spelled "x"; all that have a constant have their rows, so want a constant more, or this row away`},
	} {
		_, err := two.parse(row.text)
		require.Error(t, err, row.text)
		assert.Contains(t, err.Error(), "gpu/sim/tables/t.txt"+row.want)
		assert.NotContains(t, err.Error(), "\n")
	}
}

// What is wrong with the files themselves is an error of reading them, whichever row or column it is.
func TestEachRowAndColumnIsNeeded(t *testing.T) {
	for _, file := range []struct {
		text  string
		parse func(string) error
	}{
		{unsafeText, func(text string) error { _, err := ParseUnsafe(text); return err }},
		{legacyText, func(text string) error { _, err := ParseLegacy(text); return err }},
	} {
		require.NoError(t, file.parse(file.text))
		lines := strings.SplitAfter(strings.TrimSuffix(file.text, "\n"), "\n")
		require.True(t, strings.HasPrefix(lines[1], "call "))
		for i := 2; i < len(lines); i++ {
			without := strings.Join(append(append([]string{}, lines[:i]...), lines[i+1:]...), "")
			assert.ErrorContains(t, file.parse(without), "ends without a row")
			assert.ErrorContains(t, file.parse(file.text+lines[i]), "a second row")
			assert.ErrorContains(t, file.parse(strings.Replace(file.text, lines[i], "x"+lines[i], 1)),
				"no call is spelled")
		}
		for _, column := range strings.Split(lines[1], "|")[1:] {
			without := strings.Replace(file.text, "|"+column, "", 1)
			misspelt := strings.Replace(file.text, column, " x"+column, 1)
			assert.Error(t, file.parse(without), column)
			assert.ErrorContains(t, file.parse(misspelt), "want", column)
		}
	}
}
