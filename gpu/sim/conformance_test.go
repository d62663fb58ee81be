package sim

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// Each row is a run of calls with the codes that the driver gives; the calls after an error say what became of the
// capture and that its streams can be used. The first letters and digits of a name are the rule that it shows.
var codeRows = []struct{ name, calls string }{
	{"E1 event never recorded", "QE e; SyE e; W s0 e; K s0"},
	{"S10 query", "Q s0; K s0; Q s0 = 600; Sy s0; Q s0"},
	{"E21 query event", "K s0; R e s0; QE e = 600; SyE e; QE e"},
	{"S11 sync waits only for its stream", "K s0 2; K s1 5; Sy s0; Q s0; Q s1 = 600; Sy s1; Q s1"},
	{"S11 sync of legacy waits for blocking streams", "K b0; K s0 2; Sy L; Q b0; Q s0 = 600"},
	{"S12 sync context waits for all", "K b0; K s0 2; K L; Ctx; Q b0; Q s0; Q L"},
	{"S13 destroy stream with work", "K s0; R e s0; RmS s0; QE e = 600; SyE e; QE e"},
	{"S14 destroyed stream", "RmS s0; K s0 = 400; R e s0 = 400; Sy s0 = 400; RmS s0 = 400; K s1"},
	{"S14 created again", "MkS s0; RmS s0; K s0 = 400; MkS s0; K s0"},
	{"S14 not yet created", "K s0 = 400; QE e = 400; MkS s0; MkE e; K s0; QE e"},
	{"S19 legacy is not destroyed", "RmS L = 400; K L"},
	{"E14 destroyed event", "K s0; R e s0; W s1 e; RmE e; K s1; QE e = 400; R e s0 = 400; W s1 e = 400; RmE e = 400"},

	{"B1 begin on legacy", "Bg L = 900; K L; Bg s0; End s0 g; Inst g"},
	{"B3 begin twice", "Bg s0; K s0; Bg s0 = 401; K s0; End s0 g; Inst g"},
	{"B4 begin on fork", "Bg s0; R e s0; W s1 e; Bg s1 = 401; End s0 g; Inst g; Bg s1; End s1 h"},
	{"B5 begin on killed", "Bg s0; R e s0; W s1 e; Sy s0 = 900; Bg s0 = 401; Bg s1 = 401; End s0 g = 901; Bg s1; End s1 g"},
	{"B6 bad mode", "Bg s0 bad = 1; K s0; Bg s0; End s0 g"},
	{"B7 two captures", "Bg s0; Bg s1; K s0; K s1; End s0 g; K s1; End s1 h; Inst g; Inst h"},
	{"B9 empty capture", "Bg s0; End s0 g; Inst g; GL g s0; GL g s0; K s0"},
	{"B10 end never begun", "End s0 g = 401; End L g = 401; Bg s0; End s0 g; End s0 g = 401"},
	{"B12 end on fork", "Bg s0; K s0; R e s0; W s1 e; K s1; End s1 g = 903; R f s1 = 901; K s0 = 901; End s0 g = 901; K s1; Bg s1; End s1 g"},
	{"B13 wrong thread", "Bg s0; K s0; t1 End s0 g = 908; K s0; End s0 g = 401; Inst g = 1; Bg s0; Q s0 = 900; t1 End s0 g = 901; K s0"},
	{"B13 wrong thread, thread-local", "Bg s0 thread-local; t1 End s0 g = 908; End s0 g = 401; Bg s0"},
	{"B14 wrong thread, relaxed", "Bg s0 relaxed; t1 End s0 g; Inst g"},
	{"B15 unjoined", "Bg s0; K s0; R e s0; W s1 e; K s1; End s0 g = 904; Inst g = 1; Bg s1; End s1 g; K s0; K s1"},
	{"B15 joined", "Bg s0; K s0; R e s0; W s1 e; K s1; R f s1; W s0 f; End s0 g; Inst g"},
	{"B16 work after the joining wait", "Bg s0; R e s0; W s1 e; K s1; R f s1; W s0 f; K s1; End s0 g = 904; K s1"},
	{"B16 unjoined grandchild",
		"Bg s0; K s0; R e s0; W s1 e; K s1; R f s1; W s2 f; K s2; R h s1; W s0 h; End s0 g = 904; Bg s2"},
	{"B17 killed: every call is refused",
		"Bg s0; R e s0; W s1 e; Q s0 = 900; K s0 = 901; K s1 = 901; H s0 = 901; R e s0 = 901; " +
			"W s0 e = 901; Q s0 = 900; Sy s1 = 900; End s0 g = 901; K s0; K s1"},
	{"B18 end of killed", "Bg s0; Sy s0 = 900; End s0 g = 901; Inst g = 1; End s0 g = 401; Bg s0; End s0 g; Inst g"},
	{"B19 end of killed on fork", "Bg s0; R e s0; W s1 e; Sy s0 = 900; End s1 g = 903; End s0 g = 901; K s1"},

	{"C3c merge", "Bg s0; Bg s1; K s0; R e s0; W s1 e = 902; K s0 = 901; K s1 = 901; End s0 g = 901; End s1 h = 901; K s0; K s1"},
	{"C3d event recorded outside", "K s9; R e s9; Bg s0; W s0 e = 905; K s0 = 901; End s0 g = 901; K s0; QE e = 600"},
	{"C3d complete event recorded outside", "K s9; R e s9; Sy s9; Bg s0; W s0 e = 905; End s0 g = 901"},
	{"C3e event never recorded", "Bg s0; W s0 e; K s0; End s0 g; Inst g"},
	{"C3f event of a killed capture",
		"Bg s0; R e s0; Sy s0 = 900; W s9 e = 1; K s9; Bg s8; W s8 e = 1; K s8 = 901; End s8 h = 901; End s0 g = 901"},
	{"C3g event of an ended capture",
		"Bg s0; K s0; R e s0; End s0 g; W s9 e = 1; K s9; Bg s1; W s1 e = 1; K s1 = 901; End s1 h = 901; K s1"},
	{"C3h wait of a killed stream", "R f s9; Bg s0; Sy s0 = 900; W s0 e = 901; W s0 f = 901; End s0 g = 901"},
	{"C3i legacy waits for captured event", "Bg s0; R e s0; W L e = 906; K s0 = 901; End s0 g = 901; K L"},
	{"C3i the same, blocking", "Bg b0; R e b0; W L e = 906; End b0 g = 901"},
	{"C10 fork before any node", "Bg s0; R e s0; W s1 e; K s1; K s0; R f s1; W s0 f; End s0 g; Inst g"},
	{"C11 fork without ops, no join", "Bg s0; K s0; R e s0; W s1 e; End s0 g; Inst g; Bg s1; End s1 h"},
	{"C12 empty fork and join", "Bg s0; R e s0; W s1 e; W s2 e; R f s1; W s0 f; R h s2; W s0 h; End s0 g; Inst g"},
	{"C13 chained join", "Bg s0; R e s0; W s1 e; R f s1; W s2 f; K s2; R h s2; W s1 h; R i s1; W s0 i; End s0 g"},
	{"C13 direct join", "Bg s0; R e s0; W s1 e; R f s1; W s2 f; K s2; R h s2; W s0 h; End s0 g"},
	{"C15 recorded outside during capture", "Bg s0; K s0; R e s0; R e s9; W s0 e = 905; End s0 g = 901; QE e"},
	{"C17 event destroyed in capture", "Bg s0; K s0; R e s0; W s1 e; RmE e; K s1; R f s1; RmE f = 0; End s0 g = 904"},
	{"C18 joined fork destroyed", "Bg s0; R e s0; W s1 e; K s1; R f s1; W s0 f; RmS s1; K s0; End s0 g; Inst g"},
	{"C19 unjoined fork destroyed", "Bg s0; R e s0; W s1 e; K s1; RmS s1; End s0 g = 904; K s0"},
	{"C19b origin destroyed", "Bg s0; R e s0; W s1 e; K s1; RmS s0; End s0 g = 400; Bg s1; End s1 g"},
	{"C20 event after end", "Bg s0; K s0; R e s0; End s0 g; SyE e = 1"},
	{"C21 query event after end", "Bg s0; K s0; R e s0; End s0 g; QE e = 1"},
	{"C22 recorded again after end", "Bg s0; K s0; R e s0; End s0 g; R e s9; QE e; W s8 e; SyE e"},
	{"C23 query captured event", "Bg s0 relaxed; K s0; R e s0; QE e = 907; K s0 = 901; End s0 g = 901; K s0"},
	{"C23 captured event of a killed capture",
		"Bg s0 relaxed; R e s0; QE e = 907; SyE e = 1; QE e = 1; End s0 g = 901"},
	{"C23 sync captured event", "Bg s0; K s0; R e s0; SyE e = 907; End s0 g = 901; K s0"},

	{"U1 sync, global", "Bg s0; Sy s0 = 900; End s0 g = 901"},
	{"U1 sync, thread-local", "Bg s0 thread-local; Sy s0 = 900; End s0 g = 901"},
	{"U1 sync, relaxed", "Bg s0 relaxed; Sy s0 = 900; End s0 g = 901"},
	{"U1 other thread", "Bg s0 relaxed; t1 Q s0 = 900; End s0 g = 901"},
	{"U2 sync context, global", "Bg s0; Ctx = 900; Ctx = 900; End s0 g = 901; Ctx"},
	{"U2 sync context, relaxed", "Bg s0 relaxed; Ctx = 900; End s0 g = 901; Ctx"},
	{"U2 sync context, other thread", "Bg s0 relaxed; t1 Ctx = 900; End s0 g = 901"},
	{"U3 other stream, global", "Bg s0; Sy s9 = 900; K s0 = 901; End s0 g = 901"},
	{"U3 other stream, thread-local", "Bg s0 thread-local; Q s9 = 900; End s0 g = 901"},
	{"U3 other stream, relaxed", "Bg s0 relaxed; Sy s9; Q s9; End s0 g; Inst g"},
	{"U3 other thread, global", "Bg s0; t1 Q s9 = 900; End s0 g = 901"},
	{"U3 other thread, thread-local", "Bg s0 thread-local; t1 Q s9; t1 Sy s9; End s0 g; Inst g"},
	{"U4 real event", "R e s9; Bg s0; SyE e = 900; End s0 g = 901; R e s9; Bg s0 relaxed; SyE e; End s0 g"},
	{"U5 query real event", "R e s9; Bg s0; QE e = 900; End s0 g = 901; R e s9; Bg s0 relaxed; QE e; End s0 g"},
	{"U9 instantiate", "Bg s9; End s9 g; Bg s0; Inst g = 900; End s0 h = 901; Bg s0 relaxed; Inst g; End s0 h"},
	{"U9 instantiate nothing", "Bg s0; Inst g = 900; End s0 h = 901; Bg s0 relaxed; Inst g = 1; End s0 h"},
	{"U13 beside a killed capture", "R e b1; Bg b0; W b0 e = 905; Sy s2 = 900; End b0 g = 901; Sy s2"},
	{"U10 harmless calls", "Bg s0; MkE e; R f s9; W s8 f; K s9; RmE e; End s0 g; Inst g"},

	{"LG1 legacy, non-blocking capture", "Bg s0; K s0; K L; End s0 g; Inst g"},
	{"LG2 legacy launch", "Bg b0; K b0; K L = 906; K b0 = 901; End b0 g = 901; K L; K b0"},
	{"LG4 legacy host function", "Bg b0; H L = 906; End b0 g = 901"},
	{"LG5 legacy record", "Bg b0; R e L = 906; End b0 g = 901"},
	{"LG5 legacy wait", "Bg b0; W L e = 906; End b0 g = 901"},
	{"LG5 legacy sync", "Bg b0 relaxed; Sy L = 906; End b0 g = 901; Sy L"},
	{"LG5 legacy query", "Bg b0 relaxed; Q L = 906; End b0 g = 901; Q L"},
	{"LG7 blocking fork", "Bg s0; R e s0; W b1 e; K L = 906; End s0 g = 901; K L"},
	{"LG7 non-blocking fork of a blocking origin", "Bg b0; R e b0; W s1 e; K L = 906; K s1 = 901; End b0 g = 901; K L"},
	{"LG8 two blocking captures", "Bg b0; Bg b1; Bg s0; K L = 906; End b0 g = 901; End b1 g = 901; End s0 g"},
	{"LG10 legacy graph launch", "Bg s9; End s9 g; Inst g; Bg b0; GL g L = 906; End b0 h = 901; GL g L"},

	{"GR38 launches of nothing",
		"Bg s0; Up g s0 = 900; End s0 h = 901; Bg s0; GL g s0 = 900; End s0 h = 901; Bg b0; GL g L = 906; End b0 h = 901; Bg s0; GL g s1 = 1; Up g s1 = 1; End s0 h"},
	{"GR33 nothing captured", "Inst g = 1; Up g s0 = 1; GL g s0 = 1; K s0"},
	{"GR8 failed capture", "Bg s0; R e s0; W s1 e; K s1; End s0 g = 904; Inst g = 1; GL g s0 = 1"},
	{"GR15 upload", "Bg s0; K s0; End s0 g; Inst g; Up g s0; Up g L; GL g s0"},
	{"GR32 launch during a capture", "Bg s9; K s9; End s9 g; Inst g; Bg s0; GL g s9; End s0 h; Inst h"},
	{"N8 launch into a capture", "Bg s9; K s9; End s9 g; Inst g; Bg s0; GL g s0 = 900; K s0 = 901; End s0 h = 901"},
	{"N12 upload into a capture",
		"Bg s9; End s9 g; Inst g; Bg s0; Up g s0 = 900; Up g s0 = 900; GL g s0 = 900; End s0 h = 901"},
}

func TestCodes(t *testing.T) {
	for _, m := range []Machine{Ideal, H200} {
		for _, row := range codeRows {
			t.Run(m.Name+"/"+row.name, func(t *testing.T) {
				p := program(t, row.calls, "")
				r, err := Open(m).Prepare(t.Context(), p)
				assert.NoError(t, err)
				assert.Equal(t, wants(p.Setup), r.Setup().Codes)
			})
		}
	}
}

// The same calls give the same codes in the Body, where a code that was not wanted does not stop the program.
func TestCodesInBody(t *testing.T) {
	for _, row := range codeRows {
		t.Run(row.name, func(t *testing.T) {
			p := program(t, "", row.calls)
			want := wants(p.Body)
			for i := range p.Body {
				p.Body[i].Want = -1
			}
			assert.Equal(t, want, rep(t, Ideal, p).Codes)
		})
	}
}
