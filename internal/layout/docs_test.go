package layout

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const plan = "docs/how-it-is-built.md"

// pages are those whose links must lead somewhere.
func pages(t *testing.T, dir string) map[string]string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, "docs/*.md"))
	require.NoError(t, err)
	require.NotEmpty(t, found)
	texts := map[string]string{}
	for _, name := range []string{"README.md", "CONTRIBUTING.md", "CHANGELOG.md"} {
		found = append(found, filepath.Join(dir, name))
	}
	for _, path := range found {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		name, err := filepath.Rel(dir, path)
		require.NoError(t, err)
		texts[name] = string(text)
	}
	return texts
}

func TestLinks(t *testing.T) {
	dir := source(t)
	there := func(path string) bool { _, err := os.Stat(filepath.Join(dir, path)); return err == nil }
	problems := linkProblems(pages(t, dir), there)
	assert.Empty(t, problems, strings.Join(problems, "\n"))
}

func TestLinkProblems(t *testing.T) {
	there := func(path string) bool { return slices.Contains([]string{".", "a.md", "docs/b.md", "docs", "c"}, path) }
	assert.Empty(t, linkProblems(map[string]string{
		"a.md": "[b](docs/b.md) [c](https://x/y) [c](c) [a head](docs/b.md#what-h200-predicts), `[no](link)`",
		"docs/b.md": "## What h200 predicts\n[a](../a.md) [up](..) [here](#what-h200-predicts)\n" +
			"```\n[no](link)\n```\n",
	}, there))
	assert.Equal(t, []string{
		"a.md links to docs/a.md, which is not there",
		"docs/b.md links to #two, and docs/b.md has no such head",
		"docs/b.md links to ../../x, which lies outside of the tree",
		"docs/b.md links to b.md#three, and docs/b.md has no such head",
	}, linkProblems(map[string]string{"a.md": "[x](docs/a.md)",
		"docs/b.md": "# One\n[x](#two)[x](b.md#three)\n[x](../../x)"}, there))
}

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ +(.*)$`)
	notText = regexp.MustCompile("(?ms)^```.*?^```$|`[^`\n]*`")
	notSlug = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// linkProblems holds the relative links of pages, texts by their paths from the root, against what is there.
func linkProblems(texts map[string]string, there func(path string) bool) (problems []string) {
	for _, page := range slices.Sorted(maps.Keys(texts)) {
		for _, m := range link.FindAllStringSubmatch(notText.ReplaceAllString(texts[page], ""), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			path, head, _ := strings.Cut(m[1], "#")
			to := page
			if path != "" {
				to = filepath.Join(filepath.Dir(page), path)
			}
			switch {
			case strings.HasPrefix(to, ".."):
				problems = append(problems, fmt.Sprintf("%s links to %s, which lies outside of the tree", page, m[1]))
			case !there(to):
				problems = append(problems, fmt.Sprintf("%s links to %s, which is not there", page, m[1]))
			case head != "" && !slices.Contains(slugs(texts[to]), head):
				problems = append(problems, fmt.Sprintf("%s links to %s, and %s has no such head", page, m[1], to))
			}
		}
	}
	slices.Sort(problems)
	return problems
}

// slugs are the anchors of a page's heads.
func slugs(text string) (list []string) {
	for _, m := range heading.FindAllStringSubmatch(text, -1) {
		list = append(list, strings.ReplaceAll(notSlug.ReplaceAllString(strings.ToLower(m[1]), ""), " ", "-"))
	}
	return list
}

// TestPlanNamesPackages: the page that says how all is built has a link to each package.
func TestPlanNamesPackages(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(source(t), plan))
	require.NoError(t, err)
	assert.Empty(t, unnamed(rows(table), string(page)), "packages that %s does not name", plan)
	assert.Equal(t, []string{"a", "."}, unnamed([]string{"a", "a/b", "."}, "see [x](../a/b) and a"))
}

// unnamed are the rows that a page in a folder below the root has no link to; it names the root as `.`.
func unnamed(rows []string, page string) (list []string) {
	for _, row := range rows {
		named := "](../" + row + ")"
		if row == "." {
			named = "`.`"
		}
		if !strings.Contains(page, named) {
			list = append(list, row)
		}
	}
	return list
}

var check = regexp.MustCompile("(?m)^\\| `(\\w+)` \\|")

// TestPlanNamesChecks: the page lists the judge's checks in the order in which they are made.
func TestPlanNamesChecks(t *testing.T) {
	dir := source(t)
	page, err := os.ReadFile(filepath.Join(dir, plan))
	require.NoError(t, err)
	var named []string
	for _, m := range check.FindAllStringSubmatch(string(page), -1) {
		named = append(named, m[1])
	}
	code, err := os.ReadFile(filepath.Join(dir, "judge/judge.go"))
	require.NoError(t, err)
	checks := elements(t, string(code), "checks")
	assert.NotEmpty(t, checks)
	assert.Equal(t, checks, named, "the checks of judge/judge.go, and those that %s lists", plan)
	assert.Equal(t, []string{"a", "b"}, elements(t, "package p\nvar x, checks = 1, []f{a, b}\n", "checks"))
}

// elements are the names that the list in a variable of a source holds.
func elements(t *testing.T, source, variable string) (names []string) {
	file, err := parser.ParseFile(token.NewFileSet(), "x.go", source, 0)
	require.NoError(t, err)
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		for i, name := range spec.Names {
			if list, ok := valueOf(spec, i).(*ast.CompositeLit); ok && name.Name == variable {
				for _, e := range list.Elts {
					names = append(names, e.(*ast.Ident).Name)
				}
			}
		}
		return false
	})
	return names
}

func valueOf(spec *ast.ValueSpec, i int) ast.Expr {
	if i < len(spec.Values) {
		return spec.Values[i]
	}
	return nil
}

var (
	testName = regexp.MustCompile("`((?:Test|Fuzz)\\w+)`")
	testFunc = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
)

// The tests that pages name are there.
func TestPagesNameTests(t *testing.T) {
	dir := source(t)
	tests := map[string]bool{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range testFunc.FindAllSubmatch(text, -1) {
			tests[string(m[1])] = true
		}
		return err
	})
	require.NoError(t, err)
	named := map[string]int{}
	for page, text := range pages(t, dir) {
		for _, m := range testName.FindAllStringSubmatch(text, -1) {
			assert.True(t, tests[m[1]], "%s names %s, which is no test", page, m[1])
			named[page]++
		}
	}
	assert.Greater(t, named["docs/trust.md"], 20)
	assert.Greater(t, named["CONTRIBUTING.md"], 10)
}

var (
	steps    = regexp.MustCompile(`(?m)^ *steps=\((.*)\)$`)
	stepRow  = regexp.MustCompile("(?m)^\\| (`[a-z`, ]+`) \\|")
	stepName = regexp.MustCompile("`([a-z]+)`")
)

// CONTRIBUTING lists the steps of CI, in their order.
func TestStepsAreListed(t *testing.T) {
	dir := source(t)
	script, err := os.ReadFile(filepath.Join(dir, ".ci/run"))
	require.NoError(t, err)
	page, err := os.ReadFile(filepath.Join(dir, "CONTRIBUTING.md"))
	require.NoError(t, err)
	m := steps.FindSubmatch(script)
	require.NotNil(t, m, ".ci/run has no list of steps")
	var listed []string
	for _, row := range stepRow.FindAllStringSubmatch(string(page), -1) {
		for _, name := range stepName.FindAllStringSubmatch(row[1], -1) {
			listed = append(listed, name[1])
		}
	}
	assert.Equal(t, strings.Fields(string(m[1])), listed)
}
