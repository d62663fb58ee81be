package dot

import (
	"fmt"
	"strings"

	"github.com/gpu-overlap/overlap/graph"
)

const (
	box    = `style="solid" shape="rectangle" `
	record = `style="solid" shape="record" `
	zero   = "0x0000000000000000" // a handle, an address
)

// label is what a dump says of a node.
type label struct {
	graph.Node
	Facts
	id       int
	topo     int32
	children []string // the graphs that it holds
}

// word is that of its kind; the name of an unknown one, the number of one that no driver has yet.
func (l *label) word() string {
	switch {
	case int(l.Kind) < len(dumpWords):
		return dumpWords[l.Kind]
	case l.Kind == graph.UnknownNode:
		return l.Name
	}
	return "TYPE_" + l.Kind.String()
}

// short gives the attributes before a short label, and the label. There is no space after two of the shapes.
func (l *label) short() (style, text string) {
	line := func(words string) string { return fmt.Sprintf("%d\n%s\n", l.id, escape(words, `\"`)) }
	switch l.Kind {
	case graph.KernelNode:
		return `style="bold" shape="octagon" `, line(l.Name)
	case graph.MemcpyNode:
		text = line("MEMCPY")
		if c := l.Copy; c != nil {
			text += fmt.Sprintf("(%s,%d)\n", c.way(), c.Bytes)
		}
		return `style="solid" shape="trapezium"`, text
	case graph.MemsetNode:
		text = line("MEMSET")
		if f := l.Fill; f != nil {
			text += fmt.Sprintf("(%d,%d)\n", f.Value, f.Size*f.Width*f.Height)
		}
		return `style="solid" shape="invtrapezium"`, text
	case graph.ChildNode:
		if len(l.children) > 0 {
			return box, line(strings.Join(l.children, "\n"))
		}
	}
	return box, line(strings.Join(append([]string{l.word()}, l.children...), "\n"))
}

// long gives the attributes before a verbose label, and the label: a record, or lines in a box.
func (l *label) long() (style, text string) {
	word := escape(l.word(), `\"{}|<>`)
	switch l.Kind {
	case graph.KernelNode:
		return `style="bold" shape="record" `, l.kernel()
	case graph.MemsetNode:
		return `style="solid" ` + record, l.memset()
	case graph.HostNode:
		return box, l.lines("HOST", "node handle", "fn", "userData")
	case graph.EmptyNode:
		return box, l.lines("EMPTY", "node handle")
	case graph.EventRecordNode, graph.WaitEventNode:
		return box, l.lines(word, "node handle", "event")
	case graph.ChildNode:
		if len(l.children) > 0 {
			word = strings.Join(l.children, "\n")
		}
		return box, l.lines(word, "node handle")
	}
	return record, fmt.Sprintf("{\n%s\n%s}", word, l.rows())
}

// lines is a label of lines, each but the first two with a handle or address.
func (l *label) lines(word string, handles ...string) string {
	text := fmt.Sprintf("%d (topoId: %d)\n%s\n", l.id, l.topo, word)
	for _, h := range handles {
		text += h + ": " + zero + "\n"
	}
	return text
}

func (l *label) kernel() string {
	text := fmt.Sprintf("{KERNEL\n| {ID | %d (topoId: %d) | %s", l.id, l.topo, escape(l.Name, labelled))
	if l.Launch != "" {
		text += escape("<<<"+l.Launch+">>>", `<>`)
	}
	return text + "}\n| {{node handle | func handle} | {" + zero + " | " + zero + "}}\n" +
		"| {accessPolicyWindow | {base_ptr | num_bytes | hitRatio | hitProp | missProp} | " +
		"{" + zero + " | 0 | 0.000000 | N | N}}\n" +
		fmt.Sprintf("| {cooperative | 0}\n| {priority | %d}\n}", l.Priority)
}

func (l *label) memset() string {
	if l.Fill == nil {
		return fmt.Sprintf("{MEMSET\n| {{ID | node handle} | {%d (topoId: %d) | %s}}}", l.id, l.topo, zero)
	}
	f := l.Fill
	return fmt.Sprintf("{MEMSET\n| {{ID | node handle | dptr | pitch | value | elementSize | width | height} | "+
		"{%d (topoId: %d) | %s | %s | %d | %d | %d | %d | %d}}}",
		l.id, l.topo, zero, zero, f.Pitch, f.Value, f.Size, f.Width, f.Height)
}

// rows are those of the records whose word stands on a line of its own.
func (l *label) rows() string {
	ids := fmt.Sprintf("| {{ID | node handle} | {%d (topoId: %d) | %s}}\n", l.id, l.topo, zero)
	switch l.Kind {
	case graph.MemcpyNode:
		if c := l.Copy; c != nil {
			const names = "MemoryType | Array | Host | Device | XInBytes | Y | Z | Pitch | Height | LOD"
			const nothing = " | 0 | 0 | 0 | 0 | 0 | 0"
			at := func(m Memory) string { return memoryNames[m] + strings.Repeat(" | "+zero, 3) + nothing }
			ids += "| {{src | dst} | { " + names + " | " + names + "} | {" + at(c.From) + " | " + at(c.To) + "}}\n" +
				fmt.Sprintf("| {Extent | {WidthInBytes | Height | Depth} | {%d | 1 | 1}}\n", c.Bytes)
		}
	case graph.MemAllocNode:
		if l.Bytes == 0 {
			break
		}
		ids += "| {{{poolProps | {allocType | handleTypes | {location | {type | id}}} | " +
			"{PINNED | NONE | DEVICE | 0}}}}\n" +
			fmt.Sprintf("| {{bytesize | dptr} | {%d | %s}}\n", l.Bytes, zero)
	case graph.MemFreeNode:
		ids += "| {{dptr} | {" + zero + "}}\n"
	case graph.BatchMemOpNode:
		if !l.Write {
			break
		}
		ids = fmt.Sprintf("| {{ID | node handle | count | flags } | {%d (topoId: %d) | %s | 1 | 0x0 }}\n",
			l.id, l.topo, zero) +
			"| {{{paramArray[0] | {op | addr | val | flags }}}\n| {WRITE_VALUE_32 | " + zero + " | 0x1 | DEFAULT}}\n"
	}
	for _, child := range l.children {
		ids += "| {graph | " + child + "}\n"
	}
	return ids
}
