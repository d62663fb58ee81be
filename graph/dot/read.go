package dot

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/gpu-overlap/overlap/graph"
)

// Read reads a graph: one that Write wrote, or a dump of the driver (cuGraphDebugDotPrint, with any flags). No node of
// it is tied to an op: Op is -1. The name of a node is that which Write gave; in a dump, the kernel's symbol as the
// driver prints it, mangled. See Bind for tying a dump to ops.
//
// An error in the text is an *Error; it gives the line, what was found and what would be right.
func Read(r io.Reader) (*graph.Graph, error) {
	var text strings.Builder
	if sized, ok := r.(interface{ Len() int }); ok {
		text.Grow(min(sized.Len(), maxBytes+1))
	}
	if _, err := io.Copy(&text, io.LimitReader(r, maxBytes+1)); err != nil {
		return nil, fmt.Errorf("DOT: %w", err)
	}
	src := text.String()
	if len(src) > maxBytes {
		return nil, fmt.Errorf("DOT: want at most %d MiB", maxBytes>>20)
	}
	if at := invalid(src); at >= 0 {
		return nil, errorAt(1+strings.Count(src[:at], "\n"), "want UTF-8 text, found the byte %#02x", src[at])
	}
	doc, err := parse(src)
	if err != nil {
		return nil, err
	}
	for _, n := range doc.nodes {
		if _, ok := parseDumpID(n.id.text); ok {
			return fromDump(doc)
		}
	}
	return fromCanonical(doc)
}

// invalid is the place of the first byte that is not text; -1 when all is.
func invalid(src string) int {
	if utf8.ValidString(src) && strings.IndexByte(src, 0) < 0 {
		return -1
	}
	for i := 0; i < len(src); {
		r, size := utf8.DecodeRuneInString(src[i:])
		if r == 0 || r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}
