//go:build gpu && cgo

package driver

import (
	"debug/elf"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gorgonia.org/cu"

	"github.com/gpu-overlap/overlap/schedule"
)

// That this test runs at all shows that a binary starts where there is no driver: gorgonia.org/cu has called cuInit.
func TestLinksWithoutDriver(t *testing.T) {
	exe, err := os.Executable()
	require.NoError(t, err)
	file, err := elf.Open(exe)
	require.NoError(t, err)
	defer file.Close()
	libraries, err := file.ImportedLibraries()
	require.NoError(t, err)
	assert.Contains(t, libraries, "libc.so.6")
	assert.NotContains(t, libraries, "libcuda.so.1")
	exported, err := file.DynamicSymbols()
	require.NoError(t, err)
	for _, symbol := range exported {
		assert.NotRegexp(t, "^cu[A-Z]", symbol.Name, "the driver itself would call what we export")
	}
}

func TestNothingIsCalledBeforeLoad(t *testing.T) {
	assert.Equal(t, schedule.NotInitialized, Init())
	_, err := cu.NumDevices()
	assert.ErrorContains(t, failure("cuDeviceGetCount", err), "cuDeviceGetCount gave 3 CUDA_ERROR_NOT_INITIALIZED")
}

func TestLoadSaysWhatIsMissing(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "libcuda.so.1")
	t.Setenv(LibraryVar, missing)
	err := Load()
	require.ErrorIs(t, err, ErrNoLibrary)
	assert.ErrorContains(t, err, missing)

	t.Setenv(LibraryVar, "libc.so.6") // a library, but no driver
	err = Load()
	require.ErrorIs(t, err, ErrOldDriver)
	assert.ErrorContains(t, err, "libc.so.6 lacks cuInit")
	assert.Equal(t, schedule.NotInitialized, Init(), "nothing of it is used")
}

func TestSticky(t *testing.T) {
	assert.True(t, Sticky(schedule.LaunchFailed))
	assert.False(t, Sticky(schedule.Success))
	assert.False(t, Sticky(schedule.CaptureUnjoined))
}
