//go:build !gpu || !cgo

package hardware

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Of a program the hardware knows what an op needs, and nothing of calls, captures and codes.
func TestKnowsNoCalls(t *testing.T) {
	paths, err := filepath.Glob("*.go")
	require.NoError(t, err)
	known := map[string]bool{"Op": true, "Host": true, "H2D": true, "D2H": true, "Nanosleep": true}
	used := 0
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		require.NoError(t, err)
		ast.Inspect(f, func(n ast.Node) bool {
			s, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if x, ok := s.X.(*ast.Ident); ok && x.Name == "schedule" {
				used++
				assert.True(t, known[s.Sel.Name], "%s uses schedule.%s, which is the driver's", path, s.Sel.Name)
			}
			return true
		})
	}
	assert.Greater(t, used, 5)
}
