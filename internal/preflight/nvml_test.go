//go:build gpu && cgo

package preflight

import (
	"os"
	"testing"

	"github.com/NVIDIA/go-nvml/pkg/nvml"
	"github.com/NVIDIA/go-nvml/pkg/nvml/mock"
	"github.com/stretchr/testify/assert"
)

const uuid = "0123456789abcdef0123456789abcdef"

func fakeNVML(dev *mock.Device) nvml.Interface {
	return &mock.Interface{
		SystemGetDriverVersionFunc: func() (string, nvml.Return) { return "580.1", nvml.SUCCESS },
		DeviceGetHandleByUUIDFunc: func(s string) (nvml.Device, nvml.Return) {
			if s != "GPU-01234567-89ab-cdef-0123-456789abcdef" {
				return nil, nvml.ERROR_NOT_FOUND
			}
			return dev, nvml.SUCCESS
		},
	}
}

func busyDevice() *mock.Device {
	return &mock.Device{
		GetNameFunc:    func() (string, nvml.Return) { return "fake", nvml.SUCCESS },
		GetMigModeFunc: func() (int, int, nvml.Return) { return nvml.DEVICE_MIG_ENABLE, 0, nvml.SUCCESS },
		GetComputeModeFunc: func() (nvml.ComputeMode,
			nvml.Return) {
			return nvml.COMPUTEMODE_EXCLUSIVE_PROCESS, nvml.SUCCESS
		},
		GetClockInfoFunc:    func(nvml.ClockType) (uint32, nvml.Return) { return 1200, nvml.SUCCESS },
		GetMaxClockInfoFunc: func(nvml.ClockType) (uint32, nvml.Return) { return 1980, nvml.SUCCESS },
		GetCurrentClocksEventReasonsFunc: func() (uint64, nvml.Return) {
			return nvml.ClocksEventReasonSwPowerCap | nvml.ClocksEventReasonGpuIdle, nvml.SUCCESS
		},
		GetUtilizationRatesFunc: func() (nvml.Utilization,
			nvml.Return) {
			return nvml.Utilization{Gpu: 60}, nvml.SUCCESS
		},
		GetComputeRunningProcessesFunc: func() ([]nvml.ProcessInfo, nvml.Return) {
			return []nvml.ProcessInfo{{Pid: uint32(os.Getpid())}, {Pid: 1, UsedGpuMemory: 9}, {Pid: 4194305}},
				nvml.SUCCESS
		},
	}
}

func TestRead(t *testing.T) {
	g, unknown := read(fakeNVML(busyDevice()), uuid)
	assert.Equal(t, []string{"processes: 1 on the GPU cannot be seen from here; some may be ours"}, unknown)
	assert.Equal(t, &GPU{Name: "fake", UUID: "GPU-01234567-89ab-cdef-0123-456789abcdef", Driver: "580.1", MIG: true,
		ComputeMode: "exclusive process", SMClock: 1200, MaxClock: 1980, Throttled: []string{"power limit"},
		Utilization: 60,
		Processes:   []Process{{PID: 1, Bytes: 9}}}, g)
}

// What is refused is unknown, and everything else is still there.
func TestReadRefused(t *testing.T) {
	dev := busyDevice()
	dev.GetMigModeFunc = func() (int, int, nvml.Return) { return 0, 0, nvml.ERROR_NOT_SUPPORTED }
	dev.GetComputeRunningProcessesFunc = func() ([]nvml.ProcessInfo,
		nvml.Return) {
		return nil, nvml.ERROR_NO_PERMISSION
	}
	dev.GetUtilizationRatesFunc = func() (nvml.Utilization,
		nvml.Return) {
		return nvml.Utilization{}, nvml.ERROR_UNKNOWN
	}
	g, unknown := read(fakeNVML(dev), uuid)
	assert.Len(t, unknown, 3)
	assert.False(t, g.MIG)
	assert.Equal(t, -1, g.Utilization)
	assert.Equal(t, 1200, g.SMClock)

	g, unknown = read(fakeNVML(dev), "GPU-other")
	assert.Nil(t, g)
	assert.Len(t, unknown, 1)
}
