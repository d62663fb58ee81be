// Package cachedir gives Graphviz a place of the user's own for its compiled code.
//
// go-graphviz compiles its WebAssembly when it is initialised, and keeps the result in TMPDIR/go-graphviz: a folder
// that belongs to the first user of the machine who came along, and on which it panics for every other. This package
// names another folder as TMPDIR until Restore. It depends on the standard library alone, and its import path sorts
// before that of go-graphviz's own dependencies, so the language has it initialised before go-graphviz.
package cachedir

import (
	"os"
	"path/filepath"
)

var before, set = os.LookupEnv("TMPDIR")

func init() {
	base, err := os.UserCacheDir()
	if err != nil {
		base = "" // no home: a folder that cannot be made, and so no cache
	}
	dir := filepath.Join(base, "overlap")
	if base == "" || os.MkdirAll(filepath.Join(dir, "go-graphviz"), 0o700) != nil ||
		!writable(filepath.Join(dir, "go-graphviz")) {
		dir = os.DevNull // in which nothing can be made: Graphviz then does without a cache
	}
	os.Setenv("TMPDIR", dir)
}

// writable tries it: a folder's mode does not tell what a user may do.
func writable(dir string) bool {
	f, err := os.CreateTemp(dir, "try")
	if err != nil {
		return false
	}
	f.Close()
	return os.Remove(f.Name()) == nil
}

// Restore makes TMPDIR what it was.
func Restore() {
	if set {
		os.Setenv("TMPDIR", before)
	} else {
		os.Unsetenv("TMPDIR")
	}
}
