package sample

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/gpu-overlap/overlap/gpu"
)

// TestBlocks: a repetition belongs to the first block that ends behind it; a block without repetitions counts for nothing.
func TestBlocks(t *testing.T) {
	solo := func(d time.Duration) []time.Duration { return []time.Duration{d} }
	s := Samples{Reps: make([]gpu.Transcript, 5), Solo: solo(9), Blocks: []Block{{2, solo(1)}, {2, solo(2)}, {4, solo(3)}}}
	for rep, want := range []time.Duration{1, 1, 3, 3, 9} {
		assert.Equal(t, solo(want), s.SoloAt(rep), "repetition %d", rep)
	}
	var from, end []int
	s.Counting(Reading{}, func(b Block, begin int) { from, end = append(from, begin), append(end, b.End) })
	assert.Equal(t, []int{0, 2}, from)
	assert.Equal(t, []int{2, 4}, end)
	assert.Equal(t, []time.Duration{15, 35}, s.PerBlock(Reading{}, []time.Duration{10, 20, 30, 40, 50}))
}

// TestEachLaunch: each launch has the duration of its op; what is no op is left out.
func TestEachLaunch(t *testing.T) {
	solo := []time.Duration{10, 20}
	assert.Equal(t, []time.Duration{20, 10, 20}, EachLaunch(solo, []int32{1, 0, 1}))
	assert.Equal(t, []time.Duration{10}, EachLaunch(solo, []int32{-1, 0, 2}))
}
