package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const report = `<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="4">
	<testsuite name="m/a">
		<testcase classname="m/a" name="TestA"></testcase>
		<testcase classname="m/a" name="TestB/one"><skipped message="no GPU"></skipped></testcase>
	</testsuite>
	<testsuite name="m/b">
		<testcase classname="m/b" name="TestC"><skipped message="no GPU"></skipped></testcase>
		<testcase classname="m/b" name="TestD"></testcase>
	</testsuite>
</testsuites>
`

func TestProblems(t *testing.T) {
	tests, err := read([]byte(report))
	require.NoError(t, err)
	require.Len(t, tests, 4)
	for name, c := range map[string]struct {
		floor string
		want  []string
	}{
		"enough":             {"tests 2 # of 4\nskip TestB/*\nskip TestC\n", nil},
		"too few":            {"tests 3\nskip TestB/one\nskip TestC\n", []string{"2 tests ran; 3 must"}},
		"a skip not allowed": {"tests 2\nskip TestB/*\n", []string{"m/b TestC was skipped; no line allows it"}},
		"a star stands alone": {"tests 2\nskip *\nskip TestB/*\n",
			[]string{"m/b TestC was skipped; no line allows it"}},
		"no prefix of a name": {"tests 2\nskip TestC\nskip TestB\n",
			[]string{"m/a TestB/one was skipped; no line allows it"}},
	} {
		t.Run(name, func(t *testing.T) {
			f, err := parse(c.floor)
			require.NoError(t, err)
			assert.Equal(t, c.want, f.problems(tests))
		})
	}
	f, err := parse("tests 1\n")
	require.NoError(t, err)
	assert.Equal(t, []string{"0 tests ran; 1 must"}, f.problems(nil))
}

func TestParseRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                   "0: no line \"tests N\"",
		"# none\n":           "1: no line \"tests N\"",
		"tests 0\n":          "1: \"0\" is no number of tests",
		"tests many\n":       "1: \"many\" is no number of tests",
		"tests 1\ntests 2\n": "2: want one line \"tests N\" and lines \"skip NAME\"",
		"tests 1\nskip\n":    "2: want one line \"tests N\" and lines \"skip NAME\"",
	} {
		_, err := parse(text)
		assert.EqualError(t, err, want, text)
	}
}

func TestRun(t *testing.T) {
	path := filepath.Join(t.TempDir(), "junit.xml")
	require.NoError(t, os.WriteFile(path, []byte(report), 0o666))
	const skips = "skip TestB/*\nskip TestC\n"
	assert.NoError(t, run("f", "tests 2\n"+skips, []string{path}))
	assert.NoError(t, run("f", "tests 4\n"+skips, []string{path, path}))
	assert.ErrorContains(t, run("f", "tests 5\n"+skips, []string{path, path}), "1 problems")
	assert.ErrorContains(t, run("f", "tests 1\n", nil), "1 problems")
	assert.ErrorContains(t, run("f", "", []string{path}), "f:0: no line")
	assert.Error(t, run("f", "tests 1\n", []string{path + ".none"}))
	require.NoError(t, os.WriteFile(path, []byte(strings.Repeat("x", 9)), 0o666))
	assert.Error(t, run("f", "tests 1\n", []string{path}))
}
