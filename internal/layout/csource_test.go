package layout

import (
	"fmt"
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

// The C files of the driver know each other through headers alone, and in no circle: each can be read after those it
// uses.
func TestDriverInC(t *testing.T) {
	dir := filepath.Join(source(t), "gpu/internal/driver")
	files := map[string]string{}
	for _, pattern := range []string{"*.c", "*.h"} {
		paths, err := filepath.Glob(filepath.Join(dir, pattern))
		require.NoError(t, err)
		require.NotEmpty(t, paths, pattern)
		for _, path := range paths {
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			files[filepath.Base(path)] = string(text)
		}
	}
	problems := cProblems(files)
	assert.Empty(t, problems, strings.Join(problems, "\n"))
}

func TestCProblems(t *testing.T) {
	const header = "int f(int x);\nint g(int x);\n"
	for name, c := range map[string]struct {
		files map[string]string
		want  []string
	}{
		"in order": {map[string]string{"x.h": header, "f.c": "#include \"x.h\"\nint f(int x) { return x; }\n",
			"g.c": "#include \"x.h\"\nint g(int x) {\n    return f(x);\n}\n"}, nil},
		"a circle of calls": {map[string]string{"x.h": header,
			"f.c": "#include \"x.h\"\nint f(int x) { return g(x); }\n",
			"g.c": "#include \"x.h\"\nint g(int x) { return f(x); }\n"}, []string{"a circle of files: f.c uses g.c uses f.c"}},
		"a circle through a header": {map[string]string{"x.h": "#include \"y.h\"\n", "y.h": "#include \"x.h\"\n"},
			[]string{"a circle of files: x.h uses y.h uses x.h"}},
		"not declared": {map[string]string{"f.c": "int f(int x) { return x; }\n",
			"g.c": "int g(int x) { return f(x); }\n"},
			[]string{"g.c uses f of f.c, which no header that it includes declares"}},
		"declared elsewhere": {map[string]string{"x.h": header, "f.c": "#include \"x.h\"\nint f(int x) { return x; }\n",
			"g.c": "int g(int x) { return f(x); }\n"}, []string{"g.c uses f of f.c, which no header that it includes declares"}},
		"declared in a header of a header": {map[string]string{"x.h": header, "y.h": "#include \"x.h\"\n",
			"f.c": "#include \"x.h\"\nint f(int x) { return x; }\n",
			"g.c": "#include \"y.h\"\nint g(int x) { return f(x); }\n"}, nil},
		"a C file included": {map[string]string{"f.c": "int f(int x) { return x; }\n", "g.c": "#include \"f.c\"\n"},
			[]string{"g.c includes f.c, which is no header"}},
		"a function taken, over two lines": {map[string]string{"x.h": header,
			"f.c": "#include \"x.h\"\nint f(int x,\n      int y) {\n}\n",
			"g.c": "#include \"x.h\"\nint g(int x) { return h(f); }\n", "k.c": "int k(void) { return 0; }"}, nil},
		"a word in a comment or a string": {map[string]string{"f.c": "int f(int x) { return x; }\n",
			"g.c": "// f\n/* f\n f */ int g(int x) { return h(\"f\"); }\n"}, nil},
		"static ones of the same name": {map[string]string{"f.c": "static int f(int x) { return x; }\n",
			"g.c": "static int f(int x) { return x; }\nint g(int x) { return f(x); }\n"}, nil},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, c.want, cProblems(c.files)) })
	}
}

var (
	// What is no code: comments and strings.
	noCode    = regexp.MustCompile(`(?s)//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"`)
	included  = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*include[ \t]*"([^"]*)"`)
	word      = regexp.MustCompile(`[A-Za-z_]\w*`)
	directive = regexp.MustCompile(`(?m)^[ \t]*#(?:[^\n\\]|\\.|\\\n)*`)
	// A function's head begins a line, and its body opens on the line that closes its parameters.
	function = regexp.MustCompile(`(?m)^([A-Za-z_][\w \t*]*?)\b([A-Za-z_]\w*)\(([^(){};]*)\)\s*\{`)
)

// cFile is what a C file or header has to do with others.
type cFile struct {
	includes []string
	defines  []string        // functions that others may call
	words    map[string]bool // all that its code names
}

func parseC(text string) (f cFile) {
	for _, m := range included.FindAllStringSubmatch(text, -1) {
		f.includes = append(f.includes, m[1])
	}
	code := directive.ReplaceAllString(noCode.ReplaceAllString(text, " "), "")
	f.words = map[string]bool{}
	for _, w := range word.FindAllString(code, -1) {
		f.words[w] = true
	}
	for _, m := range function.FindAllStringSubmatch(code, -1) {
		if !slices.Contains(strings.Fields(m[1]), "static") {
			f.defines = append(f.defines, m[2])
		} else {
			delete(f.words, m[2]) // whoever else has this name, here it is this one
		}
	}
	return f
}

// cProblems holds files, by name, to the rules: only headers are included, what another C file defines is declared in a
// header that the user includes, and no file uses itself by way of others.
func cProblems(texts map[string]string) (problems []string) {
	files, definer := map[string]cFile{}, map[string]string{}
	names := slices.Sorted(maps.Keys(texts))
	for _, name := range names {
		files[name] = parseC(texts[name])
		if strings.HasSuffix(name, ".c") {
			for _, f := range files[name].defines {
				definer[f] = name
			}
		}
	}
	uses := map[string][]string{}
	for _, name := range names {
		for _, h := range files[name].includes {
			if strings.HasSuffix(h, ".c") {
				problems = append(problems, fmt.Sprintf("%s includes %s, which is no header", name, h))
			}
			uses[name] = append(uses[name], h)
		}
		if !strings.HasSuffix(name, ".c") {
			continue
		}
		for _, w := range slices.Sorted(maps.Keys(files[name].words)) {
			from, ok := definer[w]
			if !ok || from == name {
				continue
			}
			if !declared(files, name, w, map[string]bool{}) {
				problems = append(problems, fmt.Sprintf("%s uses %s of %s, which no header that it includes declares",
					name, w, from))
			}
			uses[name] = append(uses[name], from)
		}
	}
	if circle := circleIn(names, uses); circle != nil {
		problems = append(problems, "a circle of files: "+strings.Join(circle, " uses "))
	}
	return problems
}

// declared says whether a header that a file includes, itself or through another, names a function.
func declared(files map[string]cFile, file, name string, seen map[string]bool) bool {
	for _, h := range files[file].includes {
		if seen[h] {
			continue
		}
		seen[h] = true
		if strings.HasSuffix(h, ".h") && files[h].words[name] || declared(files, h, name, seen) {
			return true
		}
	}
	return false
}

// circleIn gives a circle, its first name again at its end; nil when there is none.
func circleIn(names []string, uses map[string][]string) []string {
	const open, done = 1, 2
	state := map[string]int{}
	var path []string
	var visit func(string) []string
	visit = func(name string) []string {
		switch state[name] {
		case done:
			return nil
		case open:
			return append(slices.Clone(path[slices.Index(path, name):]), name)
		}
		state[name] = open
		path = append(path, name)
		for _, next := range uses[name] {
			if circle := visit(next); circle != nil {
				return circle
			}
		}
		path = path[:len(path)-1]
		state[name] = done
		return nil
	}
	for _, name := range names {
		if circle := visit(name); circle != nil {
			return circle
		}
	}
	return nil
}
