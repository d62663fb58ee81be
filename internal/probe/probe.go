// Package probe reads probes, runs them on a device and compares what it showed with what another showed.
//
// A probe is a txtar file: a comment that says what it settles, programs of driver calls, and, under "golden", what a
// GPU made of them:
//
//	-- program NAME --      calls, as package schedule reads them; between them
//	for mode a b c          the program once with each: {mode} stands for the word. Several make all combinations
//	free 0 600 because …    the driver may give the call above any of these codes, for that reason
//	free shown because …    or leaves what the call shows, beside its code, open
//	free order A B because… and this whether A and B overlap
//	free waves because …    and this how many of many ops run at once, and which of them later
//	unmodelled because …    what the call above gives and shows is not modelled by the simulated device
//	unmodelled order A B because …
//	-- golden --
//
// The golden holds no handles, ids and times, so that it is the same whenever and wherever a driver behaves the same.
// Of two ops A < B says that A had ended before B started; A | B that they overlapped for at least a quarter of the
// shorter one; A ? B neither.
package probe

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/txtar"

	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/schedule/text"
)

// File is a probe.
type File struct {
	Name   string // P01
	Path   string
	Why    string
	Parts  []Part
	Golden *Log // nil when none was taken yet
}

// Part is one program, with one choice of its variables.
type Part struct {
	Title   string // "b mode=relaxed"
	Program *schedule.Program
	Env     []string
	marks   marks
}

const (
	programPrefix = "program"
	goldenSection = "golden"
)

// Read reads a probe.
func Read(path string) (*File, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return Parse(path, data)
}

// Parse reads a probe from the text of its file.
func Parse(path string, data []byte) (*File, error) {
	arc := txtar.Parse(data)
	f := &File{Name: strings.TrimSuffix(filepath.Base(path), ".txtar"), Path: path,
		Why: strings.TrimSpace(string(arc.Comment))}
	if f.Why == "" {
		return nil, fmt.Errorf("%s:1: a probe begins with what it settles", path)
	}
	line := strings.Count(string(arc.Comment), "\n")
	seen := map[string]bool{}
	for _, s := range arc.Files {
		line++
		first, name, _ := strings.Cut(s.Name, " ")
		switch {
		case seen[s.Name]:
			return nil, fmt.Errorf("%s:%d: a second section %q; want another name", path, line, s.Name)
		case first == programPrefix:
			parts, err := expand(path, line, name, string(s.Data))
			if err != nil {
				return nil, err
			}
			for _, p := range parts {
				if slices.ContainsFunc(f.Parts, func(o Part) bool { return o.Title == p.Title }) {
					return nil, fmt.Errorf("%s:%d: a second part %q; want another name, or each word of a variable once", path, line, p.Title)
				}
				f.Parts = append(f.Parts, p)
			}
		case s.Name == goldenSection:
			var err error
			if f.Golden, err = parseLog(path, line, string(s.Data)); err != nil {
				return nil, err
			}
		default:
			return nil, fmt.Errorf("%s:%d: unknown section %q; want program NAME, or golden", path, line, s.Name)
		}
		seen[s.Name] = true
		line += strings.Count(string(s.Data), "\n")
	}
	if len(f.Parts) == 0 {
		return nil, fmt.Errorf("%s: no section program", path)
	}
	return f, nil
}

// variable is a `for` line.
type variable struct {
	name   string
	values []string
}

// expand makes the parts of a section: one for each combination of its variables, the last varying fastest.
func expand(path string, line int, name, text string) ([]Part, error) {
	lines := strings.Split(text, "\n")
	var vars []variable
	for i, l := range lines {
		w := strings.Fields(comment(l))
		if len(w) == 0 || w[0] != "for" {
			continue
		}
		if len(w) < 3 || slices.ContainsFunc(vars, func(v variable) bool { return v.name == w[1] }) {
			return nil, fmt.Errorf("%s:%d: %q; want `for NAME VALUE …`, each name once", path, line+i+1,
				strings.TrimSpace(l))
		}
		vars = append(vars, variable{w[1], w[2:]})
		lines[i] = ""
	}
	total := 1
	for _, v := range vars {
		if !strings.Contains(text, "{"+v.name+"}") {
			return nil, fmt.Errorf("%s:%d: the variable %s stands nowhere; want {%s} in some line", path, line, v.name,
				v.name)
		}
		total *= len(v.values)
	}
	const most = 1000
	if total > most {
		return nil, fmt.Errorf("%s:%d: %d combinations; want at most %d", path, line, total, most)
	}
	var parts []Part
	for n := range total {
		body := strings.Join(lines, "\n")
		title, rest := name, n
		choice := make([]string, len(vars))
		for i := len(vars) - 1; i >= 0; i-- {
			v := vars[i].values
			choice[i] = v[rest%len(v)]
			rest /= len(v)
		}
		for i, v := range vars {
			body = strings.ReplaceAll(body, "{"+v.name+"}", strings.ReplaceAll(choice[i], "_", " "))
			title += " " + v.name + "=" + choice[i]
		}
		p, err := part(path, line, strings.TrimSpace(title), body)
		if err != nil {
			return nil, fmt.Errorf("%w\n    in %s", err, title)
		}
		parts = append(parts, p)
	}
	return parts, nil
}

func comment(l string) string {
	l, _, _ = strings.Cut(l, "#")
	return l
}

// part reads the marks of a program, and what is left as calls.
func part(path string, line int, title, body string) (Part, error) {
	p := Part{Title: title}
	lines := strings.Split(body, "\n")
	for i, l := range lines {
		w := strings.Fields(comment(l))
		if len(w) == 0 || w[0] != "free" && w[0] != "unmodelled" {
			continue
		}
		if err := p.marks.add(line+i+1, w); err != nil {
			return p, fmt.Errorf("%s:%d: %w", path, line+i+1, err)
		}
		lines[i] = ""
	}
	c, err := text.ParseProgram(path, line, strings.Join(lines, "\n"))
	if err != nil {
		return p, err
	}
	p.Program, p.Env = c.Program(), c.Env
	return p, p.marks.resolve(path, p.Program)
}
