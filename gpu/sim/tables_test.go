package sim

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/internal/probe"
	"github.com/gpu-overlap/overlap/schedule"
)

// What the simulated device reads is what the GPU showed.
func TestTablesAreTheGoldens(t *testing.T) {
	for _, row := range []struct {
		probe, text string
		derive      func(*probe.Log) (string, error)
	}{{"P18", unsafeText, probe.UnsafeTable}, {"P19", legacyText, probe.LegacyTable}} {
		t.Run(row.probe, func(t *testing.T) {
			path := "../../testdata/probes/" + row.probe + ".txtar"
			f, err := probe.Read(path)
			require.NoError(t, err)
			require.NotNil(t, f.Golden, "%s was not taken on a GPU yet", path)
			want, err := row.derive(f.Golden)
			require.NoError(t, err)
			assert.Equal(t, want, row.text, "run: go run ./internal/cmd/tables")
		})
	}
}

func TestReadTables(t *testing.T) {
	tables, err := readTables()
	require.NoError(t, err)
	assert.Equal(t, cell{schedule.CaptureUnsupported, true}, tables.unsafe.cell("s9: query", byOwner*numModes+int(schedule.ThreadLocal)))
	assert.Equal(t, cell{}, tables.unsafe.cell("s9: query", byOther*numModes+int(schedule.ThreadLocal)))
	assert.Equal(t, cell{schedule.CaptureImplicit, true}, tables.legacy.cell("legacy: sync", perThreadOrigin))
	assert.Equal(t, cell{}, tables.legacy.cell("legacy: no such call", blockingOrigin))
}

func TestTableErrors(t *testing.T) {
	for _, row := range []struct{ text, want string }{
		{"", "tables/t.txt: empty; want a line of columns"},
		{"# nothing\n", "empty"},
		{"call | a\n", `tables/t.txt:1: the columns are ["call" "a"]; want call, then ["a" "b"]`},
		{"what | a | b\n", "tables/t.txt:1: the columns are"},
		{"call | a | b\nx | 0\n", "tables/t.txt:2: 1 cells; want 2, behind bars"},
		{"call | a | b\n\n | 0 | 0\n", "tables/t.txt:3: a row without a call"},
		{"call | a | b\nx | 0 | 0\nx | 0 | 0\n", `tables/t.txt:3: "x" stands here a second time`},
		{"call | a | b\nx | 0 | nine\n", `tables/t.txt:2: "nine" under b; want a code`},
		{"call | a | b\nx | 900 gone | 0\n", `"900 gone" under a`},
		{"call | a | b\nx | -1 | 0\n", `"-1" under a`},
	} {
		_, err := parseTable("t.txt", row.text, []string{"a", "b"})
		assert.ErrorContains(t, err, row.want)
	}
	got, err := parseTable("t.txt", "# why\ncall | a | b # columns\n\nx y |  900   lost| 0\n", []string{"a", "b"})
	require.NoError(t, err)
	assert.Equal(t, map[string][]cell{"x y": {{900, true}, {}}}, got.rows)
}

// A device does what its tables say: with others it does something else.
func TestTablesDecide(t *testing.T) {
	tables, err := readTables()
	require.NoError(t, err)
	row := func(code schedule.Code, lost bool, n int) []cell {
		r := make([]cell, n)
		for i := range r {
			r[i] = cell{code, lost}
		}
		return r
	}
	calls := []struct{ call, program string }{
		{"s9: query", "Q s9"}, {"s9: sync", "Sy s9"}, {"s0: query", "Q s0"}, {"query event e", "QE e"}, {"sync event e", "SyE e"},
		{"sync context", "Ctx"}, {"call make-exec", "Inst g"}, {"call replay-elsewhere", "GL g s9"}, {"upload x s9", "Up g s9"},
		{"call make-event", "MkE f"}, {"call kill-event", "RmE e"}, {"s9: call launch-empty", "K s9"}, {"s9: record f", "R e s9"},
		{"s9: wait e", "W s9 e"}, {"call kill-stream", "RmS s9"},
	}
	for _, c := range calls {
		t.Run(c.call, func(t *testing.T) {
			other := tables
			other.unsafe = &table{rows: map[string][]cell{c.call: row(77, true, len(unsafeColumns))}}
			p := program(t, "Bg s9; End s9 g; Inst g; Bg s0", c.program+"; K s0")
			p.Setup = p.Setup[:4]
			h := newHost(p, &Ideal, other)
			var codes []schedule.Code
			for _, in := range append(p.Setup, p.Body...) {
				if in.Verb == schedule.CreateEvent {
					h.events[in.Event.Index()].alive = false
				}
				codes = append(codes, h.call(in))
			}
			assert.Equal(t, []schedule.Code{0, 0, 0, 0, 77, 901}, codes)
		})
	}
	legacy := []struct{ call, program string }{
		{"legacy: call launch-empty", "K L"}, {"legacy: record f", "R f L"}, {"legacy: wait r", "W L r"}, {"legacy: query", "Q L"},
		{"legacy: sync", "Sy L"}, {"legacy: host H 20us", "H L"}, {"legacy: call memcpy-htod", "HD L"}, {"legacy: replay x", "GL g L"},
		{"upload x legacy", "Up g L"}, {"legacy: begin capture", "Bg L"}, {"legacy: end capture h", "End L h"},
	}
	for _, c := range legacy {
		t.Run(c.call, func(t *testing.T) {
			other := tables
			other.unsafe = &table{}
			other.legacy = &table{rows: map[string][]cell{c.call: row(78, false, len(legacyColumns))}}
			p := program(t, "Bg s9; End s9 g; Inst g; Bg b0", c.program+"; K b0")
			h := newHost(p, &Ideal, other)
			var codes []schedule.Code
			for _, in := range append(p.Setup, p.Body...) {
				codes = append(codes, h.call(in))
			}
			assert.Equal(t, []schedule.Code{0, 0, 0, 0, 78, 0}, codes)
		})
	}
}

// The predictions of the tables as they stand: a golden replaces them, and then this says which were wrong.
func TestTablesHaveEveryCall(t *testing.T) {
	tables, err := readTables()
	require.NoError(t, err)
	for _, call := range strings.Split("s0: query,s0: sync,s9: query,s9: sync,query event e,sync event e,call elapsed-elsewhere,"+
		"sync context,call mem-alloc,call mem-free,call memcpy-sync,call make-exec,call replay-elsewhere,call make-stream", ",") {
		assert.Contains(t, tables.unsafe.rows, call)
	}
	for _, call := range []string{"legacy: call launch-empty", "legacy: wait e", "legacy: capturing", "legacy: info", "call memcpy-sync"} {
		assert.Contains(t, tables.legacy.rows, call)
	}
}
