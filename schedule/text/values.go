package text

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gpu-overlap/overlap/schedule"
)

const (
	maxSlow  = schedule.MaxHostDelay
	maxBytes = schedule.MaxBytes
)

// variables are those that a case may set.
var variables = []string{"CUDA_DEVICE_MAX_CONNECTIONS", "CUDA_LAUNCH_BLOCKING", "CUDA_MODULE_LOADING",
	"CUDA_SCALE_LAUNCH_QUEUES"}

// variableValues say what a value may be.
var variableValues = map[string]string{
	"CUDA_DEVICE_MAX_CONNECTIONS": "a number from 1 to 32",
	"CUDA_LAUNCH_BLOCKING":        "0 or 1",
	"CUDA_MODULE_LOADING":         "DEFAULT, LAZY or EAGER",
	"CUDA_SCALE_LAUNCH_QUEUES":    "0.25x, 0.5x, 2x or 4x",
}

func variableValue(name, value string) bool {
	switch name {
	case "CUDA_DEVICE_MAX_CONNECTIONS":
		n, err := strconv.Atoi(value)
		return err == nil && 1 <= n && n <= 32 && strconv.Itoa(n) == value
	case "CUDA_LAUNCH_BLOCKING":
		return value == "0" || value == "1"
	case "CUDA_SCALE_LAUNCH_QUEUES":
		return value == "0.25x" || value == "0.5x" || value == "2x" || value == "4x"
	}
	return value == "DEFAULT" || value == "LAZY" || value == "EAGER"
}

// slowHost reads `slow host D`.
func (l *line) slowHost() (time.Duration, error) {
	if _, err := l.expect("host"); err != nil {
		return 0, err
	}
	return l.duration(maxSlow)
}

// env reads `env NAME=value` into a sorted list.
func (l *line) env(list []string) ([]string, error) {
	want := "NAME=value, the name one of " + strings.Join(variables, ", ")
	t, err := l.next(want)
	if err != nil {
		return nil, err
	}
	name, value, ok := strings.Cut(t.text, "=")
	switch {
	case !ok || value == "" || len(value) > maxName:
		return nil, l.errorf(t, want, "%s is not NAME=value", quoted(t.text))
	case !slices.Contains(variables, name):
		return nil, l.errorf(t, oneOf(name, variables), "unknown variable %s", quoted(name))
	case !variableValue(name, value):
		return nil, l.errorf(t, variableValues[name], "%s is no value of %s", quoted(value), name)
	case slices.ContainsFunc(list, func(e string) bool { return strings.HasPrefix(e, name+"=") }):
		return nil, l.errorf(t, "it once", "a second %s", name)
	}
	list = append(list, strings.Clone(t.text))
	slices.Sort(list)
	return list, l.end()
}

// share takes a whole percentage from 1 to 100.
func (l *line) share() (int32, error) {
	const want = "a whole percentage from 1% to 100%"
	t, err := l.next(want)
	if err != nil {
		return 0, err
	}
	number, found := strings.CutSuffix(t.text, "%")
	n, err := strconv.Atoi(number)
	if !found || err != nil || n < 1 || n > 100 || strings.Trim(number, "0123456789") != "" {
		return 0, l.errorf(t, want, "%s is not a share", quoted(t.text))
	}
	return int32(n), nil
}

// sizes are units of bytes, the largest first.
var sizes = []struct {
	name  string
	bytes int64
}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"B", 1}}

// size takes a number of bytes.
func (l *line) size() (int64, error) {
	const want = "a size as 64MiB: a whole number and one of B, KiB, MiB, GiB"
	t, err := l.next(want)
	if err != nil {
		return 0, err
	}
	for _, u := range sizes {
		number, ok := strings.CutSuffix(t.text, u.name)
		if !ok {
			continue
		}
		n, err := strconv.ParseInt(number, 10, 64)
		switch {
		case err != nil || strings.Trim(number, "0123456789") != "":
			return 0, l.errorf(t, want, "%s is not a size", quoted(t.text))
		case n < 1:
			return 0, l.errorf(t, "more than 0", "%s is not a positive size", quoted(t.text))
		case n > math.MaxInt64/u.bytes || n*u.bytes > maxBytes:
			return 0, l.errorf(t, "at most 64GiB", "%s is too large", quoted(t.text))
		}
		return n * u.bytes, nil
	}
	return 0, l.errorf(t, want, "%s is not a size", quoted(t.text))
}

// isSize says whether a word looks like a size: durations end in s.
func isSize(word string) bool { return strings.HasSuffix(word, "B") }

// formatSize prints a size in the largest unit of which it is a whole number.
func formatSize(n int64) string {
	for _, u := range sizes {
		if n%u.bytes == 0 {
			return fmt.Sprintf("%d%s", n/u.bytes, u.name)
		}
	}
	return fmt.Sprint(n)
}
