package overlaptest_test

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/overlaptest"
)

// A flag of the test's own, which counts as -overlap.update does.
var _ = flag.Bool("update", false, "rewrite the goldens of the cases")

const (
	good = "Why.\n-- schedule --\nmain: fork a b\na: computation A 1ms\nb: communication B 1ms\nmain: join a b\n" +
		"-- expect --\n"
	// late has the same ops on one stream.
	late = "Why.\n-- schedule --\nmain: fork a\na: computation A 1ms\na: communication B 1ms\nmain: join a\n" +
		"-- expect --\n"
	// unordered is what the calls alone decide, however few the samples are.
	unordered = "Why.\n-- schedule --\nmain: fork a b\na: computation A 1ms\nb: communication B 1ms after A\n" +
		"b: communication C 1ms\nmain: join a b\n-- expect --\nverdict missing order\n"
	untimed = "Why.\n-- program --\nstream a\na: computation A 1ms\n-- expect --\n"
)

func TestPassAndFail(t *testing.T) {
	for name, c := range map[string]row{
		"as expected": {files: map[string]string{"x": good, "y": unordered}, passes: true, says: []string{
			"device sim, machine ideal (simulated)", "--- PASS: TestChild/x",
			"--- PASS: TestChild/y"}, not: "verdict:"},
		"attributes": {files: map[string]string{"x": good}, passes: true, says: []string{
			"ATTR  TestChild/x verdict met\n", "ATTR  TestChild/x serial_ns 2000000\n",
			"ATTR  TestChild/x ideal_ns 1000000\n", "ATTR  TestChild/x scheduled_ns 1000000\n",
			"ATTR  TestChild/x giant_ns 2000000\n", "ATTR  TestChild/x eager_ns 1000000\n",
			"ATTR  TestChild/x replay_ns 1000000\n"}, not: "_account"},
		"a miss fails with its report": {files: map[string]string{"x": good, "y": late}, says: []string{
			"--- PASS: TestChild/x", "--- FAIL: TestChild/y", "y.txtar: verdict is serial by stream",
			"verdict: serial by stream: B waits for A on stream a", "expected (as early as the calls allow):",
			"measured:",
			"ATTR  TestChild/y change put B on another stream\n", "ATTR  TestChild/y eager_account ops 2ms\n"}},
		"no file": {says: []string{"no case file matches"}},
		"no case": {files: map[string]string{"x": "Why.\n-- schedule --\nmain: fly\n-- expect --\n"},
			says: []string{"x.txtar:3: "}},
		"a case that cannot be run": {files: map[string]string{"x": untimed},
			says: []string{"none of which is timed"}},
		"repeats": {scenario: "each", files: map[string]string{"x": good}, flag: "-overlap.repeat=3", passes: true,
			says: []string{"repeat 0 of x", "repeat 2 of x"}, not: "repeat 3"},
		"too long": {scenario: "each", files: map[string]string{"x": good}, flag: "-overlap.longest=999us",
			passes: true, not: "repeat"},
		"not too long": {scenario: "each", files: map[string]string{"x": good}, flag: "-overlap.longest=1ms",
			passes: true, says: []string{"repeat 0 of x"}},
	} {
		t.Run(name, c.run)
	}
}

// What the samples do not decide is skipped, or fails, and too much of it fails.
func TestInconclusive(t *testing.T) {
	for name, c := range map[string]row{
		"skips": {files: undecided(1), passes: true, says: []string{"--- SKIP: TestChild/open0", "inconclusive: "},
			not: "want at most"},
		"fails": {files: undecided(1), flag: "-overlap.inconclusive=fail", says: []string{"--- FAIL: TestChild/open0"},
			not: "SKIP"},
		"more than a tenth": {files: undecided(2), says: []string{"2 of 11 cases are inconclusive; want at most 10%"}},
		"of repeats it is said": {files: undecided(1), flag: "-overlap.repeat=2", passes: true,
			says: []string{"--- PASS: TestChild/open0", "inconclusive: "}},
		"neither": {files: undecided(1), flag: "-overlap.inconclusive=maybe",
			says: []string{"-overlap.inconclusive=maybe; want skip or fail"}, not: "TestChild/"},
	} {
		c.scenario = "few samples"
		t.Run(name, c.run)
	}
}

// row is a scenario and what must come of it.
type row struct {
	scenario string // "cases" when empty
	files    map[string]string
	flag     string
	passes   bool
	says     []string // what is printed, among other things
	not      string   // what is not; "" when anything may be
}

func (c row) run(t *testing.T) {
	printed, passed := child(t, cmp.Or(c.scenario, "cases"), folder(t, c.files), c.flag)
	assert.Equal(t, c.passes, passed, printed)
	for _, part := range c.says {
		assert.Contains(t, printed, part)
	}
	if c.not != "" {
		assert.NotContains(t, printed, c.not)
	}
}

// undecided are nine cases that few samples decide, and n that they do not.
func undecided(n int) map[string]string {
	files := map[string]string{}
	for i := range 9 {
		files[fmt.Sprintf("x%d", i)] = unordered
	}
	for i := range n {
		files[fmt.Sprintf("open%d", i)] = good
	}
	return files
}

// Goldens are rewritten once, by either flag, and leave the run red; where they stand already it is green.
func TestUpdate(t *testing.T) {
	for _, flag := range []string{"-overlap.update", "-update"} {
		t.Run(flag, func(t *testing.T) {
			dir := folder(t, map[string]string{"x": good})
			printed, passed := child(t, "cases", dir, flag)
			assert.False(t, passed)
			assert.Contains(t, printed, "x.txtar: goldens rewritten; look at the difference")
			data, err := os.ReadFile(filepath.Join(dir, "x.txtar"))
			require.NoError(t, err)
			assert.Contains(t, string(data), good)
			c := overlaptest.Parse(t, filepath.Join(dir, "x.txtar"))
			assert.Contains(t, c.Graph, "A [kind=kernel]")
			assert.Contains(t, c.Lanes, "replay\n")

			printed, passed = child(t, "cases", dir, flag)
			assert.True(t, passed, printed)
			printed, passed = child(t, "cases", dir)
			assert.True(t, passed, printed)
		})
	}
	t.Run("times that are not exact", func(t *testing.T) {
		dir := folder(t, map[string]string{"x": good})
		printed, passed := child(t, "few samples", dir, "-overlap.update")
		assert.True(t, passed)
		assert.Contains(t, printed, "goldens are taken on machine ideal")
		data, err := os.ReadFile(filepath.Join(dir, "x.txtar"))
		require.NoError(t, err)
		assert.Equal(t, good, string(data))
	})
}

// A device that is not there skips the test, or fails it where one is needed; a name that is wrong fails it anyway.
func TestOpen(t *testing.T) {
	printed, passed := child(t, "no GPU", "")
	assert.True(t, passed, printed)
	assert.Contains(t, printed, "--- SKIP: TestChild")
	assert.Contains(t, printed, "no device: ")

	for variable, flag := range map[string]string{
		"OVERLAP_NEED_DEVICE=": "-overlap.need-device", "OVERLAP_NEED_DEVICE=1": ""} {
		printed, passed = childWith(t, variable, "no GPU", "", flag)
		assert.False(t, passed, variable)
		assert.Contains(t, printed, "--- FAIL: TestChild")
		assert.NotContains(t, printed, "there is one")
	}

	printed, passed = child(t, "no machine", "")
	assert.False(t, passed)
	assert.Contains(t, printed, `no simulated machine is named "h2000"; there are: ideal, h200`)
	assert.NotContains(t, printed, "there is one")
}
