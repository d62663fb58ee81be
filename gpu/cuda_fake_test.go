//go:build gpu && cgo

package gpu

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/gpu/internal/driver"
	"github.com/gpu-overlap/overlap/schedule"
)

// The durations at which testdata/fakecuda.c misbehaves.
const (
	hangs  = 666001 * time.Nanosecond
	dies   = 666002 * time.Nanosecond
	faults = 666003 * time.Nanosecond
)

// library compiles a file of testdata into a shared library.
func library(t *testing.T, source string, flags ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), strings.TrimSuffix(source, ".c")+".so")
	args := append(strings.Fields(os.Getenv("CGO_CFLAGS")), "-I/usr/local/cuda/include", "-shared", "-fPIC", "-o", path,
		filepath.Join("testdata", source))
	cc := os.Getenv("CC")
	if cc == "" {
		cc = "cc"
	}
	out, err := exec.Command(cc, append(args, flags...)...).CombinedOutput()
	if err != nil {
		t.Skipf("%s cannot be compiled (set CGO_CFLAGS to CUDA's headers): %v\n%s", source, err, out)
	}
	return path
}

// fake has OpenCUDA find the fake driver, with locks of its own.
func fake(t *testing.T, flags ...string) {
	t.Helper()
	t.Setenv(driver.LibraryVar, library(t, "fakecuda.c", flags...))
	t.Setenv("TMPDIR", t.TempDir())
}

func open(t *testing.T, opt Options) Device {
	t.Helper()
	d, err := OpenCUDA(t.Context(), opt)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	return d
}

// reference is two micro-batches through four stages of the same duration.
func reference(d time.Duration) *schedule.Schedule {
	pl := schedule.Pipeline{Micro: 2, Engines: schedule.DefaultEngines()}
	for i := range 4 {
		kind := schedule.Kind(i % 2)
		pl.Stages = append(pl.Stages, schedule.Stage{Kind: kind, Engine: schedule.At(int32(kind)), Dur: d})
	}
	s := pl.Schedule("reference", "reference.txtar")
	return &s
}

func prepare(t *testing.T, d Device, p *schedule.Program) Run {
	t.Helper()
	run, err := d.Prepare(t.Context(), p)
	require.NoError(t, err)
	require.NoError(t, Check(p, p.Setup, run.Setup().Codes))
	require.Len(t, run.Setup().Codes, len(p.Setup))
	t.Cleanup(func() { require.NoError(t, run.Close()) })
	return run
}
