package sim

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/gpu-overlap/overlap/gpu"
	"github.com/gpu-overlap/overlap/gpu/sim/hardware"
)

// WithEnv gives a device whose machine behaves as the variables say; of a variable that is named twice, the last value
// counts. It counts its repetitions by itself.
func (d *device) WithEnv(_ context.Context, env []string) (gpu.Device, error) {
	other := device{m: d.m, reps: new(int)}
	for _, variable := range env {
		name, value, _ := strings.Cut(variable, "=")
		if !other.m.set(name, value) {
			return nil, fmt.Errorf("sim: %s is not modelled; want CUDA_DEVICE_MAX_CONNECTIONS=1 to 32, "+
				"CUDA_LAUNCH_BLOCKING=0 or 1, CUDA_SCALE_LAUNCH_QUEUES=0.25x, 0.5x, 2x or 4x, "+
				"or CUDA_MODULE_LOADING=EAGER, LAZY or DEFAULT", variable)
		}
	}
	return &other, nil
}

// set lets a variable have its effect; false when it is not known or has no such value.
func (m *Machine) set(name, value string) bool {
	switch name {
	case "CUDA_DEVICE_MAX_CONNECTIONS":
		n, err := strconv.Atoi(value)
		m.Connections = n
		return err == nil && n >= 1 && n <= hardware.MaxConnections
	case "CUDA_LAUNCH_BLOCKING":
		m.LaunchBlocking = value == "1"
		return value == "0" || value == "1"
	case "CUDA_SCALE_LAUNCH_QUEUES": // of 1024 places two are taken (L9: 254, 1022, 2046 and 4094 launches fit)
		scale, ok := map[string]int{"0.25x": 256, "0.5x": 512, "2x": 2048, "4x": 4096}[value]
		m.LaunchQueue = scale - 2
		return ok
	case "CUDA_MODULE_LOADING": // kernels are loaded before a repetition, however late
		return value == "EAGER" || value == "LAZY" || value == "DEFAULT"
	}
	return false
}
