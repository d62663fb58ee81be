package sim

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/gpu"
	"github.com/gpu-overlap/overlap/schedule"
)

// script builds a program from calls separated by semicolons, in the notation of a table row:
//
//	K s0 3 (a kernel of 3 ms; 1 unless said)   H s0 (a host function)   R e s0   W s1 e
//	HD s0 3   DH s0 3 (copies; PHD and PDH: pageable)   K s0 37ns sms:50 bw:60
//	Bg s0 relaxed   End s0 g   Inst g   Up g s0   GL g s0
//	Sy s0   Q s0   SyE e   QE e   Ctx   MkS s0   RmS s0   MkE e   RmE e
//
// "t1 …" makes the call on thread 1; "… = 904" is the code that it must give. Streams named s… are non-blocking, b…
// blocking, L… legacy; "s0^-2" has priority -2. The n-th K or H launches op n; "K s0 #2" launches op 2 again.
type script struct {
	t      *testing.T
	p      schedule.Program
	in     schedule.Intent
	stream map[string]int32
	event  map[string]int32
	graph  map[string]int32
}

// unit is the duration of an op that gives none.
const unit = time.Millisecond

func program(t *testing.T, setup, body string) *schedule.Program {
	s := &script{t: t, stream: map[string]int32{}, event: map[string]int32{}, graph: map[string]int32{}}
	s.in.Engines = schedule.DefaultEngines()
	s.p = schedule.Program{Name: "script", File: "script", Intent: &s.in}
	s.p.Setup, s.p.Body = s.calls(setup), s.calls(body)
	return &s.p
}

func (s *script) calls(text string) (instrs []schedule.Instr) {
	for _, line := range strings.Split(text, ";") {
		if strings.TrimSpace(line) != "" {
			instrs = append(instrs, s.call(line))
		}
	}
	return instrs
}

func (s *script) call(line string) schedule.Instr {
	in := schedule.Instr{}
	line, want, _ := strings.Cut(line, "=")
	if want = strings.TrimSpace(want); want != "" {
		code, err := strconv.Atoi(want)
		require.NoError(s.t, err, line)
		in.Want = schedule.Code(code)
	}
	f := strings.Fields(line)
	if f[0] == "t1" {
		in.Thread, f = 1, f[1:]
	}
	verbs := map[string]struct {
		verb schedule.Verb
		args string
	}{
		"K": {schedule.Launch, "so"}, "H": {schedule.HostFunc, "so"}, "R": {schedule.Record, "es"},
		"W":  {schedule.Wait, "se"},
		"Bg": {schedule.BeginCapture, "sm"}, "End": {schedule.EndCapture, "sg"}, "Inst": {schedule.Instantiate, "g"},
		"Up": {schedule.Upload, "gs"}, "GL": {schedule.Replay, "gs"}, "Sy": {schedule.SyncStream, "s"},
		"Q": {schedule.QueryStream, "s"}, "SyE": {schedule.SyncEvent, "e"}, "QE": {schedule.QueryEvent, "e"},
		"Ctx": {schedule.SyncContext, ""}, "MkS": {schedule.CreateStream, "s"}, "RmS": {schedule.DestroyStream, "s"},
		"MkE": {schedule.CreateEvent, "e"}, "RmE": {schedule.DestroyEvent, "e"},
		"HD": {schedule.Copy, "so"}, "DH": {schedule.Copy, "so"}, "PHD": {schedule.Copy, "so"},
		"PDH":  {schedule.Copy, "so"},
		"Gate": {schedule.Gate, "s"}, "Open": {schedule.OpenGate, ""},
	}
	v, ok := verbs[f[0]]
	require.True(s.t, ok, "no verb: %s", line)
	in.Verb = v.verb
	for i, kind := range v.args {
		arg := ""
		if i+1 < len(f) {
			arg = f[i+1]
		}
		s.argument(&in, kind, arg)
	}
	if v.args == "so" {
		s.shape(f[0], &s.in.Ops[in.Op.Index()], f[min(len(f), 3):])
	}
	return in
}

func (s *script) argument(in *schedule.Instr, kind rune, arg string) {
	index := func(ids map[string]int32, add func()) int32 {
		if _, ok := ids[arg]; !ok {
			ids[arg] = int32(len(ids))
			add()
		}
		return ids[arg]
	}
	switch kind {
	case 's':
		kinds := map[byte]schedule.StreamKind{'s': schedule.NonBlocking, 'b': schedule.Blocking, 'L': schedule.Legacy}
		in.Stream = schedule.At(index(s.stream, func() {
			_, priority, _ := strings.Cut(arg, "^")
			p, _ := strconv.Atoi(priority)
			s.p.Streams = append(s.p.Streams, schedule.Stream{Name: arg, Kind: kinds[arg[0]], Priority: int32(p)})
		}))
	case 'e':
		in.Event = schedule.At(index(s.event, func() { s.p.Events = append(s.p.Events, arg) }))
	case 'g':
		in.Graph = schedule.At(index(s.graph, func() { s.p.Graphs = append(s.p.Graphs, arg) }))
	case 'm':
		in.Mode = map[string]schedule.CaptureMode{"": 0, "global": 0, "thread-local": 1, "relaxed": 2, "bad": 3}[arg]
	case 'o':
		s.op(in, arg)
	}
}

func (s *script) op(in *schedule.Instr, arg string) {
	if again, ok := strings.CutPrefix(arg, "#"); ok {
		id, err := strconv.Atoi(again)
		require.NoError(s.t, err)
		in.Op = schedule.At(int32(id))
		return
	}
	op := schedule.Op{Name: "op" + strconv.Itoa(len(s.in.Ops)), Dur: unit}
	if in.Verb == schedule.HostFunc {
		op.Kind = schedule.Host
	}
	if d, err := time.ParseDuration(arg); err == nil {
		op.Dur = d
	} else if arg != "" {
		ms, err := strconv.Atoi(arg)
		require.NoError(s.t, err)
		op.Dur = time.Duration(ms) * unit
	}
	in.Op = schedule.At(int32(len(s.in.Ops)))
	s.in.Ops = append(s.in.Ops, op)
}

// shape gives an op what its verb and the rest of its arguments say.
func (s *script) shape(verb string, op *schedule.Op, rest []string) {
	switch {
	case strings.HasSuffix(verb, "HD"):
		op.Kind, op.Bytes = schedule.H2D, 1<<20
	case strings.HasSuffix(verb, "DH"):
		op.Kind, op.Bytes = schedule.D2H, 1<<20
	}
	if strings.HasPrefix(verb, "P") {
		op.Pageable, op.Bytes = true, 1<<20
	}
	for _, arg := range rest {
		name, value, _ := strings.Cut(arg, ":")
		n, err := strconv.Atoi(value)
		require.NoError(s.t, err, arg)
		switch name {
		case "sms":
			op.SMs = int32(n)
		case "waves":
			op.Waves = int32(n)
		case "bw":
			op.Bandwidth = int32(n)
		default:
			s.t.Fatalf("no argument: %s", arg)
		}
	}
}

// wants are the codes that the program says its calls must give.
func wants(instrs []schedule.Instr) []schedule.Code {
	codes := make([]schedule.Code, len(instrs))
	for i, in := range instrs {
		codes[i] = in.Want
	}
	return codes
}

// prepared runs the Setup and requires the codes that the program wants.
func prepared(t *testing.T, m Machine, p *schedule.Program) gpu.Run {
	r, err := Open(m).Prepare(t.Context(), p)
	require.NoError(t, err)
	require.Equal(t, wants(p.Setup), r.Setup().Codes[:len(r.Setup().Codes):len(r.Setup().Codes)])
	return r
}

// rep prepares and runs a program once.
func rep(t *testing.T, m Machine, p *schedule.Program) gpu.Transcript {
	tr, err := prepared(t, m, p).Rep(t.Context())
	require.NoError(t, err)
	return tr
}

// starts are the start times of the ops in ms; -1 for one that did not run.
func starts(tr gpu.Transcript) []int {
	at := make([]int, 0, len(tr.Spans))
	for _, s := range tr.Spans {
		if !s.Ran {
			at = append(at, -1)
			continue
		}
		at = append(at, int(s.Start/unit))
	}
	return at
}
