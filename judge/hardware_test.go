package judge_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap"
)

// C would fit beside A, and is kept back by B, which does not: A is to blame, eagerly and in a graph, where nothing is
// in a hardware queue.
func TestKeptBackByOneThatDoesNotFit(t *testing.T) {
	const calls = "-- schedule --\nengine wide capacity 8\nmain: fork a b c\na: computation A 400us sms 80% on wide\n" +
		"b: computation B 50us sms SHARE on wide\nc: computation C 400us on wide\nmain: join a b c\n-- expect --\n" +
		"eager within 10% of ideal\nreplay within 10% of ideal\n"
	for _, machine := range []string{"ideal", "h200"} {
		dev, err := overlap.Open(t.Context(), overlap.Sim, machine)
		require.NoError(t, err)
		defer dev.Close()
		for share, want := range map[string]string{"30%": "engine full: C waits for the SMs that A holds",
			"15%": "met"} {
			c, err := overlap.ParseCase("x.txtar", []byte(strings.Replace(calls, "SHARE", share, 1)))
			require.NoError(t, err)
			res, err := overlap.Run(t.Context(), dev, c, overlap.Options{})
			require.NoError(t, err)
			for _, m := range []overlap.Mode{res.Eager, res.Replay} {
				assert.Contains(t, m.Verdict.String(), want, "%s on %s, B holds %s", m.Name, machine, share)
			}
		}
	}
}
