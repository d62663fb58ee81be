// Package tables holds what a GPU showed of calls that the driver refuses while streams capture: two tables, of the
// calls that could harm a capture (unsafe.txt, from probe P18) and of those that use the legacy stream beside one
// (legacy.txt, from probe P19). A row is a call and a column is a capture that it meets. The cell says which code the
// call gives there, and whether the capture is lost.
//
// Rows and columns are constants: who asks cannot misspell them, and a table is not read unless each of them stands
// in it exactly once and nothing else does. The files spell them as the probes do. The simulated device reads the
// tables, and package probe writes them with the same constants.
package tables

import (
	_ "embed"
	"sync"
)

//go:generate go -C ../../.. run ./internal/cmd/tables

var (
	//go:embed unsafe.txt
	unsafeText string
	//go:embed legacy.txt
	legacyText string
)

// UnsafeText is the file of the calls that could harm a capture.
func UnsafeText() string { return unsafeText }

// LegacyText is the file of the calls that use the legacy stream.
func LegacyText() string { return legacyText }

// Tables are both.
type Tables struct {
	Unsafe *Table[UnsafeCall, UnsafeColumn]
	Legacy *Table[LegacyCall, LegacyColumn]
}

// Table has a cell for each call in each column.
type Table[Call, Column ~uint8] struct{ cells [][]Cell }

// Cell finds that of a call in a column; the zero value where there is none.
func (t *Table[Call, Column]) Cell(call Call, column Column) Cell {
	if int(call) >= len(t.cells) || int(column) >= len(t.cells[call]) {
		return Cell{}
	}
	return t.cells[call][column]
}

// nameOf is the name of a number; "?" where there is none.
func nameOf(names []string, i int) string {
	if i >= len(names) {
		return "?"
	}
	return names[i]
}

// Read gives the tables that are built in.
var Read = sync.OnceValues(func() (t Tables, err error) {
	if t.Unsafe, err = ParseUnsafe(unsafeText); err != nil {
		return Tables{}, err
	}
	if t.Legacy, err = ParseLegacy(legacyText); err != nil {
		return Tables{}, err
	}
	return t, nil
})

// ParseUnsafe reads the text of unsafe.txt. An error names its line, and what would be right there.
func ParseUnsafe(text string) (*Table[UnsafeCall, UnsafeColumn], error) {
	columns := make([]string, NumUnsafeColumns)
	for c := range NumUnsafeColumns {
		columns[c] = c.String()
	}
	cells, err := form{"unsafe.txt", unsafeNames[:], columns}.parse(text)
	return &Table[UnsafeCall, UnsafeColumn]{cells}, err
}

// ParseLegacy reads the text of legacy.txt, likewise.
func ParseLegacy(text string) (*Table[LegacyCall, LegacyColumn], error) {
	cells, err := form{"legacy.txt", legacyNames[:], legacyColumnNames[:]}.parse(text)
	return &Table[LegacyCall, LegacyColumn]{cells}, err
}
