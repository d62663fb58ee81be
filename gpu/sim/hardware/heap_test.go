package hardware

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Whatever is pushed comes out sorted.
func TestHeap(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		var h heap
		var all []happening
		for range r.IntN(60) {
			x := happening{at: time.Duration(r.IntN(8)), work: int32(r.IntN(8)), phase: phase(r.IntN(2))}
			all = append(all, x)
			h.push(x)
		}
		slices.SortFunc(all, func(a, b happening) int {
			switch {
			case a.before(b):
				return -1
			case b.before(a):
				return 1
			}
			return 0
		})
		for _, want := range all {
			require.Equal(t, want, h.pop())
		}
		require.Empty(t, h)
	}
}
