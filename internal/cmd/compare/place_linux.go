package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// places are the processors that this process may use, in ascending order.
func places() ([]int, error) {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		return nil, err
	}
	var list []int
	for cpu := 0; len(list) < set.Count(); cpu++ {
		if set.IsSet(cpu) {
			list = append(list, cpu)
		}
	}
	return list, nil
}

// place puts the first thread of a process, and of each process that it started, on one processor. That is the thread
// that issues: of ours the worker's. What a processor gives differs on a shared host by more than the peers do, so they
// take turns on the same one.
func place(pid, cpu int) error {
	var set unix.CPUSet
	set.Set(cpu)
	for _, p := range family(pid) {
		if err := unix.SchedSetaffinity(p, &set); err != nil {
			return fmt.Errorf("process %d cannot be put on processor %d: %w", p, cpu, err)
		}
	}
	return nil
}

// family is a process and what it started, as far as that still runs.
func family(pid int) []int {
	all := []int{pid}
	for i := 0; i < len(all); i++ {
		tasks, _ := os.ReadDir(fmt.Sprintf("/proc/%d/task", all[i]))
		for _, task := range tasks {
			text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%s/children", all[i], task.Name()))
			for _, child := range strings.Fields(string(text)) {
				if p, err := strconv.Atoi(child); err == nil {
					all = append(all, p)
				}
			}
		}
	}
	return all
}
