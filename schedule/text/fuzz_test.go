package text

import (
	"errors"
	"maps"
	"slices"
	"testing"
)

// FuzzParseCase checks that no input makes the parser panic, and that what it accepts survives being printed.
func FuzzParseCase(f *testing.F) {
	for _, text := range []string{pipelineText, spelledText, programText} {
		f.Add([]byte(text))
	}
	for _, name := range slices.Sorted(maps.Keys(syntaxErrors)) {
		if text := syntaxErrors[name][0]; len(text) < 4096 {
			f.Add([]byte(text))
		}
	}
	for seed := range uint64(30) {
		text, _ := randomCase(seed)
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := ParseCase("x.txtar", data)
		if err != nil {
			var syntax *SyntaxError
			if !errors.As(err, &syntax) || err.Error() == "" || c != nil {
				t.Fatalf("not a clean syntax error: %v", err)
			}
			return
		}
		if len(c.Schedule.Issue) < 5000 {
			assertRoundTrip(t, c)
		}
	})
}
