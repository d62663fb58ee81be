package text

import (
	"slices"

	"github.com/gpu-overlap/overlap/schedule"
)

// engineTable is the built-in engines and those that a section declares, wherever it does.
type engineTable struct {
	list []schedule.Engine
	ids  map[string]int32
}

func declareEngines(sec *section) (engineTable, error) {
	t := engineTable{list: schedule.DefaultEngines(), ids: map[string]int32{}}
	for i, e := range t.list {
		t.ids[e.Name] = int32(i)
	}
	return t, sec.each(func(l *line) error {
		if l.word(0) != "engine" || l.word(1) == ":" {
			return nil
		}
		l.at = 1
		return t.declare(l)
	})
}

func (t *engineTable) declare(l *line) error {
	name, err := l.name("an engine")
	if err != nil {
		return err
	}
	if id, ok := t.ids[name.text]; ok {
		if int(id) < len(schedule.DefaultEngines()) {
			return l.errorf(name, "another name", "engine %s is built in", name.text)
		}
		return l.errorf(name, "another name", "engine %s is already declared", name.text)
	}
	if slices.Contains(kindNames, name.text) {
		return l.errorf(name, "another name", "%s is a kind of op", name.text)
	}
	e := schedule.Engine{Name: name.text, Capacity: 1}
	if l.more() {
		if _, err := l.expect("capacity"); err != nil {
			return err
		}
		n, err := l.count("a capacity", 1, maxCapacity)
		if err != nil {
			return err
		}
		e.Capacity = int32(n)
	}
	t.ids[e.Name] = int32(len(t.list))
	t.list = append(t.list, e)
	return l.end()
}

// use takes the name of a known engine; the kind's own is left out.
func (t *engineTable) use(l *line, kind schedule.Kind) (schedule.Ref, error) {
	name, err := l.name("an engine")
	if err != nil {
		return schedule.Ref{}, err
	}
	id, ok := t.ids[name.text]
	if !ok {
		var known []string
		for _, e := range t.list {
			known = append(known, e.Name)
		}
		return schedule.Ref{}, l.errorf(name, oneOf(name.text, known)+", or `engine "+name.text+"`",
			"unknown engine %s", quoted(name.text))
	}
	if id == int32(kind) {
		return schedule.Ref{}, nil
	}
	return schedule.At(id), nil
}
