package probe_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/gpu"
	"github.com/gpu-overlap/overlap/internal/probe"
)

// probes are the files of the conformance suite.
func probes(t *testing.T) []*probe.File {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("..", "..", "testdata", "probes", "P[0-9]*.txtar"))
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(paths), 31)
	var files []*probe.File
	for _, path := range paths {
		f, err := probe.Read(path)
		require.NoError(t, err)
		files = append(files, f)
	}
	return files
}

// TestProbes runs every probe that has a golden on the device of this binary and compares what it shows with what the
// GPU showed when the golden was taken.
func TestProbes(t *testing.T) {
	if taking() {
		t.Skip("goldens are being taken")
	}
	var sum probe.Count
	for _, f := range probes(t) {
		t.Run(f.Name, func(t *testing.T) {
			require.NotNil(t, f.Golden, "no golden was taken yet")
			log, err := probe.Run(t.Context(), open(t), f, "this device")
			require.NoError(t, err)
			count, faults := probe.Compare(f.Golden, log)
			sum = sum.Plus(count)
			for _, fault := range faults {
				t.Error(fault)
			}
		})
	}
	t.Logf("%d rows: %d equal, %d free, %d unmodelled, %d differ", sum.All, sum.Equal, sum.Free, sum.Unmodelled,
		sum.Differs())
}

// tracer is the device as one that traces.
func tracer(t *testing.T, dev gpu.Device) gpu.Tracer {
	t.Helper()
	t.Cleanup(func() { require.NoError(t, dev.Close()) })
	tr, ok := dev.(gpu.Tracer)
	if !ok {
		t.Skip("the device cannot trace")
	}
	return tr
}
