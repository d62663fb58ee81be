package schedule

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Every word of the builder, against the values that it stands for.
func TestBuilder(t *testing.T) {
	s := New("all")
	s.Engine("nvlink", 2)
	s.Kernels(Nanosleep)
	s.SlowHost(time.Microsecond)
	a, b := s.Stream("a").Blocking(), s.Stream("b").Priority(-2)
	a.Fork(b)
	x := a.Computation("X", 1).SMs(50).Bandwidth(30).Writes("kv")
	y := b.Communication("Y", 2).On("nvlink").After(x).Reads("kv").Want(NotPermitted)
	b.H2D("in", 3, 1<<20)
	b.D2H("out", 4, 1).Pageable().After(x, y)
	s.Legacy().Host("cb", 5)
	e := a.Record("e")
	f := b.Record()
	s.Main().Wait(e)
	s.SyncEvent(f).Intended()
	s.QueryEvent(e).Want(NotReady)
	a.Sync()
	b.Query()
	s.SyncContext().Intended()
	a.Join(b)
	got, err := s.Schedule()
	require.NoError(t, err)

	assert.Equal(t, []Stream{{Name: "main", Kind: Legacy}, {Name: "a", Kind: Blocking}, {Name: "b", Priority: -2},
		{Name: "legacy", Kind: Legacy}}, got.Streams)
	assert.Equal(t, []string{"fork1", "e", "e1", "join1"}, got.Events)
	assert.Equal(t, []string{"kv"}, got.Intent.Buffers)
	assert.Equal(t, Engine{"nvlink", 2}, got.Intent.Engines[5])
	assert.Equal(t, "build_test.go", got.File)
	assert.Equal(t, time.Microsecond, got.HostDelay)
	line := got.Intent.Ops[0].Line
	assert.Positive(t, line)
	for i, want := range []Op{
		{Name: "X", Kernel: Nanosleep, Dur: 1, SMs: 50, Bandwidth: 30, Writes: []int32{0}, Line: line},
		{Name: "Y", Kernel: Nanosleep, Kind: Communication, Engine: At(5), Dur: 2, After: []int32{0}, Reads: []int32{0},
			Line: line + 1},
		{Name: "in", Kernel: Nanosleep, Kind: H2D, Dur: 3, Bytes: 1 << 20, Line: line + 2},
		{Name: "out", Kernel: Nanosleep, Kind: D2H, Dur: 4, Bytes: 1, Pageable: true, After: []int32{0, 1},
			Line: line + 3},
		{Name: "cb", Kernel: Nanosleep, Kind: Host, Dur: 5, Line: line + 4},
	} {
		assert.Equal(t, want, got.Intent.Ops[i])
	}
	in := func(v Verb, stream, event, op int32, line int32) Instr {
		return Instr{Verb: v, Stream: At(stream), Event: At(event), Op: At(op), Line: line}
	}
	want := []Instr{
		in(Record, 1, 0, None, line-1), in(Wait, 2, 0, None, line-1),
		in(Launch, 1, None, 0, line), in(Launch, 2, None, 1, line+1), in(Copy, 2, None, 2, line+2),
		in(Copy, 2, None, 3, line+3),
		in(HostFunc, 3, None, 4, line+4), in(Record, 1, 1, None, line+5), in(Record, 2, 2, None, line+6),
		in(Wait, 0, 1, None, line+7), in(SyncEvent, None, 2, None, line+8), in(QueryEvent, None, 1, None, line+9),
		in(SyncStream, 1, None, None, line+10), in(QueryStream, 2, None, None, line+11),
		in(SyncContext, None, None, None, line+12),
		in(Record, 2, 3, None, line+13), in(Wait, 1, 3, None, line+13),
	}
	want[3].Want, want[10].Intended, want[11].Want, want[14].Intended = NotPermitted, true, NotReady, true
	assert.Equal(t, want, got.Issue)
}

// An event that got no name gets none that is given later.
func TestBuilderNamesEvents(t *testing.T) {
	s := New("names")
	a := s.Stream("a")
	s.Fork(a)
	a.Computation("A", 1)
	a.Wait(a.Record())
	a.Wait(a.Record("e1"))
	a.Wait(a.Record("fork1"))
	s.Join(a)
	got, err := s.Schedule()
	require.NoError(t, err)
	assert.Equal(t, []string{"fork2", "e2", "e1", "fork1", "join1"}, got.Events)
	again, err := s.Schedule()
	require.NoError(t, err)
	assert.Equal(t, got, again)
}

func TestBuilderMistakes(t *testing.T) {
	other := New("other")
	for want, mistake := range map[string]func(s *Builder, a *StreamBuilder){
		"a second stream a":            func(s *Builder, _ *StreamBuilder) { s.Stream("a") },
		"a stream without a name":      func(s *Builder, _ *StreamBuilder) { s.Stream("") },
		"engine link is already":       func(s *Builder, _ *StreamBuilder) { s.Engine("link", 1) },
		"capacity 0":                   func(s *Builder, _ *StreamBuilder) { s.Engine("x", 0) },
		"kernel 7":                     func(s *Builder, _ *StreamBuilder) { s.Kernels(7) },
		"slow host: -1ns":              func(s *Builder, _ *StreamBuilder) { s.SlowHost(-1) },
		"main cannot be blocking":      func(s *Builder, _ *StreamBuilder) { s.Main().Blocking() },
		"priority 101":                 func(_ *Builder, a *StreamBuilder) { a.Priority(101) },
		"fork of no streams":           func(s *Builder, _ *StreamBuilder) { s.Fork() },
		"fork of the stream by itself": func(_ *Builder, a *StreamBuilder) { a.Fork(a) },
		"fork of stream a twice":       func(s *Builder, a *StreamBuilder) { s.Fork(a, a) },
		"join of a stream of another":  func(s *Builder, _ *StreamBuilder) { s.Join(other.Main()) },
		"or none":                      func(s *Builder, _ *StreamBuilder) { s.Join(nil) },
		"a: wait: an event of another": func(_ *Builder, a *StreamBuilder) { a.Wait(Event{}) },
		"record of 2 names":            func(_ *Builder, a *StreamBuilder) { a.Record("x", "y") },
		"record of an event without":   func(_ *Builder, a *StreamBuilder) { a.Record("") },
		"op Z: after an op of another": func(_ *Builder, a *StreamBuilder) { a.Host("Z", 1).After(nil) },
		"op Z: sms 0%":                 func(_ *Builder, a *StreamBuilder) { a.Computation("Z", 1).SMs(0) },
		"op Z: bandwidth 101%":         func(_ *Builder, a *StreamBuilder) { a.Computation("Z", 1).Bandwidth(101) },
		"op Z: unknown engine x":       func(_ *Builder, a *StreamBuilder) { a.Computation("Z", 1).On("x") },
		"op Z: duration 0s":            func(_ *Builder, a *StreamBuilder) { a.Computation("Z", 0) },
		"op Z: duration 2h0m0s":        func(_ *Builder, a *StreamBuilder) { a.Computation("Z", 2*time.Hour) },
		"op Z: a copy of 0 bytes":      func(_ *Builder, a *StreamBuilder) { a.H2D("Z", 1, 0) },
		"op Z: bytes of a host":        func(_ *Builder, a *StreamBuilder) { a.Host("Z", 1).Pageable() },
		"a second op A":                func(_ *Builder, a *StreamBuilder) { a.Host("A", 1) },
		"cuStreamQuery is intended":    func(_ *Builder, a *StreamBuilder) { a.Query().Intended() },
	} {
		s := New("mistakes")
		a := s.Stream("a")
		a.Computation("A", 1)
		mistake(s, a)
		s.Fork() // not the first
		_, err := s.Schedule()
		if want == "slow host: -1ns" { // found at the end
			assert.Error(t, err)
			continue
		}
		if want == "op Z: unknown engine x" || want == "op Z: duration 0s" || want == "op Z: a copy of 0 bytes" ||
			want == "op Z: bytes of a host" || want == "a second op A" {
			assert.ErrorContains(t, err, "fork of no streams")
			s = New("mistakes")
			a = s.Stream("a")
			a.Computation("A", 1)
			mistake(s, a)
			_, err = s.Schedule()
		}
		assert.ErrorContains(t, err, want)
		assert.ErrorContains(t, err, "; want ")
		assert.Regexp(t, `^build_test\.go:\d+: `, err.Error())
	}
}

// The zero values are of a schedule without a name, or of one that nobody gets.
func TestBuilderZero(t *testing.T) {
	var s Builder
	s.Main().Computation("A", 1)
	got, err := s.Schedule()
	require.NoError(t, err)
	assert.Len(t, got.Issue, 1)
	(&StreamBuilder{}).Wait(Event{}).Want(1).Intended()
	(*StreamBuilder)(nil).Computation("A", 1).After(nil).SMs(1)
	(*OpBuilder)(nil).On("x").Reads("b")
	(*CallBuilder)(nil).Intended()
	_, err = (*Builder)(nil).Schedule()
	assert.Error(t, err)
}
