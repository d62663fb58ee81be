package garble

import (
	"bytes"
	"encoding/gob"
	"go/ast"
	"go/build"
	"go/doc"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/schedule"
)

// public are the public functions and methods of a package, by the names of functions and types here.
func public(t *testing.T, dir, short string) (names []string) {
	t.Helper()
	pkg, err := build.ImportDir(dir, 0)
	require.NoError(t, err)
	set := token.NewFileSet()
	var files []*ast.File
	for _, name := range append(slices.Clone(pkg.GoFiles), pkg.CgoFiles...) {
		f, err := parser.ParseFile(set, filepath.Join(dir, name), nil, parser.ParseComments)
		require.NoError(t, err)
		files = append(files, f)
	}
	d, err := doc.NewFromFiles(set, files, "x/"+short)
	require.NoError(t, err)
	for _, f := range d.Funcs {
		names = append(names, short+"."+f.Name)
	}
	for _, of := range d.Types {
		for _, f := range of.Funcs {
			names = append(names, short+"."+f.Name)
		}
		for _, m := range of.Methods {
			names = append(names, short+"."+of.Name+"."+m.Name)
		}
	}
	return names
}

// packages are the public ones, as the layout lists them.
func packages(t *testing.T) (list []string) {
	t.Helper()
	rows, err := os.ReadFile("../layout/packages.txt")
	require.NoError(t, err)
	for row := range strings.Lines(string(rows)) {
		row = strings.TrimSpace(row)
		if row != "" && !strings.HasPrefix(row, "#") && !strings.Contains(row, "internal") && !strings.HasPrefix(row, "cmd/") {
			list = append(list, row)
		}
	}
	return list
}

// TestComplete: what is public is called with garbage, or is left out for a reason; and nothing is listed that is not there.
func TestComplete(t *testing.T) {
	if _, err := os.Stat("../../go.mod"); os.IsNotExist(err) {
		t.Skip("the source is not here")
	}
	called := map[string]bool{}
	for name := range functions {
		called[name] = true
	}
	for name, of := range types {
		for i := range reflect.PointerTo(of).NumMethod() {
			called[name+"."+reflect.PointerTo(of).Method(i).Name] = true
		}
	}
	there := map[string]bool{}
	for _, row := range packages(t) {
		short := row
		if row == "." {
			short = "overlap"
		}
		there[short] = true
		for _, name := range public(t, filepath.Join("../..", row), short) {
			there[name] = true
			left := leftOut[short] != "" || leftOut[name] != "" || leftOut[name[:strings.LastIndex(name, ".")]] != ""
			assert.True(t, called[name] || left, "%s is public: call it with garbage, or leave it out and say why", name)
		}
	}
	for _, name := range slices.Concat(slices.Collect(maps.Keys(functions)), slices.Collect(maps.Keys(leftOut))) {
		assert.True(t, there[name], "%s is listed and not there", name)
	}
}

// TestGob: what a program from another process may hold.
func TestGob(t *testing.T) {
	for _, b := range [][]byte{nil, {}, {1}, {255}, {3}, bytes.Repeat([]byte{255}, 40), bytes.Repeat([]byte{9}, 12)} {
		var r schedule.Ref
		var in schedule.Instr
		if r.GobDecode(b) == nil {
			assert.GreaterOrEqual(t, r.Index(), int32(-2))
		}
		assert.Error(t, in.GobDecode(b))
	}
	var b bytes.Buffer
	in := schedule.Instr{Verb: schedule.Wait, Stream: schedule.At(3), Event: schedule.Null}
	require.NoError(t, gob.NewEncoder(&b).Encode(in))
	var got schedule.Instr
	require.NoError(t, gob.NewDecoder(&b).Decode(&got))
	assert.Equal(t, in, got)
}
