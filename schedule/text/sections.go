package text

import (
	"slices"
	"strings"
)

// Names of the sections of a case file.
const (
	scheduleSection = "schedule"
	programSection  = "program"
	expectSection   = "expect"
	graphSection    = "graph.dot"
	lanesSection    = "lanes.txt"
)

var sectionNames = []string{scheduleSection, programSection, expectSection, graphSection, lanesSection}

// index checks that each section is known, there once, and that none is missing.
func (src *source) index() (map[string]*section, error) {
	byName := map[string]*section{}
	for i := range src.sections {
		sec := &src.sections[i]
		if strings.HasPrefix(sec.name, programSection+" ") {
			return nil, sec.errorf("a case; probes are run by go test ./internal/probe", "this is a probe")
		}
		if !slices.Contains(sectionNames, sec.name) {
			return nil, sec.errorf(oneOf(sec.name, sectionNames), "unknown section %s", quoted(sec.name))
		}
		if first := byName[sec.name]; first != nil {
			return nil, sec.errorf("each section once", "section %s is already on line %d", sec.name, first.line)
		}
		byName[sec.name] = sec
	}
	missing := func(name, want string) error {
		return src.last.errorAt(len(src.last.text)+1, "the file ends without a section "+name, want)
	}
	sched, prog := byName[scheduleSection], byName[programSection]
	switch {
	case sched == nil && prog == nil:
		return nil, missing(scheduleSection, "-- schedule -- (or, for raw driver calls, -- program --)")
	case sched != nil && prog != nil:
		last := prog
		if sched.line > prog.line {
			last = sched
		}
		return nil, last.errorf("one of them", "a schedule and a program in one case")
	case byName[expectSection] == nil:
		return nil, missing(expectSection, "-- expect --, which may be empty")
	}
	return byName, nil
}
