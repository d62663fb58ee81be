package conform

import (
	"slices"
	"strings"

	"github.com/gpu-overlap/overlap/schedule"
)

// Shrink gives a smaller program for which fails still holds: none of its calls and declarations can be left out. What
// nothing names any more is gone, too. When fails does not hold for p, it gives p.
func Shrink(p *schedule.Program, fails func(*schedule.Program) bool) *schedule.Program {
	if !fails(p) {
		return p
	}
	lines := strings.Split(strings.TrimSuffix(Text(p), "\n"), "\n")
	for size := len(lines) / 2; size > 0; {
		smaller, shrunk := without(lines, size, fails)
		if shrunk == nil {
			size /= 2
			continue
		}
		// Printed anew, the threads stand only where they change.
		lines, p = smaller, shrunk
		size = min(size, max(1, len(lines)/2))
	}
	return p
}

// without leaves out the first part of so many lines that can be left out; nil when there is none.
func without(lines []string, size int, fails func(*schedule.Program) bool) ([]string, *schedule.Program) {
	for from := 0; from+size <= len(lines); from++ {
		rest := slices.Delete(slices.Clone(lines), from, from+size)
		p, err := Parse(strings.Join(rest, "\n") + "\n")
		if err == nil && fails(p) {
			return rest, p
		}
	}
	return nil, nil
}
