package calls_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap"
)

// TestOrderOfChecks: of two faults the verdict is that of the check that comes first, and it keeps what was noted before.
func TestOrderOfChecks(t *testing.T) {
	const outside = "other: computation X 300us\n"                                        // its stream does not capture, and the graph lacks it
	const other = "main: begin capture\nmain: computation X 300us\nmain: end capture h\n" // which is never launched
	for name, c := range map[string]struct {
		before string // the capture
		more   string // in the capture
		twice  bool   // the graph is launched on two streams
		waits  bool   // B waits for A
		want   string
		noted  string
	}{
		"nothing":         {waits: true, want: "met"},
		"shared exec":     {waits: true, twice: true, want: "shared exec: g is launched on s0 and on s1, and never runs beside itself"},
		"unsound":         {want: "missing order: B does not wait for A"},
		"not launched":    {more: outside, waits: true, want: "wrong graph: X is not in the graph: its stream was not capturing"},
		"shared, unsound": {twice: true, want: "shared exec: g is launched on s0 and on s1, and never runs beside itself"},
		"not launched, shared": {before: other, twice: true, waits: true,
			want: "wrong graph: X is not in the graph: its stream was not capturing"},
		"not launched, noted": {more: "main: record f\nmain: record f\n" + outside, waits: true,
			want:  "wrong graph: X is not in the graph: its stream was not capturing",
			noted: "x.txtar:8: f is recorded again before anything waited for its record (x.txtar:7)"},
	} {
		t.Run(name, func(t *testing.T) {
			text := "Why.\n-- program --\nstream s0 s1 b other\n" + c.before + "main: begin capture\nmain: record fork\nb: wait fork\n" + c.more +
				"main: computation A 300us\nmain: record e\n"
			if c.waits {
				text += "b: wait e\n"
			}
			text += "b: communication B 300us after A\nb: record join\nmain: wait join\nmain: end capture g\ninstantiate g\n" +
				"timed\nmain: fork s0 s1\ns0: replay g\n"
			if c.twice {
				text += "s1: replay g\n"
			}
			parsed, err := overlap.ParseCase("x.txtar", []byte(text+"main: join s0 s1\nmain: sync\n-- expect --\n"))
			require.NoError(t, err)
			v := check(t, parsed.Program())
			assert.Equal(t, c.want, v.String())
			if c.noted != "" {
				assert.Contains(t, v.Notes, c.noted)
			}
		})
	}
}

// TestOrderOfNeedless: of two orders that cost and that nothing needs, a barrier comes before a wait of the host, that
// before a wait for an event.
func TestOrderOfNeedless(t *testing.T) {
	const (
		barrier  = "c: computation A 2ms on math\nlegacy: computation L 1ms on math\nd: communication X 4ms on wire\n"
		host     = "a: computation B 2ms on math\na: sync\nb: communication Y 4ms on wire\n"
		overWide = "f: computation C 2ms on math\nf: record e\ng: wait e\ng: communication Z 4ms on wire\n"
	)
	for name, c := range map[string]struct{ body, want string }{
		"barrier":        {barrier, "legacy barrier: L on the legacy stream keeps blocking streams apart"},
		"host":           {host, "host sync: the host waits in cuStreamSynchronize before it issues Y"},
		"over-wide":      {overWide, "over-wide wait: Z waits for C through e"},
		"barrier, host":  {host + barrier, "legacy barrier: L on the legacy stream keeps blocking streams apart"},
		"host, the wait": {host + overWide, "host sync: the host waits in cuStreamSynchronize before it issues Y"},
	} {
		t.Run(name, func(t *testing.T) {
			c2, err := overlap.ParseCase("x.txtar", []byte("Why.\n-- schedule --\nengine math capacity 3\nengine wire capacity 3\nstream c d blocking\n"+
				"main: fork a b c d f g\n"+c.body+"main: join a b c d f g\n-- expect --\n"))
			require.NoError(t, err)
			assert.Equal(t, c.want, check(t, c2.Schedule.Eager()).String())
		})
	}
}
