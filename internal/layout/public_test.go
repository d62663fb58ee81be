package layout

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestPublicPackages: each package that others may import says what it is for, and shows it in an example that runs.
func TestPublicPackages(t *testing.T) {
	dir := source(t)
	seen := 0
	for _, row := range rows(table) {
		if public(row) {
			assert.Empty(t, undocumented(t, sources(t, filepath.Join(dir, row))), row)
			seen++
		}
	}
	assert.Greater(t, seen, 15)
}

// public says whether other modules may import a package: one that is not internal, and no command.
func public(row string) bool {
	parts := strings.Split(row, "/")
	return !slices.Contains(parts, "internal") && parts[0] != "cmd"
}

func TestUndocumented(t *testing.T) {
	const (
		code    = "// Package p is for something.\npackage p\n"
		example = "package p_test\nfunc Example() {\n\tprintln()\n\t// Output: x\n}\n"
		unrun   = "package p_test\nfunc Example() {\n\tprintln()\n}\n"
		silent  = "package p_test\nfunc Example() {\n\tprintln()\n\t// Output:\n}\n"
	)
	for name, c := range map[string]struct {
		files map[string]string
		want  []string
	}{
		"in order": {map[string]string{"p.go": code, "x.go": "package p\n", "p_test.go": example},
			nil},
		"without output": {map[string]string{"p.go": code, "p_test.go": silent}, nil},
		"no comment": {map[string]string{"p.go": "package p\n", "p_test.go": example},
			[]string{"it has no package comment"}},
		"a comment of another": {map[string]string{"p.go": "// Package q is.\npackage p\n",
			"p_test.go": example}, []string{"it has no package comment"}},
		"a comment of a test": {map[string]string{"p.go": "package p\n",
			"p_test.go": "// Package p is.\n" + example}, []string{"it has no package comment"}},
		"no example": {map[string]string{"p.go": code, "p_test.go": "package p\n"},
			[]string{"it has no example that runs"}},
		"an example that does not run": {map[string]string{"p.go": code, "p_test.go": unrun},
			[]string{"it has no example that runs"}},
		"an example that is no test": {map[string]string{"p.go": code + "func Example() {\n\t// Output: x\n}\n"},
			[]string{"it has no example that runs"}},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, c.want, undocumented(t, c.files)) })
	}
}

// sources are the Go files of a folder by their names.
func sources(t *testing.T, dir string) map[string]string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	require.NoError(t, err)
	files := map[string]string{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		files[filepath.Base(path)] = string(text)
	}
	return files
}

// undocumented says what a package lacks: its comment, an example with an output.
func undocumented(t *testing.T, files map[string]string) (problems []string) {
	commented, shown := false, false
	for name, text := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ParseComments)
		require.NoError(t, err)
		if strings.HasSuffix(name, "_test.go") {
			shown = shown || slices.ContainsFunc(doc.Examples(file), runs)
			continue
		}
		commented = commented || comments(file)
	}
	if !commented {
		problems = append(problems, "it has no package comment")
	}
	if !shown {
		problems = append(problems, "it has no example that runs")
	}
	return problems
}

// runs says whether an example is run: it says what it prints, be that nothing.
func runs(e *doc.Example) bool { return e.Output != "" || e.EmptyOutput }

func comments(file *ast.File) bool {
	return strings.HasPrefix(file.Doc.Text(), "Package "+file.Name.Name+" ")
}
