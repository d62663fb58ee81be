package sim

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/gpu/sim/tables"
	"github.com/gpu-overlap/overlap/internal/probe"
	"github.com/gpu-overlap/overlap/schedule"
)

// What the simulated device reads is what the GPU showed.
func TestTablesAreTheGoldens(t *testing.T) {
	for _, row := range []struct {
		probe, text string
		derive      func(*probe.Log) (string, error)
	}{{"P18", tables.UnsafeText(), probe.UnsafeTable}, {"P19", tables.LegacyText(), probe.LegacyTable}} {
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

// A device does what its tables say: with others it does something else.
func TestTablesDecide(t *testing.T) {
	all, err := tables.Read()
	require.NoError(t, err)
	calls := []struct {
		call    tables.UnsafeCall
		program string
	}{
		{tables.QueryOther, "Q s9"}, {tables.SyncOther, "Sy s9"}, {tables.QueryCapturing, "Q s0"},
		{tables.QueryEvent, "QE e"},
		{tables.SyncEvent, "SyE e"}, {tables.SyncContext, "Ctx"}, {tables.MakeExec, "Inst g"},
		{tables.ReplayElsewhere, "GL g s9"},
		{tables.UploadOther, "Up g s9"}, {tables.MakeEvent, "MkE f"}, {tables.KillEvent, "RmE e"},
		{tables.LaunchOther, "K s9"},
		{tables.RecordOther, "R e s9"}, {tables.WaitOther, "W s9 e"}, {tables.KillStream, "RmS s9"},
	}
	for _, c := range calls {
		t.Run(c.call.String(), func(t *testing.T) {
			other := all
			other.Unsafe, err = tables.ParseUnsafe(onlyRow(tables.UnsafeText(), c.call.String(), "77 lost"))
			require.NoError(t, err)
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
	legacy := []struct {
		call    tables.LegacyCall
		program string
	}{
		{tables.LegacyLaunch, "K L"}, {tables.LegacyRecord, "R f L"}, {tables.LegacyWait, "W L r"},
		{tables.LegacyQuery, "Q L"},
		{tables.LegacySync, "Sy L"}, {tables.LegacyHost, "H L"}, {tables.LegacyMemcpy, "HD L"},
		{tables.LegacyReplay, "GL g L"},
		{tables.LegacyUpload, "Up g L"}, {tables.LegacyBegin, "Bg L"}, {tables.LegacyEnd, "End L h"},
	}
	none, err := tables.ParseUnsafe(onlyRow(tables.UnsafeText(), "", ""))
	require.NoError(t, err)
	for _, c := range legacy {
		t.Run(c.call.String(), func(t *testing.T) {
			other := tables.Tables{Unsafe: none}
			other.Legacy, err = tables.ParseLegacy(onlyRow(tables.LegacyText(), c.call.String(), "78"))
			require.NoError(t, err)
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

// onlyRow is the text of a table in which one call gives the same in each column, and all others pass.
func onlyRow(text, call, cell string) string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		name, cells, isRow := strings.Cut(l, "|")
		if !isRow || strings.TrimSpace(name) == "call" {
			continue
		}
		gives := "0"
		if strings.TrimSpace(name) == call {
			gives = cell
		}
		lines[i] = name + strings.Repeat("|"+gives, strings.Count(cells, "|")+1)
	}
	return strings.Join(lines, "\n")
}

// A call that a probe makes on resources of its own asks the row that the table has for it, and one without a row
// asks none.
func TestInvokedCallsAskTheirRows(t *testing.T) {
	for api := schedule.NoAPI + 1; api < schedule.NumAPIs; api++ {
		if api.OnStream() {
			assert.Equal(t, unsafeSpelled("s0: call "+api.String()), invokedCapturing(api), api)
			assert.Equal(t, unsafeSpelled("s9: call "+api.String()), invokedOther[api], api)
		} else {
			assert.Equal(t, unsafeSpelled("call "+api.String()), invokedAlone[api], api)
		}
	}
}

// unsafeSpelled is the call that table unsafe spells so; Unlisted when it has none.
func unsafeSpelled(name string) tables.UnsafeCall {
	for c := range tables.NumUnsafeCalls {
		if c.String() == name {
			return c
		}
	}
	return tables.Unlisted
}
