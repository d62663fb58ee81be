package schedule

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRef(t *testing.T) {
	assert.Equal(t, Ref{}, At(None))
	assert.Equal(t, Ref{}, At(-7))
	for ref, want := range map[Ref]struct {
		index int32
		some  bool
		text  string
	}{{}: {None, false, "none"}, Null: {-2, true, "null"}, At(0): {0, true, "0"},
		At(1<<31 - 2): {1<<31 - 2, true, "2147483646"}} {
		assert.Equal(t, want.index, ref.Index())
		assert.Equal(t, want.some, ref.Some())
		assert.Equal(t, want.index >= 0, ref.Is(want.index), "nothing is at a negative index")
		assert.Equal(t, want.text, ref.String())
		assert.Equal(t, want.index >= 0, ref.Within(1<<31-1))
	}
	assert.True(t, At(2).Within(3))
	assert.False(t, At(3).Within(3))
	assert.Equal(t, []Ref{At(4), {}}, Refs([]int32{4, None}))
}

// Programs travel between processes: with all their refs, and none more.
func TestRefTravels(t *testing.T) {
	sent := Program{Intent: &Intent{Ops: []Op{{Name: "A", Engine: At(3), Stage: At(0)}, {Name: "B"}}},
		Body: []Instr{{Verb: Wait, Stream: At(0), Event: Null}, {Verb: SyncContext}},
		Args: []Args{{Node: At(200), Nodes: []Ref{At(70_000), Null, {}, At(0)}}}}
	var b bytes.Buffer
	require.NoError(t, gob.NewEncoder(&b).Encode(&sent))
	var got Program
	require.NoError(t, gob.NewDecoder(&b).Decode(&got))
	assert.Equal(t, sent, got)

	text, err := json.Marshal(sent)
	require.NoError(t, err)
	assert.Contains(t, string(text), `"Event":"null"`)
	got = Program{}
	require.NoError(t, json.Unmarshal(text, &got))
	assert.Equal(t, sent, got)

	var r Ref
	for _, wrong := range []string{"", "-1", "x", "2147483647", "99999999999"} {
		assert.Error(t, r.UnmarshalText([]byte(wrong)), wrong)
	}
	for _, wrong := range [][]byte{nil, {0x80}, {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}} {
		assert.Error(t, r.GobDecode(wrong), "%v", wrong)
		assert.Error(t, new(Instr).GobDecode(wrong), "%v", wrong)
	}
}

// Each field of a call travels: one that is new must be written too.
func TestFieldsOfInstrTravel(t *testing.T) {
	for i := range reflect.TypeFor[Instr]().NumField() {
		var sent, got Instr
		switch f := reflect.ValueOf(&sent).Elem().Field(i); f.Kind() {
		case reflect.Bool:
			f.SetBool(true)
		case reflect.Struct:
			f.Set(reflect.ValueOf(At(100)))
		case reflect.Uint8:
			f.SetUint(100)
		default:
			f.SetInt(100)
		}
		require.NotEqual(t, Instr{}, sent)
		b, err := sent.GobEncode()
		require.NoError(t, err)
		require.NoError(t, got.GobDecode(b))
		assert.Equal(t, sent, got)
	}
}

func BenchmarkProgramTravels1e6(b *testing.B) {
	p := Program{Intent: &Intent{}, Body: make([]Instr, 1_000_000)}
	for i := range p.Body {
		p.Body[i] = Instr{Verb: Verb(i % 4), Stream: At(int32(i % 16)), Event: At(int32(i / 2)), Line: int32(i)}
	}
	for b.Loop() {
		var buf bytes.Buffer
		require.NoError(b, gob.NewEncoder(&buf).Encode(&p))
		require.NoError(b, gob.NewDecoder(&buf).Decode(&Program{}))
	}
}
