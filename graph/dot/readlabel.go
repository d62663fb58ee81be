package dot

import (
	"errors"
	"fmt"
	"strings"

	"github.com/gpu-overlap/overlap/graph"
)

// readLabel finds kind and name. Short labels are lines, "0", "name"; long ones are record rows, "{KERNEL", "| {ID | 0
// (topoId: 7) | name\<\<\<1,1,0\>\>\>}", or again lines, "3 (topoId: 2)", "HOST", "node handle: 0x…". What follows
// differs from kind to kind, and may from driver to driver, and is passed over. children are the numbers of the graphs
// that the label names.
func readLabel(label, shape string) (n graph.Node, children []int, err error) {
	var room [8]string
	lines := labelLines(room[:0], label)
	if len(lines) > 0 && strings.HasPrefix(lines[0], "{") {
		return readRecord(lines)
	}
	if len(lines) == 0 {
		return n, nil, fmt.Errorf("want a label that says what the node is, found an empty one")
	}
	name := unescape(lines[min(1, len(lines)-1)])
	if len(lines) > 1 && strings.EqualFold(shape, "octagon") { // no other node has it: its name does not matter
		return graph.Node{Name: name}, nil, nil
	}
	children = graphsNamed(lines[1:])
	kind := shortKind(name, shape, len(lines) > 1)
	n = graph.Node{Kind: kind, Name: kind.String()}
	if kind == graph.KernelNode || kind == graph.UnknownNode {
		n.Name = name
	}
	return n, children, nil
}

// shortKind goes by the words of a short label, then by the shape. A kernel's label is its name alone: where no shape
// says otherwise, as in files written by hand, unknown words are one.
func shortKind(name, shape string, named bool) graph.Kind {
	if _, ok := graphNamed(name); ok {
		return graph.ChildNode
	}
	if kind, ok := kindOfWord(name); ok && kind != graph.KernelNode {
		return kind
	}
	switch strings.ToLower(shape) {
	case "trapezium":
		return graph.MemcpyNode
	case "invtrapezium":
		return graph.MemsetNode
	case "":
		if named {
			return graph.KernelNode
		}
	}
	return graph.UnknownNode
}

func readRecord(rows []string) (n graph.Node, children []int, err error) {
	if rows[0] = strings.TrimSpace(rows[0][1:]); rows[0] == "" {
		rows = rows[1:]
	}
	word := ""
	if len(rows) > 0 {
		word = firstCell(rows[0])
	}
	if word == "" {
		return n, nil, errors.New("want the kind of the node first in its label " +
			"(KERNEL, MEMCPY, MEMSET, HOST, …), found none")
	}
	kind, ok := kindOfWord(word)
	if !ok {
		if kind = graph.UnknownNode; len(graphsNamed([]string{word})) > 0 {
			kind = graph.ChildNode
		}
	}
	n = graph.Node{Kind: kind, Name: kind.String()}
	switch kind {
	case graph.KernelNode:
		n.Name, err = kernelName(rows)
		return n, nil, err
	case graph.UnknownNode:
		n.Name = word
	}
	return n, graphsNamed(rows), nil
}

// firstCell is what stands before the first bar or brace that is not escaped.
func firstCell(row string) string {
	row = strings.TrimLeft(row, "{ ")
	for i := 0; i < len(row); i++ {
		switch row[i] {
		case '\\':
			i++
		case '|', '{', '}':
			row = row[:i]
		}
	}
	return unescape(strings.TrimSpace(row))
}

// cutLaunch takes the dimensions of a launch from behind a kernel's name: \<\<\<1,1,0\>\>\>, grid and block as \{x,y\}
// where they have more than one.
func cutLaunch(name string) string {
	dims, ends := strings.CutSuffix(name, `\>\>\>`)
	at := strings.LastIndex(dims, `\<\<\<`)
	if !ends || at < 0 || strings.Trim(dims[at+len(`\<\<\<`):], `0123456789,{}\ `) != "" {
		return name
	}
	return name[:at]
}

// kernelName reads the row of the id: its third cell, up to the launch dimensions.
func kernelName(rows []string) (string, error) {
	for _, row := range rows {
		cells := strings.TrimLeft(row, "|{ \t")
		if !strings.HasPrefix(cells, "ID") || !strings.HasPrefix(strings.TrimLeft(cells[2:], " \t"), "|") {
			continue
		}
		_, cells, _ = strings.Cut(cells, "|")
		_, name, ok := strings.Cut(cells, "|")
		if !ok {
			break
		}
		name = strings.TrimSuffix(strings.TrimSpace(name), "}")
		name = cutLaunch(name)
		if name = unescape(strings.TrimSpace(name)); name != "" {
			return name, nil
		}
		break
	}
	return "", fmt.Errorf("want the row {ID | number | name} of a kernel, found none")
}

// graphsNamed finds the cells graph_N.
func graphsNamed(rows []string) (ids []int) {
	for _, row := range rows {
		if !strings.Contains(row, "graph_") {
			continue
		}
		for _, cell := range strings.FieldsFunc(row, func(r rune) bool { return strings.ContainsRune("{}|, \t", r) }) {
			if id, ok := graphNamed(cell); ok {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

func graphNamed(s string) (int, bool) {
	rest, ok := strings.CutPrefix(s, "graph_")
	if !ok {
		return 0, false
	}
	return number(rest)
}

// labelLines splits a label at real newlines and at DOT's escapes for them; empty lines go.
func labelLines(lines []string, label string) []string {
	add := func(s string) {
		if s = strings.TrimSpace(s); s != "" {
			lines = append(lines, s)
		}
	}
	for more := true; more; {
		var line string
		line, label, more = strings.Cut(label, "\n")
		start := 0
		if strings.IndexByte(line, '\\') >= 0 {
			for i := 0; i+1 < len(line); i++ {
				if line[i] != '\\' {
					continue
				}
				if strings.IndexByte("nlr", line[i+1]) >= 0 {
					add(line[start:i])
					start = i + 2
				}
				i++
			}
		}
		add(line[start:])
	}
	return lines
}
