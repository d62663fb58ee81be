//go:build gpu && cgo

package preflight

import (
	"fmt"
	"os"
	"strings"

	"github.com/NVIDIA/go-nvml/pkg/nvml"
)

// look opens NVML, reads, and closes it: nothing of it stays in the process.
func look(uuid string) (*GPU, []string) {
	lib := nvml.New()
	if ret := lib.Init(); ret != nvml.SUCCESS {
		return nil, []string{"the GPU: NVML cannot be used: " + ret.Error()}
	}
	defer lib.Shutdown()
	return read(lib, uuid)
}

// read asks for each fact on its own: containers and slices refuse some.
func read(lib nvml.Interface, uuid string) (g *GPU, unknown []string) {
	dev, ret := lib.DeviceGetHandleByUUID(spelled(uuid))
	if ret != nvml.SUCCESS {
		return nil, []string{"the GPU: NVML does not find " + spelled(uuid) + ": " + ret.Error()}
	}
	g = &GPU{UUID: spelled(uuid), Utilization: -1}
	known := func(what string, ret nvml.Return) bool {
		if ret != nvml.SUCCESS {
			unknown = append(unknown, what+": "+ret.Error())
		}
		return ret == nvml.SUCCESS
	}
	if name, ret := dev.GetName(); known("name", ret) {
		g.Name = name
	}
	if v, ret := lib.SystemGetDriverVersion(); known("driver", ret) {
		g.Driver = v
	}
	if mode, _, ret := dev.GetMigMode(); known("MIG", ret) {
		g.MIG = mode == nvml.DEVICE_MIG_ENABLE
	}
	if mode, ret := dev.GetComputeMode(); known("compute mode", ret) {
		g.ComputeMode = map[nvml.ComputeMode]string{nvml.COMPUTEMODE_DEFAULT: "default", nvml.COMPUTEMODE_PROHIBITED: "prohibited",
			nvml.COMPUTEMODE_EXCLUSIVE_PROCESS: "exclusive process"}[mode]
	}
	if mhz, ret := dev.GetClockInfo(nvml.CLOCK_SM); known("clocks", ret) {
		g.SMClock = int(mhz)
	}
	if mhz, ret := dev.GetMaxClockInfo(nvml.CLOCK_SM); known("most clocks", ret) {
		g.MaxClock = int(mhz)
	}
	if bits, ret := dev.GetCurrentClocksEventReasons(); known("clock reasons", ret) {
		g.Throttled = reasons(bits)
	}
	if u, ret := dev.GetUtilizationRates(); known("utilization", ret) {
		g.Utilization = int(u.Gpu)
	}
	if list, ret := dev.GetComputeRunningProcesses(); known("processes", ret) {
		g.Processes = others(list)
	}
	return g, unknown
}

// reasons names what holds clocks down. That the GPU is idle, or set to fixed clocks, does not.
func reasons(bits uint64) (names []string) {
	for _, r := range []struct {
		bit  uint64
		name string
	}{
		{nvml.ClocksEventReasonSwPowerCap, "power limit"}, {nvml.ClocksThrottleReasonHwSlowdown, "hardware slowdown"},
		{nvml.ClocksEventReasonSwThermalSlowdown, "temperature"}, {nvml.ClocksThrottleReasonHwThermalSlowdown, "hardware temperature limit"},
		{nvml.ClocksThrottleReasonHwPowerBrakeSlowdown, "external power brake"},
	} {
		if bits&r.bit != 0 {
			names = append(names, r.name)
		}
	}
	return names
}

// others leaves out this process and its parent: a suite and its worker.
func others(list []nvml.ProcessInfo) (p []Process) {
	for _, info := range list {
		if pid := int(info.Pid); pid != os.Getpid() && pid != os.Getppid() && !child(pid) {
			p = append(p, Process{PID: pid, Bytes: info.UsedGpuMemory})
		}
	}
	return p
}

// child says whether a process was started by this one. In a container NVML may name processes that are not seen here.
func child(pid int) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	_, rest, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(rest)
	return len(fields) > 1 && fields[1] == fmt.Sprint(os.Getpid())
}

// spelled is a UUID as NVML prints it.
func spelled(uuid string) string {
	if len(uuid) != 32 || strings.HasPrefix(uuid, "GPU-") {
		return uuid
	}
	return "GPU-" + strings.Join([]string{uuid[:8], uuid[8:12], uuid[12:16], uuid[16:20], uuid[20:]}, "-")
}
