package overlap_test

import (
	"errors"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap"
	"github.com/gpu-overlap/overlap/gpu/sim"
)

// mostReadme is how large README.md may be, in bytes: it is read in one go.
const mostReadme = 8192

// README's code is that of the examples, which run; its case is theirs, and what it shows of reports is printed so.
func TestReadme(t *testing.T) {
	page := sourceFile(t, "README.md")
	assert.LessOrEqual(t, len(page), mostReadme)
	blocks := fenced(page)

	code := sourceFile(t, "example_test.go") + sourceFile(t, "overlaptest/example_test.go")
	shown := slices.DeleteFunc(slices.Clone(blocks), func(b block) bool { return b.language != "go" })
	require.Len(t, shown, 2)
	for _, b := range shown {
		assert.Contains(t, code, b.text, "README's code is not that of the examples")
	}
	assert.Contains(t, blocks, block{"", lateEvent}, "README's case is not that of the example")

	reference, err := overlap.Reference()
	require.NoError(t, err)
	late, err := overlap.ParseCase("late_event.txtar", []byte(lateEvent))
	require.NoError(t, err)
	for begins, c := range map[string]*overlap.Case{"device sim,": reference, "verdict: over-wide wait": late} {
		report := func(b block) bool { return strings.HasPrefix(b.text, begins) }
		i := slices.IndexFunc(blocks, report)
		require.GreaterOrEqual(t, i, 0, "README shows no report that begins with %q", begins)
		dev := sim.Open(sim.Ideal)
		res, err := overlap.Run(t.Context(), dev, c, overlap.Options{})
		require.NoError(t, err)
		said := overlap.Headline(dev.Info()) + "\n" + overlap.Report(res)
		assert.Empty(t, missing(blocks[i].text, said), "README shows a report that reads\n%s", said)
	}
}

// block is a piece of a page between fences.
type block struct{ language, text string }

var fence = regexp.MustCompile("(?ms)^```(\\w*)\n(.*?)^```$")

func fenced(page string) (blocks []block) {
	for _, m := range fence.FindAllStringSubmatch(page, -1) {
		blocks = append(blocks, block{m[1], m[2]})
	}
	return blocks
}

// missing gives the first part of a shortened text, between lines that are …, that does not stand in the whole one
// after the parts before it; empty when all do.
func missing(shortened, whole string) string {
	for part := range strings.SplitSeq(shortened, "…\n") {
		_, rest, found := strings.Cut("\n"+whole, "\n"+part)
		if !found {
			return part
		}
		whole = rest
	}
	return ""
}

func TestMissing(t *testing.T) {
	const whole = "a\nb\nc\nd\n"
	for shortened, want := range map[string]string{
		whole: "", "a\n…\nd\n": "", "…\nc\n…\n": "", "…\n": "",
		"a\nc\n": "a\nc\n", "c\n…\nb\n": "b\n", "a\n…\na\n": "a\n", "e\n": "e\n", "…\n\n": "\n",
	} {
		assert.Equal(t, want, missing(shortened, whole), "%q", shortened)
	}
	assert.Equal(t, []block{{"go", "x\n"}, {"", "y\nz\n"}}, fenced("a\n```go\nx\n```\nb\n```\ny\nz\n```\n"))
}

// sourceFile is a file of the source, which a test binary that was taken elsewhere has not.
func sourceFile(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Stat("go.mod"); errors.Is(err, fs.ErrNotExist) {
			t.Skip("the source is not here")
		}
	}
	require.NoError(t, err)
	return string(data)
}
