package dot

import (
	"strings"

	"github.com/gpu-overlap/overlap/graph"
)

// dumpWords are the words of kinds in a dump, by the number of the kind. Those of semaphores and conditional nodes are
// not measured.
var dumpWords = [...]string{
	"KERNEL", "MEMCPY", "MEMSET", "HOST", "CHILD_GRAPH", "EMPTY", "EVENT_WAIT", "EVENT_RECORD",
	"EXT_SEMAS_SIGNAL", "EXT_SEMAS_WAIT", "MEM_ALLOC", "MEM_FREE", "BATCH_MEM_OP", "CONDITIONAL",
}

// labelled are the characters that stand behind a backslash in a verbose label.
const labelled = `\"{}|<>`

// escape puts a backslash before each of these characters.
func escape(s, these string) string {
	if !strings.ContainsAny(s, these) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if strings.IndexByte(these, s[i]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// unescape drops the backslash of each escaped character.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// kindOfWord reads the word by which the driver's dumps tell a kind of node.
func kindOfWord(s string) (graph.Kind, bool) {
	for k, word := range dumpWords {
		if strings.EqualFold(s, word) {
			return graph.Kind(k), true
		}
	}
	return graph.UnknownNode, false
}
