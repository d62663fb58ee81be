//go:build gpu && cgo

package gpu

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/schedule"
)

// seen has the fake driver note what it does, and gives what it noted of one thing.
func seen(t *testing.T) func(what string) []string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "seen")
	t.Setenv("FAKE_SEEN", path)
	return func(what string) (lines []string) {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		for line := range strings.Lines(string(text)) {
			if rest, ok := strings.CutPrefix(line, what+" "); ok {
				lines = append(lines, strings.TrimSpace(rest))
			}
		}
		return lines
	}
}

// What shares of SMs and bandwidth make of a launch, and that alone it lasts as long as it should.
func TestFootprint(t *testing.T) {
	fake(t)
	noted := seen(t)
	d := open(t, Options{})
	tests := map[string]struct{ kernel, want string }{
		"":              {"computation_exact", "1 blocks 1 threads 0 shared 0 readers"},
		"sms 1%":        {"computation_exact", "1 blocks 1024 threads 232448 shared 0 readers"},
		"sms 33%":       {"computation_exact", "43 blocks 1024 threads 232448 shared 0 readers"},
		"sms 34%":       {"computation_exact", "44 blocks 1024 threads 232448 shared 0 readers"},
		"sms 99%":       {"computation_exact", "130 blocks 1024 threads 232448 shared 0 readers"},
		"sms 100%":      {"computation_exact", "264 blocks 1024 threads 0 shared 0 readers"},
		"bandwidth 90%": {"computation_memory", "118 blocks 512 threads 0 shared 224 readers"},
		// The fewest readers that get as much; of 1 % of the SMs all, which get less.
		"sms 50% bandwidth 90%":   {"computation_memory", "66 blocks 1024 threads 232448 shared 384 readers"},
		"sms 50% bandwidth 40%":   {"computation_memory", "66 blocks 1024 threads 232448 shared 160 readers"},
		"sms 1% bandwidth 100%":   {"computation_memory", "1 blocks 1024 threads 232448 shared 1024 readers"},
		"sms 100% bandwidth 100%": {"computation_memory", "132 blocks 1024 threads 232448 shared 224 readers"},
	}
	for clauses, test := range tests {
		t.Run(clauses, func(t *testing.T) {
			run := prepare(t, d, parsed(t, "main: computation K 1ms "+clauses).Eager())
			tr, err := run.Rep(t.Context())
			require.NoError(t, err)
			assert.InDelta(t, float64(time.Millisecond), float64(tr.Spans[0].Dur()), float64(time.Microsecond))
			lines := noted(test.kernel)
			require.NotEmpty(t, lines)
			assert.Contains(t, lines[len(lines)-1], test.want)
		})
	}
}

// Every kernel is launched once at the start, with nothing to do.
func TestWarmed(t *testing.T) {
	fake(t)
	noted := seen(t)
	open(t, Options{})
	for _, kernel := range []string{"computation_exact", "communication_nanosleep", "communication_memory",
		"stamp_begin", "stamp_end_of", "gate"} {
		assert.Contains(t, noted(kernel), "1 blocks 1 threads 0 shared 0 readers 0", kernel)
	}
}

// The word of a gate is closed when the gate is launched, at every repetition, and open when the host waits; unless the
// program does not open it.
func TestGate(t *testing.T) {
	fake(t)
	noted := seen(t)
	d := open(t, Options{})
	gated, ok := parsed(t, "main: fork a b\na: computation A 5us\nb: communication B 5us\nmain: join a b").Gated()
	require.True(t, ok)
	run := prepare(t, d, gated)
	_, err := d.Sample(t.Context(), []Run{run}, 2)
	require.NoError(t, err)
	var atLaunch, atWait []string
	for _, line := range noted("gate") {
		switch {
		case strings.HasPrefix(line, "waited for "):
			atWait = append(atWait, strings.TrimPrefix(line, "waited for "))
		case !strings.Contains(line, "blocks"):
			atLaunch = append(atLaunch, line)
		}
	}
	assert.Equal(t, []string{"0", "0", "0"}, atLaunch, "one to warm, and two repetitions")
	assert.Equal(t, []string{"1", "1", "1"}, atWait)

	shut := *gated
	shut.Body = nil
	for _, in := range gated.Body {
		if in.Verb != schedule.OpenGate {
			shut.Body = append(shut.Body, in)
		}
	}
	prepare(t, d, &shut)
	lines := noted("gate")
	assert.Equal(t, "waited for 0", lines[len(lines)-1])
}
