package text

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/schedule"
)

const languageFile = "../../docs/language.md"

// documented are the calls that the tables of a document with the head `call` list, in their order.
func documented(document string) (calls []string) {
	code := regexp.MustCompile("`([^`]+)`")
	listing := false
	for line := range strings.Lines(document) {
		cells := strings.Split(line, "|")
		switch {
		case len(cells) < 3:
			listing = false
		case strings.TrimSpace(cells[1]) == "call":
			listing = true
		case listing:
			for _, match := range code.FindAllStringSubmatch(cells[1], -1) {
				calls = append(calls, match[1])
			}
		}
	}
	return calls
}

// The document lists every form, and no call that is none.
func TestFormsAreDocumented(t *testing.T) {
	data, err := os.ReadFile(languageFile)
	require.NoError(t, err)
	listed := documented(string(data))
	var texts []string
	for _, f := range forms {
		texts = append(texts, f.text)
	}
	assert.ElementsMatch(t, texts, listed)
}

func TestDocumented(t *testing.T) {
	got := documented("| call | does |\n|---|---|\n| `a`, `b NUMBER` | see `c` |\n\n| line | says |\n|---|---|\n| `d` | |\n")
	assert.Equal(t, []string{"a", "b NUMBER"}, got)
}

// The document names every statement and every expectation. The causes have a page of their own.
func TestWordsAreDocumented(t *testing.T) {
	data, err := os.ReadFile(languageFile)
	require.NoError(t, err)
	document := string(data)
	for name := range statements {
		assert.Regexp(t, "(?m)(^|`)"+name+`\b`, document)
	}
	for _, name := range expectations {
		assert.Contains(t, document, "`"+name)
	}
	assert.Contains(t, document, "(causes.md)")
}

// Each form begins in a way of its own or is told from its neighbours by a later word, and no two are the same.
func TestFormsAreDistinct(t *testing.T) {
	var texts []string
	for i, f := range forms {
		if f.scope != shown {
			texts = append(texts, f.text)
		}
		require.LessOrEqual(t, len(words[i]), mostWords, f.text)
		for _, w := range words[i] {
			assert.False(t, w.operand == nil && strings.ToUpper(w.literal) == w.literal && w.literal != ":", "%s: %s is no operand", f.text, w.literal)
		}
		if f.verb != several {
			assert.True(t, f.scope >= least(f.verb.Role()), "%s: where may it stand?", f.text)
		}
	}
	slices.Sort(texts)
	assert.Equal(t, texts, slices.Compact(slices.Clone(texts)))
}

// least is where a call of a role may stand at the most.
func least(r schedule.Role) scope {
	switch r {
	case schedule.OfIssue:
		return everywhere
	case schedule.OfProgram:
		return inProgram
	}
	return inProbe
}

// Every verb can be printed.
func TestVerbsHaveForms(t *testing.T) {
	for v := range schedule.NumVerbs {
		assert.NotEmpty(t, byVerb[v], "%s: no form spells it", v.Call())
	}
}
