package text

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gpu-overlap/overlap/schedule"
)

func TestParseDuration(t *testing.T) {
	for word, want := range map[string]time.Duration{
		"1ns": 1, "100ms": 100 * time.Millisecond, "1.5us": 1500, "0.000000001s": 1, "90s": 90 * time.Second,
		"-2ms":  -2 * time.Millisecond,
		"007ms": 7 * time.Millisecond, "1.500000000000s": 1500 * time.Millisecond, "0ns": 0,
	} {
		got, fault := parseDuration(word)
		assert.Empty(t, fault, word)
		assert.Equal(t, want, got, word)
	}
	for _, word := range []string{"", "1", "ms", ".5ms", "5.ms", "1m", "1h", "1µs", "1e3ms", "1 ms", "1s500ms", "1..5s",
		"+1s", "--1s", "1.2.3s", "0x1s", "1.5ns", "9223372036.9s"} {
		_, fault := parseDuration(word)
		assert.NotEmpty(t, fault, word)
	}
}

// The standard library reads what FormatDuration prints, and agrees.
func TestDurationRoundTrip(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 10_000 {
		d := time.Duration(rnd.Int64N(int64(24 * time.Hour)))
		d >>= rnd.IntN(48)
		if rnd.IntN(2) == 0 {
			d = d.Truncate(time.Millisecond)
		}
		text := FormatDuration(d)
		got, fault := parseDuration(text)
		require.Empty(t, fault, text)
		require.Equal(t, d, got, text)
		std, err := time.ParseDuration(text)
		require.NoError(t, err)
		require.Equal(t, std, got, text)
	}
	assert.Equal(t, "-1.5us", FormatDuration(-1500))
	assert.Equal(t, "0ns", FormatDuration(0))
}

// slowDistance tries every edit.
func slowDistance(a, b string) int {
	switch {
	case a == "":
		return len(b)
	case b == "":
		return len(a)
	}
	i, j := len(a)-1, len(b)-1
	same := 1
	if a[i] == b[j] {
		same = 0
	}
	best := min(slowDistance(a[:i], b[:j])+same, slowDistance(a[:i], b)+1, slowDistance(a, b[:j])+1)
	if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
		best = min(best, slowDistance(a[:i-1], b[:j-1])+1)
	}
	return best
}

func TestDistance(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	word := func() string {
		w := make([]byte, rnd.IntN(6))
		for i := range w {
			w[i] = "abc"[rnd.IntN(3)]
		}
		return string(w)
	}
	for range 500 {
		a, b := word(), word()
		require.Equal(t, slowDistance(a, b), distance(a, b, 10), "%s %s", a, b)
	}
	assert.Greater(t, distance("a", "abcd", 2), 2, "given up")
	assert.Equal(t, "record", nearest("recrod", knownVerbs(false)))
	assert.Empty(t, nearest("xyzzy", knownVerbs(false)))
	assert.Empty(t, nearest("C", []string{"A"}), "nothing is left of the word")
}

// A cycle is found exactly when some op reaches itself.
func TestFindCycle(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	found := 0
	for range 2000 {
		n := 1 + rnd.IntN(6)
		ops := make([]schedule.Op, n)
		reach := make([][]bool, n)
		for i := range ops {
			reach[i] = make([]bool, n)
		}
		for range rnd.IntN(2 * n) {
			a, b := rnd.IntN(n), rnd.IntN(n)
			ops[a].After = append(ops[a].After, int32(b))
			reach[a][b] = true
		}
		for k := range n {
			for i := range n {
				for j := range n {
					reach[i][j] = reach[i][j] || reach[i][k] && reach[k][j]
				}
			}
		}
		want := false
		for i := range n {
			want = want || reach[i][i]
		}
		cycle := (&schedule.Intent{Ops: ops}).Cycle()
		require.Equal(t, want, len(cycle) > 0)
		for i, op := range cycle {
			require.Contains(t, ops[op].After, cycle[(i+1)%len(cycle)])
			require.GreaterOrEqual(t, op, cycle[0])
		}
		if want {
			found++
		}
	}
	assert.Greater(t, found, 100)
	assert.Less(t, found, 1900)
}

func TestExcerpt(t *testing.T) {
	for _, tc := range []struct {
		text string
		col  int
		want string
	}{
		{"abc", 2, "f:1: m\n    abc\n     ^"},
		{"abc", 4, "f:1: m\n    abc\n       ^"},
		{"abc", 99, "f:1: m\n    abc\n       ^"},
		{"\tab\tc", 5, "f:1: m\n        ab  c\n            ^"},
		{"é\x00\x1b\xff世x", 9, "f:1: m\n    é\\x00\\x1b\\xff世x\n                  ^"},
	} {
		err := &SyntaxError{File: "f", Line: 1, Col: tc.col, Text: tc.text, Msg: "m"}
		assert.Equal(t, tc.want, err.Error())
	}
	long := &SyntaxError{File: "f", Line: 1, Col: 201, Text: strings.Repeat("\x80", 400),
		Msg: "no rune begins anywhere"}
	assert.Contains(t, long.Error(), `…\x80`)
	assert.Equal(t, "f: m; want w", (&SyntaxError{File: "f", Msg: "m", Want: "w"}).Error())
}
