//go:build gpu && cgo

package probe_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/gpu"
	"github.com/gpu-overlap/overlap/internal/probe"
)

var golden = flag.String("golden", "", "run every probe on the GPU and write it with its new golden into this `folder`")

func taking() bool { return *golden != "" }

// slack is how long a probe may hang before its worker is killed: half of it.
const slack = 10 * time.Second

// open gives a GPU, with a worker of its own.
func open(t *testing.T) gpu.Tracer {
	t.Helper()
	dev, err := gpu.OpenCUDA(t.Context(), gpu.Options{Slack: slack})
	if missing := (*gpu.Unavailable)(nil); errors.As(err, &missing) && !taking() {
		t.Skip(err)
	}
	require.NoError(t, err)
	return tracer(t, dev)
}

// TestGolden takes the goldens. A probe in which a part fails is reported; what the other parts showed is written
// beside, as NAME.partial.
func TestGolden(t *testing.T) {
	if !taking() {
		t.Skip("-golden names no folder")
	}
	require.NoError(t, os.MkdirAll(*golden, 0o755))
	for _, f := range probes(t) {
		t.Run(f.Name, func(t *testing.T) {
			dev := open(t)
			info := dev.Info()
			what := fmt.Sprintf("%s, driver %s, %s", info.Name, info.Driver, time.Now().UTC().Format(time.DateOnly))
			start := time.Now()
			log, err := probe.Run(t.Context(), dev, f, what)
			t.Logf("%d parts in %s", len(log.Parts), time.Since(start).Round(time.Millisecond))
			path := filepath.Join(*golden, filepath.Base(f.Path))
			if err != nil {
				require.NoError(t, os.WriteFile(path+".partial", []byte(log.Text()), 0o644))
				t.Fatal(err)
			}
			data, err := os.ReadFile(f.Path)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(path, probe.WithGolden(data, log.Text()), 0o644))
		})
	}
}
