//go:build gpu && cgo

package preflight

import (
	"fmt"
	"os"
	"strconv"
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
		g.ComputeMode = map[nvml.ComputeMode]string{nvml.COMPUTEMODE_DEFAULT: "default",
			nvml.COMPUTEMODE_PROHIBITED:        "prohibited",
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
		var hidden int
		if g.Processes, hidden = others(list); hidden > 0 {
			unknown = append(unknown, fmt.Sprintf("processes: %d on the GPU cannot be seen from here; some may be ours",
				hidden))
		}
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
		{nvml.ClocksEventReasonSwThermalSlowdown, "temperature"},
		{nvml.ClocksThrottleReasonHwThermalSlowdown, "hardware temperature limit"},
		{nvml.ClocksThrottleReasonHwPowerBrakeSlowdown, "external power brake"},
	} {
		if bits&r.bit != 0 {
			names = append(names, r.name)
		}
	}
	return names
}

// others leaves out this process, its parent and its children: a suite and its workers. Those that a container does not
// show are only counted.
func others(list []nvml.ProcessInfo) (p []Process, hidden int) {
	for _, info := range list {
		pid := int(info.Pid)
		parent, seen := parentOf(pid)
		switch {
		case !seen:
			hidden++
		case pid != os.Getpid() && pid != os.Getppid() && parent != os.Getpid():
			p = append(p, Process{PID: pid, Bytes: info.UsedGpuMemory})
		}
	}
	return p, hidden
}

func parentOf(pid int) (parent int, seen bool) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, false
	}
	_, rest, _ := strings.Cut(string(text), ") ") // the name may hold anything
	fields := strings.Fields(rest)
	if len(fields) > 1 {
		parent, _ = strconv.Atoi(fields[1])
	}
	return parent, true
}

// spelled is a UUID as NVML prints it.
func spelled(uuid string) string {
	if len(uuid) != 32 || strings.HasPrefix(uuid, "GPU-") {
		return uuid
	}
	return "GPU-" + strings.Join([]string{uuid[:8], uuid[8:12], uuid[12:16], uuid[16:20], uuid[20:]}, "-")
}
