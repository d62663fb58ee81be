package main

import (
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"
)

// floor is what must run.
type floor struct {
	tests int      // that run at least, subtests counted; more than 0
	skips []string // names of tests that may be skipped; NAME/* is all subtests of NAME
}

// test is one of a report, subtests included.
type test struct {
	Package string    `xml:"classname,attr"`
	Name    string    `xml:"name,attr"`
	Skipped *struct{} `xml:"skipped"`
}

// parse reads a floor; an error begins with the number of its line.
func parse(text string) (f floor, err error) {
	n := 0
	for line := range strings.Lines(text) {
		n++
		line, _, _ = strings.Cut(line, "#")
		fields := strings.Fields(line)
		switch {
		case len(fields) == 0:
		case len(fields) == 2 && fields[0] == "skip":
			f.skips = append(f.skips, fields[1])
		case len(fields) == 2 && fields[0] == "tests" && f.tests == 0:
			if f.tests, err = strconv.Atoi(fields[1]); err != nil || f.tests < 1 {
				return floor{}, fmt.Errorf("%d: %q is no number of tests", n, fields[1])
			}
		default:
			return floor{}, fmt.Errorf("%d: want one line \"tests N\" and lines \"skip NAME\"", n)
		}
	}
	if f.tests == 0 {
		return floor{}, fmt.Errorf("%d: no line \"tests N\"", n)
	}
	return f, nil
}

// read gives the tests of a JUnit report.
func read(junit []byte) ([]test, error) {
	var report struct {
		Suites []struct {
			Cases []test `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal(junit, &report); err != nil {
		return nil, err
	}
	var tests []test
	for _, s := range report.Suites {
		tests = append(tests, s.Cases...)
	}
	return tests, nil
}

// count says how many ran and how many were skipped.
func count(tests []test) (ran, skipped int) {
	for _, t := range tests {
		if t.Skipped != nil {
			skipped++
		}
	}
	return len(tests) - skipped, skipped
}

// problems has a line for each way in which a run was too thin.
func (f floor) problems(tests []test) (problems []string) {
	if ran, _ := count(tests); ran < f.tests {
		problems = append(problems, fmt.Sprintf("%d tests ran; %d must", ran, f.tests))
	}
	for _, t := range tests {
		if t.Skipped != nil && !f.maySkip(t.Name) {
			problems = append(problems, fmt.Sprintf("%s %s was skipped; no line allows it", t.Package, t.Name))
		}
	}
	return problems
}

func (f floor) maySkip(name string) bool {
	for _, s := range f.skips {
		parent, all := strings.CutSuffix(s, "*")
		if name == s || all && strings.HasSuffix(parent, "/") && strings.HasPrefix(name, parent) {
			return true
		}
	}
	return false
}
