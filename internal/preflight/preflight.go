// Package preflight looks at the environment before anything is judged: variables, and, in a binary built with the tag
// gpu, the GPU's modes, clocks and processes through NVML. Check is a pure function of what was found; what makes
// overlap impossible comes first.
package preflight

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
)

// Severity says what a finding means for a verdict.
type Severity uint8

const (
	Impossible Severity = iota // no schedule that is issued call by call can overlap
	Warning                    // times or overlap may be other than they should be
	Note                       // worth knowing when two runs differ
)

func (s Severity) String() string { return [...]string{"impossible", "warning", "note"}[s] }

// Finding is one thing that stands out, in words a person can act on.
type Finding struct {
	Severity Severity
	What     string // "CUDA_LAUNCH_BLOCKING=1 makes every launch wait for its kernel"
	Fix      string
}

func (f Finding) String() string { return fmt.Sprintf("%s: %s; %s", f.Severity, f.What, f.Fix) }

// Facts are what was found. Fields that are not known have their zero value, or what they say.
type Facts struct {
	Start []string // variables, NAME=value, as they were when the process started
	Now   []string // as they are for what touches the GPU
	MPS   bool     // a control daemon's pipe is there
	GPU   *GPU     // nil when it was not looked at
	// Unknown says why, for what could not be found out: "clocks: Not Supported".
	Unknown []string
}

// GPU is what NVML says of a GPU. Clocks are in MHz, 0 when not known.
type GPU struct {
	Name, UUID, Driver string
	MIG                bool
	ComputeMode        string // default, prohibited, exclusive process; empty when not known
	SMClock, MaxClock  int
	Throttled          []string // reasons why clocks are lower than they could be, idle and settings excluded
	Utilization        int      // per cent in the last sample period; -1 when not known
	Processes          []Process
}

// Process is another process that uses the GPU.
type Process struct {
	PID   int
	Bytes uint64 // of GPU memory; 0 when not known
}

// atStart is the environment of the process before any of its code could change it.
var atStart = os.Environ()

// mpsPipe is where the control daemon of MPS listens unless CUDA_MPS_PIPE_DIRECTORY says otherwise.
const mpsPipe = "/tmp/nvidia-mps"

// Look finds the facts. uuid names the GPU, as 32 hex digits or as NVML prints it; empty looks at no GPU. env are
// variables that a worker gets beside those of this process.
func Look(uuid string, env []string) Facts {
	f := Facts{Start: ours(append(slices.Clone(atStart), env...)), Now: ours(append(os.Environ(), env...))}
	pipe := value(f.Now, "CUDA_MPS_PIPE_DIRECTORY")
	if pipe == "" {
		pipe = mpsPipe
	}
	if _, err := os.Stat(pipe + "/control"); err == nil {
		f.MPS = true
	}
	if uuid == "" {
		f.Unknown = append(f.Unknown, "the GPU: none was named; --gpu does, in a binary built with the tag gpu")
		return f
	}
	var unknown []string
	f.GPU, unknown = look(uuid)
	f.Unknown = append(f.Unknown, unknown...)
	return f
}

// ours are the variables that CUDA and NCCL read, sorted; of several values of one, the last, as a process sees it.
func ours(env []string) []string {
	var list []string
	seen := map[string]bool{}
	for _, e := range slices.Backward(env) {
		name, _, _ := strings.Cut(e, "=")
		if (strings.HasPrefix(name, "CUDA_") || strings.HasPrefix(name, "NCCL_")) && !seen[name] {
			seen[name] = true
			list = append(list, e)
		}
	}
	slices.Sort(list)
	return list
}

func value(env []string, name string) string {
	for _, e := range env {
		if v, ok := strings.CutPrefix(e, name+"="); ok {
			return v
		}
	}
	return ""
}

// Check says what stands out, what makes overlap impossible first.
func Check(f Facts) []Finding {
	var list []Finding
	add := func(s Severity, what, fix string) { list = append(list, Finding{s, what, fix}) }
	if on(value(f.Now, "CUDA_LAUNCH_BLOCKING")) {
		add(Impossible, LaunchBlocking, "unset it")
	}
	connections(f, add)
	if v := value(f.Now, "CUDA_MODULE_LOADING"); v != "" {
		add(Note, "CUDA_MODULE_LOADING="+v,
			"here every kernel is loaded before anything is timed, so it changes nothing")
	}
	if f.MPS {
		add(Warning, "an MPS daemon is running: other processes may share the SMs", "stop it, or expect foreign load")
	}
	if f.GPU != nil {
		f.GPU.check(add)
	}
	slices.SortStableFunc(list, func(a, b Finding) int { return cmp.Compare(a.Severity, b.Severity) })
	return list
}

// LaunchBlocking is the finding that no eager schedule survives.
const LaunchBlocking = "CUDA_LAUNCH_BLOCKING=1 makes every launch wait for its kernel"

func on(v string) bool {
	n, err := strconv.Atoi(v)
	return err == nil && n != 0
}

func connections(f Facts, add func(Severity, string, string)) {
	const name = "CUDA_DEVICE_MAX_CONNECTIONS"
	now, start := value(f.Now, name), value(f.Start, name)
	if now != start {
		was := start
		if was == "" {
			was = "not set"
		}
		add(Warning, fmt.Sprintf("%s=%s was set after the process started: a driver that was touched before still uses what was there (%s)", name, now, was),
			"set it before the process starts")
	}
	if now == "" {
		return
	}
	n, err := strconv.Atoi(now)
	switch {
	case err != nil || n < 1 || n > 32:
		add(Warning, fmt.Sprintf("%s=%s is not from 1 to 32, and ignored", name, now), "unset it: the default is 8")
	case n == 1:
		add(Warning, name+"=1 leaves all streams one hardware queue: what is issued first holds up what is ready",
			"unset it, or issue what is ready first")
	}
}

func (g *GPU) check(add func(Severity, string, string)) {
	if len(g.Throttled) > 0 {
		add(Warning, "clocks are held down: "+strings.Join(g.Throttled, ", "), "cool the GPU, or raise its power limit")
	}
	if len(g.Processes) > 0 {
		var pids []string
		for _, p := range g.Processes {
			pids = append(pids, strconv.Itoa(p.PID))
		}
		add(Warning, "other processes use the GPU: "+strings.Join(pids, ", "), "end them, or use another GPU")
	}
	const idle = 5
	if g.Utilization > idle {
		add(Warning, fmt.Sprintf("the GPU is %d %% busy before anything of ours runs", g.Utilization),
			"find what uses it")
	}
	if g.MIG {
		add(Note, "MIG is on: the GPU is a slice with a part of the SMs", "compare only with runs on the same slice")
	}
	if g.ComputeMode == "prohibited" {
		add(Impossible, "the GPU's compute mode prohibits contexts", "nvidia-smi -c DEFAULT")
	} else if g.ComputeMode == "exclusive process" {
		add(Note, "the GPU's compute mode lets one process use it",
			"nvidia-smi -c DEFAULT for tests with a worker of their own environment")
	}
}

// Stop is the first finding that makes overlap of eager calls impossible; empty when there is none.
func Stop(list []Finding) string {
	if len(list) > 0 && list[0].Severity == Impossible {
		return list[0].What
	}
	return ""
}
