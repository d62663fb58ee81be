package preflight

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// found is the findings as text, without their fixes.
func found(list []Finding) (texts []string) {
	for _, f := range list {
		texts = append(texts, f.Severity.String()+": "+f.What)
	}
	return texts
}

func env(list ...string) Facts { return Facts{Start: list, Now: list} }

func TestCheck(t *testing.T) {
	gpu := func(g GPU) Facts { return Facts{GPU: &g} }
	for name, c := range map[string]struct {
		facts Facts
		want  []string
	}{
		"nothing":              {Facts{}, nil},
		"a quiet GPU":          {gpu(GPU{ComputeMode: "default", SMClock: 345, MaxClock: 1980}), nil},
		"launch blocking":      {env("CUDA_LAUNCH_BLOCKING=1"), []string{"impossible: " + LaunchBlocking}},
		"launch blocking, off": {env("CUDA_LAUNCH_BLOCKING=0"), nil},
		"one connection": {env("CUDA_DEVICE_MAX_CONNECTIONS=1"),
			[]string{"warning: CUDA_DEVICE_MAX_CONNECTIONS=1 leaves all streams one hardware queue: what is issued first holds up what is ready"}},
		"two connections": {env("CUDA_DEVICE_MAX_CONNECTIONS=2"), nil},
		"too many connections": {env("CUDA_DEVICE_MAX_CONNECTIONS=64"),
			[]string{"warning: CUDA_DEVICE_MAX_CONNECTIONS=64 is not from 1 to 32, and ignored"}},
		"set too late": {Facts{Start: []string{"CUDA_DEVICE_MAX_CONNECTIONS=8"},
			Now: []string{"CUDA_DEVICE_MAX_CONNECTIONS=32"}},
			[]string{"warning: CUDA_DEVICE_MAX_CONNECTIONS=32 was set after the process started: a driver that was touched before still uses what was there (8)"}},
		"module loading": {env("CUDA_MODULE_LOADING=LAZY"), []string{"note: CUDA_MODULE_LOADING=LAZY"}},
		"MPS": {Facts{MPS: true},
			[]string{"warning: an MPS daemon is running: other processes may share the SMs"}},
		"MIG": {gpu(GPU{MIG: true}),
			[]string{"note: MIG is on: the GPU is a slice with a part of the SMs"}},
		"prohibited": {gpu(GPU{ComputeMode: "prohibited"}),
			[]string{"impossible: the GPU's compute mode prohibits contexts"}},
		"exclusive": {gpu(GPU{ComputeMode: "exclusive process"}),
			[]string{"note: the GPU's compute mode lets one process use it"}},
		"throttled": {gpu(GPU{Throttled: []string{"temperature", "power limit"}}),
			[]string{"warning: clocks are held down: temperature, power limit"}},
		"others": {gpu(GPU{Processes: []Process{{PID: 7}, {PID: 9}}}),
			[]string{"warning: other processes use the GPU: 7, 9"}},
		"busy": {gpu(GPU{Utilization: 40}),
			[]string{"warning: the GPU is 40 % busy before anything of ours runs"}},
		"utilization unknown": {gpu(GPU{Utilization: -1}), nil},
		"the worst first": {Facts{MPS: true, Now: []string{"CUDA_LAUNCH_BLOCKING=1", "CUDA_MODULE_LOADING=EAGER"}},
			[]string{"impossible: " + LaunchBlocking,
				"warning: an MPS daemon is running: other processes may share the SMs",
				"note: CUDA_MODULE_LOADING=EAGER"}},
	} {
		t.Run(name, func(t *testing.T) {
			list := Check(c.facts)
			assert.Equal(t, c.want, found(list))
			for _, f := range list {
				assert.NotEmpty(t, f.Fix)
			}
			stop := ""
			if len(c.want) > 0 && strings.HasPrefix(c.want[0], "impossible: ") {
				stop = strings.TrimPrefix(c.want[0], "impossible: ")
			}
			assert.Equal(t, stop, Stop(list))
		})
	}
}

func TestLook(t *testing.T) {
	t.Setenv("CUDA_DEVICE_MAX_CONNECTIONS", "4")
	t.Setenv("CUDA_MPS_PIPE_DIRECTORY", t.TempDir())
	f := Look("", []string{"CUDA_LAUNCH_BLOCKING=1", "PATH=/bin"})
	assert.Equal(t, "4", value(f.Now, "CUDA_DEVICE_MAX_CONNECTIONS"), "set by this process")
	assert.NotEqual(t, "4", value(f.Start, "CUDA_DEVICE_MAX_CONNECTIONS"), "and not there when it started")
	assert.Equal(t, "1", value(f.Now, "CUDA_LAUNCH_BLOCKING"), "of the worker")
	assert.Equal(t, "1", value(f.Start, "CUDA_LAUNCH_BLOCKING"), "which has it from its start")
	assert.Empty(t, value(f.Now, "PATH"), "nothing of CUDA's")
	assert.False(t, f.MPS)
	assert.Nil(t, f.GPU)
	assert.NotEmpty(t, f.Unknown)
}
