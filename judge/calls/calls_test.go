package calls_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap"
	"github.com/gpu-overlap/overlap/gpu/sim"
	"github.com/gpu-overlap/overlap/judge/calls"
	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/verdict"
)

// check is the verdict on a program by its calls.
func check(t *testing.T, p *schedule.Program) verdict.Verdict {
	t.Helper()
	v, err := calls.Check(p)
	require.NoError(t, err)
	return v
}

// static gives the verdict on the eager run of a schedule on machine ideal.
func static(t *testing.T, text string) verdict.Verdict {
	t.Helper()
	return *result(t, text).Eager.Verdict
}

// result runs a schedule on machine ideal.
func result(t *testing.T, text string) *overlap.Result {
	t.Helper()
	c, err := overlap.ParseCase("x.txtar", []byte("Why.\n-- schedule --\n"+text+"\n-- expect --\n"))
	require.NoError(t, err)
	res, err := overlap.Run(context.Background(), sim.Open(sim.Ideal), c, overlap.Options{})
	require.NoError(t, err)
	return res
}

func TestSoundness(t *testing.T) {
	for name, c := range map[string]struct{ body, want string }{
		"free":       {"a: computation X 1ms\nb: communication Y 1ms", "met"},
		"read, read": {"a: computation X 1ms reads m\nb: communication Y 1ms reads m", "met"},
		"write, read": {"a: computation X 1ms writes m\nb: communication Y 1ms reads m",
			"missing order: Y does not wait for X: both touch buffer m"},
		"read, write": {"a: computation X 1ms reads m\nb: communication Y 1ms writes m",
			"missing order: Y does not wait for X: both touch buffer m"},
		"write, write": {"a: computation X 1ms writes m\nb: communication Y 1ms writes m",
			"missing order: Y does not wait for X: both touch buffer m"},
		"read, write, ordered": {"a: computation X 1ms reads m\na: record e\nb: communication Z 1ms\nb: wait e\nb: communication Y 1ms writes m", "met"},
		"clash": {"a: computation X 1ms\nb: computation Y 1ms\nb: communication Z 1ms",
			"engine clash: X and Y run at once on compute"},
	} {
		t.Run(name, func(t *testing.T) {
			text := "main: fork a b\n" + c.body + "\nmain: join a b"
			assert.Equal(t, c.want, static(t, text).String())
		})
	}
	assert.Equal(t, "met", static(t,
		"engine compute2 capacity 2\nmain: fork a b\na: computation X 1ms on compute2\nb: computation Y 1ms on compute2\nmain: join a b").String(),
		"two may share an engine of capacity 2")
}

func TestExplain(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"two waits at once": {`
main: fork a b c
a: computation U 2ms
a: record e
b: communication V 2ms
b: record f
c: wait e
c: wait f
c: host X 2ms
main: join a b c`, "over-wide wait: X waits for U through e and for V through f"},
		"one of two waits": {`
main: fork a b c
a: computation U 2ms
a: record e
b: communication V 1ms
b: record f
c: wait e
c: wait f
c: host X 2ms
main: join a b c`, "over-wide wait: X waits for U through e"},
		"a wait before the op before": {`
main: fork a b
a: computation U 2ms
a: record e
b: wait e
b: communication V 1ms
b: host X 2ms
main: join a b`, "over-wide wait: V waits for U through e"},
		"a wait and a stream": {`
engine other
main: fork s1 s2
s1: communication O0 1ms
s1: record e1
s2: computation O1 1ms on other
s2: wait e1
s2: computation O2 1ms
s2: communication O3 1ms
main: join s1 s2`, "serial by stream: O2 waits for O1 on stream s2"},
		"an engine keeps it in place": {`
main: fork s0 s1
s0: communication O0 1ms
s1: computation O1 1ms
s0: computation O2 1ms
s0: record e2
s1: wait e2
s1: communication O3 1ms
main: join s0 s1`, "over-wide wait: O3 waits for O2 through e2"},
		"an order needed behind it": {`
engine far
main: fork compute comm other
compute: computation U 2ms
compute: record e
comm: wait e
comm: communication X 1ms
comm: record f
other: wait f
other: computation Z 1ms on far after U X
main: join compute comm other`, "over-wide wait: X waits for U through e"},
		"an innocent host sync": {`
main: sync
main: fork one
one: computation A 1ms
one: communication B 1ms
main: join one`, "serial by stream: B waits for A on stream one"},
		"an innocent blocking stream": {`
stream a blocking
main: fork a
a: computation A 1ms
a: communication B 1ms
main: join a`, "serial by stream: B waits for A on stream a"},
		"a wait through a stream without ops": {`
main: fork a b c
a: computation U 2ms
a: record e
c: wait e
c: record f
b: wait f
b: communication X 2ms
main: join a b c`, "over-wide wait: X waits for U through f"},
		"one stream": {`
main: fork a
a: computation U 2ms
a: communication X 2ms
main: join a`, "serial by stream: X waits for U on stream a"},
		"one stream, micro-batch by micro-batch": {`
main: fork s
s: computation A0 1ms
s: communication B0 1ms after A0
s: computation A1 1ms
s: communication B1 1ms after A1
main: join s`, "serial by stream: A1 waits for B0 on stream s"},
		"an order of one engine that costs": {`
main: fork a b
a: computation A0 1ms
a: record e0
a: computation A1 1ms
a: record e1
b: wait e1
b: communication B1 3ms after A1
b: wait e0
b: communication B0 3ms after A0
main: join a b`, "missed: wall time is over its target: the order of its calls is too long by itself"},
		"an event of the legacy stream": {`
stream a b blocking
main: fork a b
a: computation U 2ms
legacy: record e
b: communication X 2ms
main: join a b`, "legacy barrier: cuEventRecord on the legacy stream keeps blocking streams apart"},
		"a wait for a host": {`
main: fork a b
a: computation U 2ms
a: sync
b: communication X 2ms
main: join a b`, "host sync: the host waits in cuStreamSynchronize before it issues X"},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, c.want, static(t, c.text).String()) })
	}
}

// TestExplainManyWaits: paths through waits and records double with every pair of them; each is looked at once.
func TestExplainManyWaits(t *testing.T) {
	text := "stream a b p q\nmain: fork a b p q\na: computation U 2ms\na: record u\np: record e0\n"
	for i := range 60 {
		to, from := []string{"q", "p"}[i%2], i
		text += fmt.Sprintf("%s: wait e%d\n%s: wait e%d\n%s: record e%d\n", to, from, to, from, to, i+1)
	}
	text += "b: wait e60\nb: wait u\nb: communication X 2ms\nmain: join a b p q"
	assert.Equal(t, "over-wide wait: X waits for U through u", static(t, text).String())
}

// turned is a pipeline of which the engine compute can take B1 before C0 or after it; the latter is longer.
const turned = `stream %s
main: fork mb0 mb1
mb0: communication A0 600us
mb0: record a
mb1: wait a
mb1: communication A1 600us
mb0: computation B0 300us after A0
mb0: record b
mb1: wait b
%s: computation B1 300us after A1
%s
%s: computation C0 300us after B0
mb0: record c
mb1: wait c
mb1: computation C1 300us after B1
main: join mb0 mb1`

// TestSavesIsWhatTheChangeSaves: applied by hand, the change that the verdict proposes shortens the schedule by what it
// says.
func TestSavesIsWhatTheChangeSaves(t *testing.T) {
	for name, c := range map[string]struct{ text, change, mended string }{
		"record one op late": {"main: fork a b\na: computation A 2ms\na: computation B 3ms\na: record e\nb: wait e\nb: communication X 4ms after A\nmain: join a b",
			"record e right after A",
			"main: fork a b\na: computation A 2ms\na: record e\na: computation B 3ms\nb: wait e\nb: communication X 4ms after A\nmain: join a b"},
		"a wait for nothing": {"main: fork a b\na: computation A 2ms\na: record e\nb: wait e\nb: communication X 4ms\nmain: join a b",
			"drop the wait for e",
			"main: fork a b\na: computation A 2ms\na: record e\nb: communication X 4ms\nmain: join a b"},
		"one stream": {"main: fork a b\na: computation A 2ms\na: communication X 4ms\nb: host H 1ms\nmain: join a b",
			"put X on another stream",
			"stream c\nmain: fork a b c\na: computation A 2ms\nc: communication X 4ms\nb: host H 1ms\nmain: join a b c"},
		"blocking streams": {"stream a b blocking\nengine other\nmain: fork a b\na: computation A 2ms\nlegacy: computation L 1ms on other\nb: communication X 4ms\nmain: join a b",
			"make the streams non-blocking",
			"stream a b\nengine other\nmain: fork a b\na: computation A 2ms\nlegacy: computation L 1ms on other\nb: communication X 4ms\nmain: join a b"},
		"host sync": {"main: fork a b\na: computation A 2ms\na: sync\nb: communication X 4ms\nmain: join a b",
			"let a stream wait for an event instead",
			"main: fork a b\na: computation A 2ms\nb: communication X 4ms\nmain: join a b"},
		"host sync, which turns the order on an engine": {fmt.Sprintf(turned, "mb0 mb1", "mb1", "mb1: sync", "mb0"),
			"let a stream wait for an event instead",
			fmt.Sprintf(turned, "mb0 mb1", "mb1", "", "mb0")},
		"another stream, which turns it": {fmt.Sprintf(turned, "mb0 mb1", "mb1", "", "mb1"),
			"put C0 on mb0",
			fmt.Sprintf(turned, "mb0 mb1", "mb1", "", "mb0")},
		"a barrier that waits, which turns it": {fmt.Sprintf(turned, "mb0 mb1 blocking", "mb1", "", "legacy"),
			"put C0 on mb0",
			fmt.Sprintf(turned, "mb0 mb1 blocking", "mb1", "", "mb0")},
		"a barrier that is waited for, which turns it": {fmt.Sprintf(turned, "mb0 mb1 blocking", "legacy", "", "mb0"),
			"put B1 on mb1",
			fmt.Sprintf(turned, "mb0 mb1 blocking", "mb1", "", "mb0")},
		"the first of a pipeline, on the stream of another": {"engine far\nmain: fork a b\nb: communication Q 1ms\na: computation U 1ms\na: record u\nb: wait u\nb: communication CU 1ms after U\nb: computation Z 1ms after CU\na: computation X 1ms\na: computation Y 3ms on far after X\nmain: join a b",
			"put U on b",
			"engine far\nmain: fork a b\nb: communication Q 1ms\nb: computation U 1ms\nb: communication CU 1ms after U\nb: computation Z 1ms after CU\na: computation X 1ms\na: computation Y 3ms on far after X\nmain: join a b"},
	} {
		t.Run(name, func(t *testing.T) {
			broken := result(t, c.text)
			assert.Equal(t, c.change, string(broken.Eager.Verdict.Change))
			mended := result(t, c.mended)
			saved := broken.Nominal.Scheduled - mended.Nominal.Scheduled
			assert.Positive(t, saved)
			assert.Equal(t, saved, broken.Eager.Verdict.Saves)
		})
	}
}

func TestLegal(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"clean": {"main: fork a b\na: computation A 1ms\na: record e\nb: wait e\nb: communication B 1ms\nmain: join a b", nil},
		"wait before its record": {"main: fork a b\nb: wait e\na: computation A 1ms\na: record e\nb: communication B 1ms\nmain: join a b",
			[]string{"x.txtar:4: the wait for e does nothing: it is recorded only later (x.txtar:6)"}},
		"recorded twice": {"main: fork a b\na: record e\na: computation A 1ms\na: record e\nb: wait e\nb: communication B 1ms\nmain: join a b",
			[]string{"x.txtar:6: e is recorded again before anything waited for its record (x.txtar:4)"}},
		"recorded three times": {"main: fork a b\na: record e\na: record e\na: computation A 1ms\na: record e\nb: wait e\nb: communication B 1ms\nmain: join a b",
			[]string{"x.txtar:5: e is recorded again before anything waited for its record (x.txtar:4)",
				"x.txtar:7: e is recorded again before anything waited for its record (x.txtar:5)"}},
		"recorded anew, after a wait": {"main: fork a b\na: record e\nb: wait e\na: computation A 1ms\na: record e\nb: wait e\nb: communication B 1ms\nmain: join a b", nil},
	} {
		t.Run(name, func(t *testing.T) {
			res := result(t, c.text)
			assert.Equal(t, c.want, noted(res.Eager.Program))
			assert.Subset(t, res.Eager.Verdict.Notes, c.want)
			assert.Equal(t, len(c.want), len(noted(res.Replay.Program)), "a capture has the same calls")
		})
	}
}

// Streams of two names that are one: noted, and blamed for what it costs.
func TestAliases(t *testing.T) {
	res := result(t, "main: computation A 1ms\nlegacy: communication B 1ms")
	note := "x.txtar:4: main and legacy are one stream: their ops never run at once"
	assert.Equal(t, "serial by stream: B waits for A on stream legacy", res.Eager.Verdict.String())
	assert.Contains(t, res.Eager.Verdict.Notes, note)
	assert.Empty(t, noted(result(t,
		"main: fork a\nmain: computation A 1ms\na: communication B 1ms\nmain: join a").Eager.Program))
}

func TestCheck(t *testing.T) {
	c, err := overlap.Reference()
	require.NoError(t, err)
	for _, p := range []*schedule.Program{c.Schedule.Eager(), c.Schedule.Replay()} {
		assert.Equal(t, verdict.Met, check(t, p).Cause, "%s: %s", p.Name, check(t, p))
	}
	s := c.Schedule
	s.Issue = slices.DeleteFunc(slices.Clone(s.Issue), func(in schedule.Instr) bool { return in.Op.Index() == 3 })
	assert.Equal(t, "bad code: B1 is never launched", check(t, s.Eager()).String())
	late := result(t, "main: fork a b\na: computation A 2ms\na: computation B 2ms\na: record e\nb: wait e\nb: communication X 2ms after A\nmain: join a b")
	assert.Equal(t, "over-wide wait: X waits for B through e", check(t, late.Eager.Program).String(),
		"without a target and a device")
}

// noted are the notes on what is legal and probably not meant.
func noted(p *schedule.Program) (notes []string) {
	v, _, _ := calls.Of(p)
	for _, f := range calls.Legal(v) {
		notes = append(notes, f.Detail)
	}
	return notes
}
