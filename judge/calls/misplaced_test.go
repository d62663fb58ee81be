package calls_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/verdict"
)

// A capture shows the same as the calls themselves.
func TestElsewhereInACapture(t *testing.T) {
	for stream, want := range map[string]string{"mb0": "met",
		"mb1": "serial by stream: C0 waits for B1 on stream mb1"} {
		res := result(t, fmt.Sprintf(turned, "mb0 mb1", "mb1", "", stream))
		assert.Equal(t, want, check(t, res.Eager.Program).String())
		assert.Equal(t, want, check(t, res.Replay.Program).String())
	}
}

// Where one stream has all ops of an engine, their order in it is as intended as any, be it longer than another.
func TestElsewhereNotOffTheStreamOfItsEngine(t *testing.T) {
	const text = `engine far
main: fork a b
b: communication Q 1ms
a: computation U 1ms
a: record u
b: wait u
b: communication CU 1ms after U
%s
a: computation X 1ms
a: computation Y 3ms on far after X
main: join a b`
	for more, want := range map[string]string{"": "met",
		"b: computation Z 1ms after CU": "serial by stream: X waits for U on stream a"} {
		assert.Equal(t, want, check(t, result(t, fmt.Sprintf(text, more)).Eager.Program).String())
	}
}

// An op stays on its device, and is not put on a stream that is forked only later.
func TestElsewhereOutOfReach(t *testing.T) {
	res := result(t, fmt.Sprintf(turned, "mb0 mb1", "mb1", "", "mb1"))
	p := *res.Eager.Program
	p.Streams = slices.Clone(p.Streams)
	require.Equal(t, verdict.SerialByStream, check(t, &p).Cause)
	p.Streams[slices.IndexFunc(p.Streams, func(s schedule.Stream) bool { return s.Name == "mb0" })].Device = 1
	assert.Equal(t, "met", check(t, &p).String())

	const late = `engine far
main: fork a
a: computation U 1ms
a: record u
main: fork b
b: wait u
b: communication CU 1ms after U
b: computation Z 1ms after CU
a: computation X 1ms
a: computation Y 3ms on far after X
main: join a b`
	res = result(t, late)
	assert.Equal(t, "met", check(t, res.Eager.Program).String())
	assert.Equal(t, "met", check(t, res.Replay.Program).String())
}

func TestAnIntendedWaitOfTheHost(t *testing.T) {
	p := *result(t, "main: fork a b\na: computation U 2ms\na: sync\nb: communication X 2ms\nmain: join a b").Eager.Program
	require.Equal(t, verdict.HostSync, check(t, &p).Cause)
	p.Body = slices.Clone(p.Body)
	p.Body[slices.IndexFunc(p.Body, func(c schedule.Instr) bool { return c.Verb.Blocks() })].Intended = true
	assert.Equal(t, "met", check(t, &p).String(), "the intent wants it")
}
