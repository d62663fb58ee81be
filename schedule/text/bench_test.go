package text

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// manyLines is a section of n lines: launches, records, waits and queries on eight streams.
func manyLines(n int) string {
	var b strings.Builder
	b.WriteString("stream s0 s1 s2 s3 s4 s5 s6 s7\n")
	for i := range n / 4 {
		fmt.Fprintf(&b, "s%d: computation A%d 5us\ns%d: record e%d\ns%d: wait e%d\nquery event e%d\n", i%8, i, i%8, i,
			(i+1)%8, i, i)
	}
	return b.String()
}

// Parsing and printing takes a few microseconds a line.
func BenchmarkParse1e5(b *testing.B) {
	for _, section := range []string{"schedule", "program"} {
		b.Run(section, func(b *testing.B) {
			data := []byte("-- " + section + " --\n" + manyLines(100_000) + "-- expect --\n")
			for b.Loop() {
				_, err := ParseCase("x.txtar", data)
				require.NoError(b, err)
			}
		})
	}
}

func BenchmarkFormat1e5(b *testing.B) {
	c, err := ParseCase("x.txtar", []byte("-- program --\n"+manyLines(100_000)+"-- expect --\n"))
	require.NoError(b, err)
	for b.Loop() {
		c.Format()
	}
}
