package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gpu-overlap/overlap"
	"github.com/gpu-overlap/overlap/graph/draw"
)

// checkOut refuses, before anything runs, to write over files that exist, and two cases of one name. It makes the folder.
func checkOut(dir string, cases []*overlap.Case, force bool) error {
	seen := map[string]string{}
	for _, c := range cases {
		if other, ok := seen[c.Name]; ok {
			return fmt.Errorf("--out: %s and %s would write the same files", other, c.File)
		}
		seen[c.Name] = c.File
		if force {
			continue
		}
		for _, ending := range endings {
			path := filepath.Join(dir, c.Name+ending)
			if _, err := os.Lstat(path); err == nil {
				return fmt.Errorf("--out: %s exists; say --force to overwrite it", path)
			} else if !errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("--out: %w", err)
			}
		}
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	return nil
}

// writeOut writes the pictures of one result.
func writeOut(dir string, res *overlap.Result, force bool) error {
	for _, p := range pictures(res) {
		var b bytes.Buffer
		if err := p.write(&b); errors.Is(err, draw.ErrTooLarge) {
			fmt.Fprintf(os.Stderr, "overlap: no %s%s: %v; its .dot is there\n", res.Case.Name, p.ending, err)
			continue
		} else if err != nil {
			return fmt.Errorf("%s%s: %w", res.Case.Name, p.ending, err)
		}
		path := filepath.Join(dir, res.Case.Name+p.ending)
		if force { // a link is replaced, not followed
			if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
		file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if err != nil {
			return err
		}
		_, err = file.Write(b.Bytes())
		if err := errors.Join(err, file.Close()); err != nil {
			os.Remove(path) // a part of a file would keep the next run from writing it
			return err
		}
	}
	return nil
}
