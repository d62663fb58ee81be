package text

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gpu-overlap/overlap/schedule"
)

// Validate refuses a case that no file could say: with a schedule or program that is not valid, with names that the
// language cannot spell, or with expectations that it has no words for. A case that is built in Go needs a Name, a
// Schedule and what to Expect; Kind and Pipeline say how it is printed.
func (c *Case) Validate() error {
	switch {
	case c == nil:
		return fmt.Errorf("case: none; want one")
	case c.Kind > ProgramCase || c.Raw != (c.Kind == ProgramCase):
		return c.errorf("raw of a program alone", "kind %d, raw %v", c.Kind, c.Raw)
	case !c.Raw && (c.Timed.Some() || len(c.Graphs) > 0):
		return c.errorf("them of a program alone", "a timed part or graphs of a schedule")
	case c.Timed.Some() && (c.Timed.Index() < 0 || int(c.Timed.Index()) > len(c.Schedule.Issue)):
		return c.errorf(fmt.Sprintf("0 to %d", len(c.Schedule.Issue)), "timed from call %s", c.Timed)
	}
	err := c.Schedule.Validate
	if c.Raw {
		err = c.Program().Validate
	}
	if err := err(); err != nil {
		return err
	}
	if c.Kind == PipelineCase && c.Pipeline != nil {
		if err := c.Pipeline.Validate(); err != nil {
			return fmt.Errorf("%s: %w", c.Place(), err)
		}
	}
	if err := c.checkNames(); err != nil {
		return err
	}
	if err := c.checkEnv(); err != nil {
		return err
	}
	if err := c.Expect.Validate(c.knows()); err != nil {
		return fmt.Errorf("%s: %w", c.Place(), err)
	}
	return nil
}

// Place names the case for messages: its file, or else that of its schedule, or else its name.
func (c *Case) Place() string { return cmp.Or(c.File, c.Schedule.File, c.Name) }

func (c *Case) errorf(want, format string, args ...any) error {
	return fmt.Errorf("%s: %s; want %s", c.Place(), fmt.Sprintf(format, args...), want)
}

// checkNames refuses names that a case file could not spell.
func (c *Case) checkNames() error {
	s := &c.Schedule
	const want = "letters, digits, _, - and ., at most 64 bytes, the first a letter or _, and no word of the language"
	for i := range s.Intent.Ops {
		if name := s.Intent.Ops[i].Name; !validName(name) || reserved(name) {
			return c.errorf(want, "an op of name %s", quoted(name))
		}
	}
	var streams, engines []string
	for _, st := range s.Streams {
		if st.Kind.Created() {
			streams = append(streams, st.Name)
		}
	}
	for _, e := range s.Intent.Engines {
		engines = append(engines, e.Name)
	}
	for _, l := range []struct {
		what  string
		names []string
	}{{"a stream", streams}, {"an event", s.Events}, {"a buffer", s.Intent.Buffers}, {"an engine", engines},
		{"a graph", c.Graphs}, {"a node", s.Nodes}} {
		for _, name := range l.names {
			if !validName(name) || reserved(name) {
				return c.errorf(want, "%s of name %s", l.what, quoted(name))
			}
		}
	}
	if !slices.Equal(s.Intent.Engines[:min(len(s.Intent.Engines), len(schedule.DefaultEngines()))],
		schedule.DefaultEngines()) {
		return c.errorf("those that schedule.DefaultEngines gives, and others behind them",
			"the first engines are not the built-in ones")
	}
	return nil
}

// checkEnv refuses variables that a case may not set.
func (c *Case) checkEnv() error {
	for i, e := range c.Env {
		name, value, _ := strings.Cut(e, "=")
		switch {
		case !slices.Contains(variables, name):
			return c.errorf(oneOf(name, variables), "unknown variable %s", quoted(name))
		case !variableValue(name, value):
			return c.errorf(variableValues[name], "%s is no value of %s", quoted(value), name)
		case slices.ContainsFunc(c.Env[:i], func(other string) bool { return strings.HasPrefix(other, name+"=") }):
			return c.errorf("it once", "a second %s", name)
		}
	}
	return nil
}

// knows says what names `hides` may use.
func (c *Case) knows() func(name string) bool {
	if len(c.Expect.Hides) == 0 {
		return nil
	}
	names := map[string]bool{}
	for _, k := range kindNames {
		names[k] = true
	}
	for _, e := range c.Schedule.Intent.Engines {
		names[e.Name] = true
	}
	for i := range c.Schedule.Intent.Ops {
		names[c.Schedule.Intent.Ops[i].Name] = true
	}
	return func(name string) bool { return names[name] }
}
