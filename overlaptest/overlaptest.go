// Package overlaptest makes Go tests of case files: each file of a folder a subtest that runs it on a device, eagerly
// and as a replayed graph, and fails with the report unless the case gave what it expects.
//
//	func TestSchedules(t *testing.T) {
//		overlaptest.Cases(t, overlaptest.Open(t, overlap.DefaultDevice(), "h200"), "testdata/*.txtar")
//	}
//
// A device that cannot be used skips the test and says why. An inconclusive case skips with its reason, until more than
// a tenth of a folder is. The verdict, the times and what was found stand in the attributes of each test, which JUnit
// reports keep. Flags, behind -args or behind the package on the command line of go test:
//
//	-overlap.update              rewrite the goldens of the cases, and leave the run red; a test's own -update does the same
//	-overlap.inconclusive=fail   fail where the samples do not decide
//	-overlap.need-device         fail, instead of skipping, without a device; so does OVERLAP_NEED_DEVICE=1
//	-overlap.reps=N              repetitions of each mode; 0 chooses by the length of the case
//	-overlap.repeat=N            sample and judge each case N times; it must give what it expects each time
//	-overlap.longest=D           leave out cases with an op that is longer
package overlaptest

import (
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gpu-overlap/overlap"
	"github.com/gpu-overlap/overlap/gpu"
)

var (
	update       = flag.Bool("overlap.update", false, "rewrite the goldens of the cases, and leave the run red")
	inconclusive = flag.String("overlap.inconclusive", "skip", "what an inconclusive case is: skip or fail")
	needDevice   = flag.Bool("overlap.need-device", os.Getenv("OVERLAP_NEED_DEVICE") == "1",
		"fail, instead of skipping, when the device cannot be used")
	reps   = flag.Int("overlap.reps", 0, "repetitions of each mode; 0 chooses by the length of the case")
	repeat = flag.Int("overlap.repeat", 1,
		"sample and judge each case this often, and fail when one time is not as expected")
	longest = flag.Duration("overlap.longest", 0, "leave out cases with an op that is longer; 0 leaves out none")
)

// Suite says how cases are run. The zero value runs each once and skips what is inconclusive.
type Suite struct {
	Options overlap.Options
	Repeat  int           // how often each case is sampled and judged; 0 is once
	Longest time.Duration // leave out cases with an op that is longer; 0 leaves out none
	// FailInconclusive fails where the samples do not decide, instead of skipping.
	FailInconclusive bool
	// Update rewrites the goldens of the cases on a device whose times are exact, and leaves the run red.
	Update bool
	// Each is called with every result, repeat by repeat; nil for not.
	Each func(t *testing.T, repeat int, r *overlap.Result)
}

// FromFlags is what the flags of the test binary say; a flag -update of the test's own counts as well.
func FromFlags(t testing.TB) Suite {
	t.Helper()
	if !slices.Contains([]string{"skip", "fail"}, *inconclusive) {
		t.Fatalf("-overlap.inconclusive=%s; want skip or fail", *inconclusive)
	}
	s := Suite{Options: overlap.Options{Reps: *reps}, Repeat: *repeat, Longest: *longest,
		FailInconclusive: *inconclusive == "fail", Update: *update}
	if own := flag.Lookup("update"); own != nil && own.Value.String() == "true" {
		s.Update = true
	}
	return s
}

// Open opens a device as overlap.Open does and closes it with the test. A device that cannot be used skips the test
// with the reason, or fails it with -overlap.need-device.
func Open(t testing.TB, device, machine string) gpu.Device {
	t.Helper()
	dev, err := overlap.Open(context.Background(), device, machine)
	var gone *gpu.Unavailable
	switch {
	case errors.As(err, &gone) && !*needDevice:
		t.Skipf("no device: %v", gone)
	case err != nil:
		t.Fatal(err)
	}
	t.Cleanup(func() { dev.Close() })
	return dev
}

// Cases runs the case files that match a pattern of filepath.Glob, each a subtest named after its case, as the flags
// say. That no file matches is a failure.
func Cases(t *testing.T, dev gpu.Device, pattern string) {
	t.Helper()
	FromFlags(t).Cases(t, dev, pattern)
}

// Cases runs the case files that match a pattern of filepath.Glob, each a subtest named after its case. That no file
// matches is a failure, and so is that more than a tenth of them are inconclusive.
func (s Suite) Cases(t *testing.T, dev gpu.Device, pattern string) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no case file matches %s; want the path of *.txtar files, from the folder of the test", pattern)
	}
	if s.Update && !dev.Info().Exact {
		t.Skipf("goldens are taken on machine ideal, not on %s", dev.Info().Name)
	}
	t.Logf("%s", overlap.Headline(dev.Info()))
	var count tally
	for _, file := range files {
		c := Parse(t, file)
		if s.Longest > 0 && slices.ContainsFunc(c.Schedule.Intent.Durations(),
			func(d time.Duration) bool { return d > s.Longest }) {
			continue
		}
		t.Run(c.Name, func(t *testing.T) { s.run(t, dev, c, &count) })
	}
	if count.tooMany() {
		t.Errorf("%d of %d cases are inconclusive; want at most %v%%", count.undecided, count.run, 100*mostInconclusive)
	}
}

// Parse reads a case file; one that cannot be read, or is no case, ends the test.
func Parse(t testing.TB, file string) *overlap.Case {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	c, err := overlap.ParseCase(file, data)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func (s Suite) run(t *testing.T, dev gpu.Device, c *overlap.Case, count *tally) {
	t.Helper()
	results, err := overlap.Repeat(t.Context(), dev, c, s.Options, max(s.Repeat, 1))
	if err != nil {
		t.Fatal(err)
	}
	if s.Update {
		rewrite(t, c.File, results[0])
		return
	}
	Attributes(t, results[0])
	for i, r := range results {
		if s.Each != nil {
			s.Each(t, i, r)
		}
		s.judge(t, r, count, len(results))
	}
}

// judge fails the test unless the case gave what it expects. An inconclusive case is a skip with its reason, or, of
// many repeats, a line in the log.
func (s Suite) judge(t *testing.T, r *overlap.Result, count *tally, of int) {
	t.Helper()
	count.run++
	if len(r.Failures) == 0 {
		return
	}
	if !r.Inconclusive() || s.FailInconclusive {
		t.Errorf("%s\n%s", failures(r), overlap.Report(r))
		return
	}
	count.undecided++
	t.Logf("inconclusive: %s\n%s", r.Verdict, overlap.Report(r))
	if of == 1 {
		t.Skip("inconclusive: " + r.Verdict.String())
	}
}

func failures(r *overlap.Result) string {
	var lines []string
	for _, f := range r.Failures {
		lines = append(lines, f.String())
	}
	return strings.Join(lines, "\n")
}

// mostInconclusive is the share of cases that may be inconclusive before the suite itself fails.
const mostInconclusive = 0.1

// tally counts what was run, and what the samples did not decide.
type tally struct{ run, undecided int }

func (c *tally) tooMany() bool { return float64(c.undecided) > mostInconclusive*float64(c.run) }
