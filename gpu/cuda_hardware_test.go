//go:build gpu && cgo

package gpu

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/graph"
	"github.com/gpu-overlap/overlap/graph/match"
	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/schedule/text"
)

func parsed(t *testing.T, lines string) *schedule.Schedule {
	t.Helper()
	c, err := text.ParseCase("x.txtar", []byte("Why.\n-- schedule --\n"+lines+"\n-- expect --\n"))
	require.NoError(t, err)
	return &c.Schedule
}

const copying = `main: fork a b
a: h2d U 1ms 4MiB pinned
a: d2h V 1ms 1B pageable after U
b: computation K 1ms sms 30% bandwidth 80%
b: communication G 1ms sms 100%
main: join a b`

// Copies stamp, arrive, and are one node each of the captured graph.
func testHardware(t *testing.T, d Device) {
	s := parsed(t, copying)
	eager, replay := prepare(t, d, s.Eager()), prepare(t, d, s.Replay())
	samples, err := d.Sample(t.Context(), []Run{eager, replay}, 3)
	require.NoError(t, err)
	for i, run := range []Run{eager, replay} {
		for _, tr := range samples[i] {
			require.NoError(t, Check(run.Program(), run.Program().Body, tr.Codes))
			for op, span := range tr.Spans {
				assert.True(t, span.Ran, "%s %d", run.Program().Name, op)
			}
			assert.LessOrEqual(t, tr.Spans[0].End, tr.Spans[1].Start, "V after U")
			assert.True(t, tr.Clock.Known)
			assert.GreaterOrEqual(t, tr.Clock.Error, time.Duration(0))
		}
	}
	assert.Empty(t, match.Diff(graph.Implied(replay.Program()), replay.Setup().Graph))
}

func TestHardwareFake(t *testing.T) {
	fake(t)
	d := open(t, Options{})
	testHardware(t, d)
	assert.Equal(t, 8, d.Info().Connections)

	gated, ok := parsed(t, "slow host 20us\nmain: fork a b\na: computation A 5us\nb: communication B 5us\nmain: join a b").Gated()
	require.True(t, ok)
	run := prepare(t, d, gated)
	tr, err := run.Rep(t.Context())
	require.NoError(t, err)
	require.NoError(t, Check(gated, gated.Body, tr.Codes))
	assert.GreaterOrEqual(t, tr.Issue, time.Duration(len(gated.Body)-1)*20*time.Microsecond,
		"each call takes 20us longer")

	big := parsed(t, copying)
	big.Intent.Ops[0].Bytes = 5 << 30
	_, err = d.Prepare(t.Context(), big.Eager())
	assert.ErrorContains(t, err, "more than 4 GiB")
}

// A copy that the driver did not make shows, and so does a stream without its priority.
func TestHardwareControls(t *testing.T) {
	fake(t)
	t.Setenv("FAKE_NO_COPY", "1")
	d := open(t, Options{})
	run := prepare(t, d, parsed(t, copying).Eager())
	tr, err := run.Rep(t.Context())
	require.NoError(t, err)
	assert.False(t, tr.Spans[0].Ran, "to the device")
	assert.False(t, tr.Spans[1].Ran, "to the host")
	assert.True(t, tr.Spans[2].Ran)

	other, err := d.WithEnv(t.Context(), []string{"FAKE_PRIORITY=-3", "CUDA_DEVICE_MAX_CONNECTIONS=2"})
	require.NoError(t, err)
	assert.Equal(t, 2, other.Info().Connections)
	s := parsed(t, "stream a priority -3\nmain: fork a\na: computation A 1ms\nmain: join a")
	prepare(t, other, s.Eager())
	s.Streams[1].Priority = 0
	plain, err := other.Prepare(t.Context(), s.Eager())
	require.NoError(t, err)
	assert.Error(t, Check(plain.Program(), plain.Program().Setup, plain.Setup().Codes))
	require.NoError(t, plain.Close())
	require.NoError(t, other.Close())
	prepare(t, d, s.Eager()) // the first goes on
}

func TestClockBounds(t *testing.T) {
	const ms = 1_000_000
	drift := driftOver(clockAge)
	var c clockBounds
	assert.Equal(t, Clock{}, c.clock(5, 0))
	c.take(100, 160, 0)
	c.take(90, 140, ms)
	assert.Equal(t, Clock{Offset: 100, Error: 20 + drift, Known: true}, c.clock(20, 0))
	assert.Equal(t, 20+drift+50*time.Microsecond, c.clock(20, time.Second).Error,
		"a second earlier it may have been off by more")
	c.take(0, 0, 2*ms) // left no stamp
	c.take(500, 520, 3*ms)
	assert.Equal(t, Clock{Offset: 510, Error: 10 + drift, Known: true}, c.clock(0, 0),
		"drifted away: what was before no longer counts")
	c.take(505, 700, 60*ms)
	assert.Equal(t, time.Duration(98)+drift, c.clock(0, 0).Error, "nor does what is old")
}
