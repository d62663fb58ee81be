package layout

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

//go:embed packages.txt
var table string

// pkg is what `go list -json` says of a package.
type pkg struct {
	ImportPath                         string
	Imports, TestImports, XTestImports []string
	Module                             struct{ Path string }
}

func TestImportsGoUp(t *testing.T) {
	dir := source(t)
	var all []pkg
	for _, tags := range []string{"", "gpu"} {
		all = append(all, list(t, dir, tags)...)
	}
	require.NotEmpty(t, all)
	problems := importProblems(rows(table), all)
	assert.Empty(t, problems, strings.Join(problems, "\n"))
}

func TestImportProblems(t *testing.T) {
	p := func(path string, imports ...string) pkg {
		p := pkg{ImportPath: path, Imports: imports}
		p.Module.Path = "m"
		return p
	}
	tested := func(p pkg, imports ...string) pkg { p.XTestImports = imports; return p }
	for name, c := range map[string]struct {
		rows string
		all  []pkg
		want []string
	}{
		"in order": {"a\n# why\n\nb\n.\n",
			[]pkg{p("m/a", "fmt"), p("m/b", "m/a"), p("m", "m/a", "m/b")}, nil},
		"upwards": {"a\nb\n", []pkg{p("m/a", "m/b"), p("m/b")},
			[]string{"a imports b, which stands below it in packages.txt"}},
		"the root": {".\na\n", []pkg{p("m", "m/a"), p("m/a")},
			[]string{". imports a, which stands below it in packages.txt"}},
		"no row": {"a\n", []pkg{p("m/a"), p("m/b")},
			[]string{"b has no row in packages.txt"}},
		"no package": {"a\nb\n", []pkg{p("m/a")},
			[]string{"packages.txt has a row for b, which is no package"}},
		"twice":                               {"a\na\n", []pkg{p("m/a")}, []string{"packages.txt has two rows for a"}},
		"a test may import what stands below": {"a\nb\n", []pkg{tested(p("m/a"), "m/b"), p("m/b")}, nil},
		"a test imports what has no row": {"a\n", []pkg{tested(p("m/a"), "m/testdata/x")},
			[]string{"testdata/x, which a or a test of it imports, has no row in packages.txt"}},
		"what ./... leaves out": {"a\n", []pkg{p("m/a", "m/_x")},
			[]string{"_x, which a or a test of it imports, has no row in packages.txt"}},
		"one tag alone": {"a\nb\n", []pkg{p("m/a"), p("m/b"), p("m/a", "m/b"), p("m/b")},
			[]string{"a imports b, which stands below it in packages.txt"}},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, c.want, importProblems(rows(c.rows), c.all)) })
	}
}

// importProblems holds packages, each listed once or more, against the rows.
func importProblems(rows []string, all []pkg) (problems []string) {
	rank := map[string]int{}
	for i, row := range rows {
		if _, twice := rank[row]; twice {
			problems = append(problems, fmt.Sprintf("packages.txt has two rows for %s", row))
		}
		rank[row] = i
	}
	seen := map[string]bool{}
	for _, p := range all {
		seen[inModule(p, p.ImportPath)] = true
	}
	for _, p := range all {
		from := inModule(p, p.ImportPath)
		if _, ok := rank[from]; !ok {
			problems = append(problems, from+" has no row in packages.txt")
			continue
		}
		for _, path := range p.Imports {
			to := inModule(p, path)
			if r, ok := rank[to]; ok && r >= rank[from] {
				problems = append(problems, fmt.Sprintf("%s imports %s, which stands below it in packages.txt", from,
					to))
			}
		}
		for _, path := range slices.Concat(p.Imports, p.TestImports, p.XTestImports) {
			to := inModule(p, path)
			if _, ok := rank[to]; to != "" && !ok && !seen[to] {
				problems = append(problems,
					fmt.Sprintf("%s, which %s or a test of it imports, has no row in packages.txt", to, from))
			}
		}
	}
	for _, row := range rows {
		if !seen[row] {
			problems = append(problems, fmt.Sprintf("packages.txt has a row for %s, which is no package", row))
		}
	}
	slices.Sort(problems)
	return slices.Compact(problems)
}

// inModule is a package's path below that of p's module, "." for its root, "" for a package of another module.
func inModule(p pkg, path string) string {
	if path == p.Module.Path {
		return "."
	}
	if rest, ok := strings.CutPrefix(path, p.Module.Path+"/"); ok {
		return rest
	}
	return ""
}

func rows(table string) (rows []string) {
	for line := range strings.Lines(table) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			rows = append(rows, line)
		}
	}
	return rows
}

// source is the root of the module's source, which a test binary that was taken elsewhere has not.
func source(t *testing.T) string {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	if _, err := os.Stat(filepath.Join(root, "go.mod")); errors.Is(err, os.ErrNotExist) {
		t.Skip("the source is not here")
	}
	return root
}

// list is what the go command says of all packages; it needs no C compiler and no header for that.
func list(t *testing.T, dir, tags string) (all []pkg) {
	cmd := exec.CommandContext(t.Context(), "go", "list", "-json=ImportPath,Imports,TestImports,XTestImports,Module",
		"-tags", tags, "./...")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "CGO_ENABLED=1")
	var failed bytes.Buffer
	cmd.Stderr = &failed
	out, err := cmd.Output()
	require.NoError(t, err, "%s", &failed)
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p pkg
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else {
			require.NoError(t, err)
		}
		all = append(all, p)
	}
}
