package layout

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const oracle = "internal/rules"

// apart are the folders that judge one another: what is in or below the first imports nothing that is in or below the
// second. docs/trust.md says why.
var apart = [][2]string{
	{"gpu/sim", "order"}, {"gpu/sim", "bound"}, {"gpu/sim", "judge"}, {"gpu/sim", "measure"},
	{"order", "gpu"}, {"bound", "gpu"}, {"judge", "gpu/sim"},
}

func TestTrust(t *testing.T) {
	dir := source(t)
	var all []pkg
	for _, tags := range []string{"", "gpu"} {
		all = append(all, list(t, dir, tags)...)
	}
	problems := trustProblems(all)
	assert.Empty(t, problems, strings.Join(problems, "\n"))
	users := usersOf(oracle, all)
	assert.Equal(t, []string{"internal/conform", "internal/mutate"}, users, "nobody else may use the oracle")
	for _, user := range users {
		assert.Empty(t, usersOf(user, all), "%s is for tests", user)
	}
	assert.Equal(t, []string{"schedule"}, importsOf(oracle, all), "the oracle rests on the model alone")
}

// trustProblems holds the imports of packages, those of their tests left out, against apart.
func trustProblems(all []pkg) (problems []string) {
	for _, p := range all {
		for _, path := range p.Imports {
			from, to := inModule(p, p.ImportPath), inModule(p, path)
			for _, a := range apart {
				if within(from, a[0]) && within(to, a[1]) {
					problems = append(problems,
						fmt.Sprintf("%s imports %s, and each is held against the other", from, to))
				}
			}
		}
	}
	slices.Sort(problems)
	return slices.Compact(problems)
}

func within(path, folder string) bool { return path == folder || strings.HasPrefix(path, folder+"/") }

// usersOf gives the packages that import one, their tests left out.
func usersOf(path string, all []pkg) (users []string) {
	for _, p := range all {
		if slices.Contains(p.Imports, p.Module.Path+"/"+path) {
			users = append(users, inModule(p, p.ImportPath))
		}
	}
	slices.Sort(users)
	return slices.Compact(users)
}

// importsOf gives what a package imports of its module.
func importsOf(path string, all []pkg) (list []string) {
	for _, p := range all {
		for _, imported := range p.Imports {
			if in := inModule(p, imported); in != "" && inModule(p, p.ImportPath) == path {
				list = append(list, in)
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func TestTrustProblems(t *testing.T) {
	p := func(path string, imports ...string) pkg {
		p := pkg{ImportPath: path, Imports: imports}
		p.Module.Path = "m"
		return p
	}
	tested := p("m/gpu/sim", "m/schedule")
	tested.TestImports = []string{"m/order", "m/" + oracle}
	all := []pkg{p("m/order", "m/schedule"), tested, p("m/ordered", "m/gpu"), p("m/gpu/sim/hardware", "m/schedule")}
	assert.Empty(t, trustProblems(all), "tests may import all")
	assert.Empty(t, usersOf(oracle, all))

	all = append(all, p("m/gpu/sim/hardware", "m/order"), p("m/judge/calls", "m/gpu/sim"), p("m/x", "m/"+oracle))
	assert.Equal(t, []string{"gpu/sim/hardware imports order, and each is held against the other",
		"judge/calls imports gpu/sim, and each is held against the other"}, trustProblems(all))
	assert.Equal(t, []string{"x"}, usersOf(oracle, all))
	assert.Equal(t, []string{"order", "schedule"}, importsOf("gpu/sim/hardware", all))
}

// The simulated device takes the types of package graph, which derives what a program implies from package order, and
// none of its functions.
func TestSimulatorTakesOnlyTypesOfGraph(t *testing.T) {
	dir := source(t)
	derived := functions(t, filepath.Join(dir, "graph"))
	require.Contains(t, derived, "Implied")
	require.Contains(t, derived, "WidthOf")
	sources := 0
	err := filepath.WalkDir(filepath.Join(dir, "gpu/sim"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		assert.Empty(t, takes(t, string(text), "graph", derived), path)
		sources++
		return err
	})
	require.NoError(t, err)
	assert.Greater(t, sources, 20)

	const bad = "package sim\nvar g graph.Graph\nvar want = graph.Implied(nil)\n"
	assert.Equal(t, []string{"Implied"}, takes(t, bad, "graph", derived))
}

// functions are the exported functions of a folder.
func functions(t *testing.T, dir string) (names []string) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	require.NoError(t, err)
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		require.NoError(t, err)
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.IsExported() {
				names = append(names, f.Name.Name)
			}
		}
	}
	return names
}

// takes gives the names of a package, among some, that a source uses.
func takes(t *testing.T, source, pkg string, names []string) (taken []string) {
	file, err := parser.ParseFile(token.NewFileSet(), "x.go", source, 0)
	require.NoError(t, err)
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok && slices.Contains(names, s.Sel.Name) {
			if x, ok := s.X.(*ast.Ident); ok && x.Name == pkg {
				taken = append(taken, s.Sel.Name)
			}
		}
		return true
	})
	return taken
}
