//go:build !gpu || !cgo

package sim_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/internal/probe"
)

const semantics = "../../docs/semantics.md"

var (
	ruleRow   = regexp.MustCompile(`^\| ([A-Z]+[0-9]+[a-z]?) \| (.+) \| (.+) \|$`)
	probeLink = regexp.MustCompile(`^\[(P[0-9]{2})\]\(\.\./(testdata/probes/P[0-9]{2}\.txtar)\)$`)
	probeName = regexp.MustCompile(`\bP[0-9]{2}\b`)
)

// rules are the ids of docs/semantics.md, each with the probes that measured it; none of an assumed one.
func rules(t *testing.T) map[string][]string {
	data, err := os.ReadFile(semantics)
	require.NoError(t, err)
	list := map[string][]string{}
	for i, l := range strings.Split(string(data), "\n") {
		if !strings.HasPrefix(l, "| ") || strings.HasPrefix(l, "| id ") {
			continue
		}
		m := ruleRow.FindStringSubmatch(l)
		require.NotNil(t, m, "%s:%d: %q; want | ID | sentence | probes, or assumed |", semantics, i+1, l)
		id := m[1]
		_, double := list[id]
		assert.False(t, double, "%s:%d: %s stands here a second time", semantics, i+1, id)
		list[id] = nil
		if m[3] == "assumed" {
			continue
		}
		for _, link := range strings.Split(m[3], ", ") {
			p := probeLink.FindStringSubmatch(link)
			require.NotNil(t, p, "%s:%d: %q; want a link to a probe, or assumed", semantics, i+1, link)
			assert.Equal(t, "testdata/probes/"+p[1]+".txtar", p[2], "%s:%d: the link leads to another probe", semantics,
				i+1)
			list[id] = append(list[id], p[1])
		}
	}
	require.Greater(t, len(list), 100)
	return list
}

// Each rule names probes that there are and that have a golden, and each probe stands behind a rule.
func TestRulesAndProbes(t *testing.T) {
	paths, err := filepath.Glob("../../testdata/probes/*.txtar")
	require.NoError(t, err)
	golden := map[string]bool{}
	for _, path := range paths {
		f, err := probe.Read(path)
		require.NoError(t, err)
		golden[f.Name] = f.Golden != nil
	}
	named := map[string]bool{}
	for id, probes := range rules(t) {
		for _, p := range probes {
			assert.True(t, golden[p], "%s: rule %s rests on %s, which does not exist or has no golden", semantics, id,
				p)
			named[p] = true
		}
	}
	for name := range golden {
		assert.True(t, named[name], "%s: no rule names probe %s", semantics, name)
	}
}

// Each id that a comment of the simulator or the name of a test uses is that of a rule, and each probe that a comment
// names is there.
func TestIDsAreRules(t *testing.T) {
	known := rules(t)
	var families []string
	for id := range known {
		families = append(families, strings.TrimRight(id, "0123456789abcdefghijklmnopqrstuvwxyz"))
	}
	slices.Sort(families)
	word := regexp.MustCompile(`\b(` + strings.Join(slices.Compact(families), "|") + `)[0-9]+[a-z]?\b`)
	used := map[string]bool{}
	use := func(at, id string) {
		used[id] = true
		_, ok := known[id]
		assert.True(t, ok, "%s: %s is no rule of %s", at, id, semantics)
	}
	for at, text := range comments(t) {
		for _, id := range word.FindAllString(text, -1) {
			use(at, id)
		}
		for _, p := range probeName.FindAllString(text, -1) {
			assert.FileExists(t, "../../testdata/probes/"+p+".txtar", at)
		}
	}
	for at, text := range literals(t) {
		if first, _, named := strings.Cut(text, " "); named && word.FindString(first) == first && first != "" {
			use(at, first)
		}
	}
	assert.Greater(t, len(used), 70)
}

// comments are those of the simulator's files, by place.
func comments(t *testing.T) map[string]string {
	list := map[string]string{}
	eachFile(t, func(files *token.FileSet, f *ast.File) {
		for _, c := range f.Comments {
			list[files.Position(c.Pos()).String()] = c.Text()
		}
	})
	return list
}

// literals are the strings of the simulator's tests, by place: the names of their rows are among them.
func literals(t *testing.T) map[string]string {
	list := map[string]string{}
	eachFile(t, func(files *token.FileSet, f *ast.File) {
		if !strings.HasSuffix(files.Position(f.Pos()).Filename, "_test.go") {
			return
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
				text, err := strconv.Unquote(l.Value)
				require.NoError(t, err)
				list[files.Position(l.Pos()).String()] = text
			}
			return true
		})
	})
	return list
}

func eachFile(t *testing.T, do func(*token.FileSet, *ast.File)) {
	require.NoError(t, filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") {
			return err
		}
		files := token.NewFileSet()
		f, err := parser.ParseFile(files, path, nil, parser.ParseComments)
		if err == nil {
			do(files, f)
		}
		return err
	}))
}
