package overlaptest_test

import (
	"testing"

	"github.com/gpu-overlap/overlap"
	"github.com/gpu-overlap/overlap/overlaptest"
)

// A user's own test, as the package comment shows it.
func TestCases(t *testing.T) {
	overlaptest.Cases(t, overlaptest.Open(t, overlap.Sim, "ideal"), "../testdata/cases/async_pair.txtar")
}
