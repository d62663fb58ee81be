package main

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestSummary: of several cases the last line says how many gave what they expect, and names the others; a miss that is
// expected says so.
func TestSummary(t *testing.T) {
	const good, miss = "../../testdata/cases/reference_20us.txtar", "../../testdata/cases/fail_event_after_yield.txtar"
	out, exit, err := run(t, sim("run", good, miss)...)
	require.NoError(t, err)
	assert.Zero(t, exit)
	assert.Contains(t, out, "\nexpected: the case wants that\n")
	assert.Contains(t, out, "\n2 of 2 cases gave what they expect\n")

	data, err := os.ReadFile(miss)
	require.NoError(t, err)
	out, exit, _ = run(t, sim("run", good, unexpected(t, data))...)
	assert.Equal(t, exitMissed, exit)
	assert.NotContains(t, out, "expected: the case wants that")
	assert.Contains(t, out, "\n1 of 2 cases gave what they expect; not: unexpected\n")
}

var verdictLines = regexp.MustCompile(`(?m)^(eager |replay )?verdict .*\n`)

// unexpected is a case without its expected verdict.
func unexpected(t *testing.T, data []byte) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "unexpected.txtar")
	require.NoError(t, os.WriteFile(file, verdictLines.ReplaceAll(data, nil), 0o600))
	return file
}
