// Command floor fails when a test run was thinner than it may be: it reads JUnit reports, and a file that says how many
// tests run at least and which may be skipped.
//
//	floor -floor FILE REPORT...
//
// The file has a line "tests N", and for each test that may be skipped a line "skip NAME"; NAME/* is all its subtests.
// What follows a # is a comment.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	file := flag.String("floor", ".ci/floor", "the `file` that says what must run")
	flag.Parse()
	text, err := os.ReadFile(*file)
	if err == nil {
		err = run(*file, string(text), flag.Args())
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "floor: %v\n", err)
		os.Exit(1)
	}
}

func run(file, text string, reports []string) error {
	f, err := parse(text)
	if err != nil {
		return fmt.Errorf("%s:%w", file, err)
	}
	var tests []test
	for _, path := range reports {
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		more, err := read(data)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		tests = append(tests, more...)
	}
	ran, skipped := count(tests)
	fmt.Printf("%d tests ran, %d were skipped; %s asks for %d\n", ran, skipped, file, f.tests)
	if problems := f.problems(tests); len(problems) > 0 {
		for _, p := range problems {
			fmt.Fprintln(os.Stderr, p)
		}
		return fmt.Errorf("%d problems; what %s says can be changed, with its reason", len(problems), file)
	}
	return nil
}
