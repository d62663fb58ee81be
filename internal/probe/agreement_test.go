//go:build !gpu || !cgo

package probe_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/internal/probe"
)

var update = flag.Bool("update", false, "rewrite the table in docs/agreement.md")

const (
	agreementPage = "../../docs/agreement.md"
	tableBegin    = "<!-- agreement: written by go test ./internal/probe -update -->\n"
	tableEnd      = "<!-- end of agreement -->\n"
	// maxUnmodelled is the share of rows that the simulated device need not model.
	maxUnmodelled = 0.05
)

// subject is what a probe is about: the beginning of what it settles.
func subject(f *probe.File) string {
	text := strings.Join(strings.Fields(f.Why), " ")
	if at := strings.IndexAny(text, ".:;,"); at > 0 {
		text = text[:at]
	}
	return text
}

// agreement is the table: a line for each probe, and the sum.
func agreement(t *testing.T) (table string, sum probe.Count) {
	var b strings.Builder
	device := ""
	b.WriteString("| probe | | rows | equal | free | not modelled |\n|---|---|---|---|---|---|\n")
	for _, f := range probes(t) {
		require.NotNil(t, f.Golden, "%s has no golden", f.Path)
		log, err := probe.Run(t.Context(), open(t), f, "")
		require.NoError(t, err)
		c, _ := probe.Compare(f.Golden, log)
		sum = sum.Plus(c)
		fmt.Fprintf(&b, "| [%s](../testdata/probes/%s.txtar) | %s | %d | %d | %d | %d |\n", f.Name, f.Name, subject(f),
			c.All, c.Equal, c.Free, c.Unmodelled)
		device = f.Golden.Device
	}
	fmt.Fprintf(&b, "| all | | %d | %d | %d | %d |\n\nMeasured on an %s.\n", sum.All, sum.Equal, sum.Free,
		sum.Unmodelled, device)
	return b.String(), sum
}

//go:generate ../../.ci/golden ^TestAgreement$

// TestAgreement: docs/agreement.md says how far the simulated device agrees with the GPU of the goldens.
func TestAgreement(t *testing.T) {
	table, sum := agreement(t)
	data, err := os.ReadFile(agreementPage)
	require.NoError(t, err)
	before, rest, found := strings.Cut(string(data), tableBegin)
	stands, after, ends := strings.Cut(rest, tableEnd)
	require.True(t, found && ends, "%s has no place for the table", agreementPage)
	if *update && stands != table {
		require.NoError(t, os.WriteFile(agreementPage, []byte(before+tableBegin+table+tableEnd+after), 0o644))
		t.Fatalf("%s: the table is rewritten; look at the difference", agreementPage)
	}
	assert.Equal(t, table, stands, "go test ./internal/probe -update")
	assert.LessOrEqual(t, float64(sum.Unmodelled), maxUnmodelled*float64(sum.All))
}
