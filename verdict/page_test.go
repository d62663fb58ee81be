package verdict

import (
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the table in docs/causes.md")

const (
	causesPage = "../docs/causes.md"
	tableBegin = "<!-- causes: written by go test ./verdict -update -->\n"
	tableEnd   = "<!-- end of causes -->\n"
)

//go:generate ../.ci/golden ^TestCausesPage$

// TestCausesPage: docs/causes.md has each cause, with what the comment of its constant says.
func TestCausesPage(t *testing.T) {
	source, err := os.ReadFile("cause.go")
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("the source is not here")
	}
	require.NoError(t, err)
	says := meanings(t, string(source))
	require.Len(t, says, len(Causes()))
	table := "| cause | recognised by |\n|---|---|\n"
	for i, c := range Causes() {
		assert.NotEmpty(t, says[i], "%s: its constant has no comment", c)
		table += fmt.Sprintf("| %s | %s |\n", c, says[i])
	}
	data, err := os.ReadFile(causesPage)
	require.NoError(t, err)
	before, rest, found := strings.Cut(string(data), tableBegin)
	stands, after, ends := strings.Cut(rest, tableEnd)
	require.True(t, found && ends, "%s has no place for the table", causesPage)
	if *update && stands != table {
		require.NoError(t, os.WriteFile(causesPage, []byte(before+tableBegin+table+tableEnd+after), 0o666))
		t.Fatalf("%s: the table is rewritten; look at the difference", causesPage)
	}
	assert.Equal(t, table, stands, "go test ./verdict -update")
}

// meanings are the comments behind the exported constants of a source, one line each, in their order.
func meanings(t *testing.T, source string) (list []string) {
	file, err := parser.ParseFile(token.NewFileSet(), "cause.go", source, parser.ParseComments)
	require.NoError(t, err)
	for _, d := range file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.CONST {
			continue
		}
		for _, spec := range g.Specs {
			if v := spec.(*ast.ValueSpec); v.Names[0].IsExported() {
				list = append(list, strings.TrimSpace(v.Comment.Text()))
			}
		}
	}
	return list
}

func TestMeanings(t *testing.T) {
	assert.Equal(t, []string{"one", ""}, meanings(t, "package p\n// All.\nconst (\n\tA = iota // one\n\tB\n\tc // no\n)\nvar D = 1 // no\n"))
}
