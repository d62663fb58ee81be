package timeline

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The mark of a gap stands under what it points at, on either side of its text.
func TestMarks(t *testing.T) {
	tl := Timeline{Lanes: []Lane{{Name: "a", Bars: []Bar{{Name: "X", Start: 0, End: 100},
		{Name: "Y", Start: 200, End: 300}}}}}
	draw := func(from, to time.Duration) string {
		tl.Marks = []Mark{{From: from, To: to, Text: "late"}}
		var b strings.Builder
		require.NoError(t, WriteText(&b, tl, 40))
		return strings.Split(b.String(), "\n")[1]
	}
	assert.Equal(t, "  ^^^^^^^^^ late", draw(0, 100))
	assert.Equal(t, "             late ^^^^^^^^^", draw(200, 300))
	assert.Equal(t, "  ^ late", draw(0, 0))
}
