package overlaptest_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap"
	"github.com/gpu-overlap/overlap/gpu"
	"github.com/gpu-overlap/overlap/gpu/sim"
	"github.com/gpu-overlap/overlap/overlaptest"
)

// What must fail is run by TestChild in a process of its own, which this test binary starts again.
const (
	scenarioVar = "OVERLAPTEST_SCENARIO"
	folderVar   = "OVERLAPTEST_FOLDER"
)

var scenarios = map[string]func(t *testing.T){
	"cases": func(t *testing.T) { overlaptest.Cases(t, device(0), pattern()) },
	"few samples": func(t *testing.T) {
		s := overlaptest.FromFlags(t)
		s.Options = overlap.Options{Reps: 2, MaxReps: 2} // too few to decide anything under noise
		s.Cases(t, device(0.01), pattern())
	},
	"each": func(t *testing.T) {
		s := overlaptest.FromFlags(t)
		s.Each = func(t *testing.T, repeat int, r *overlap.Result) { t.Logf("repeat %d of %s", repeat, r.Case.Name) }
		s.Cases(t, device(0), pattern())
	},
	"no GPU":     func(t *testing.T) { overlaptest.Open(t, overlap.CUDA, ""); t.Log("there is one") },
	"no machine": func(t *testing.T) { overlaptest.Open(t, overlap.Sim, "h2000"); t.Log("there is one") },
}

func TestChild(t *testing.T) {
	if run, ok := scenarios[os.Getenv(scenarioVar)]; ok {
		run(t)
		return
	}
	t.Skip("other tests run it, in a process of its own")
}

// device is machine ideal with so much noise in durations.
func device(noise float64) gpu.Device {
	m := sim.Ideal
	m.Noise.Duration = noise
	return sim.Open(m)
}

func pattern() string { return filepath.Join(os.Getenv(folderVar), "*.txtar") }

// folder holds case files by their names, in a new folder.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name+".txtar"), []byte(text), 0o666))
	}
	return dir
}

// child runs a scenario on the case files of a folder, and says what it printed and whether it passed.
func child(t *testing.T, scenario, dir string, flags ...string) (printed string, passed bool) {
	t.Helper()
	return childWith(t, "OVERLAP_NEED_DEVICE=", scenario, dir, flags...)
}

// childWith sets a variable of the process, too.
func childWith(t *testing.T, variable, scenario, dir string, flags ...string) (printed string, passed bool) {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), self, append([]string{"-test.run=^TestChild$", "-test.v"}, flags...)...)
	cmd.Env = append(os.Environ(), scenarioVar+"="+scenario, folderVar+"="+dir,
		variable, "OVERLAP_LIBCUDA=libcuda-that-is-not-there.so.1")
	out, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) {
		require.NoError(t, err)
	}
	return string(out), err == nil
}
