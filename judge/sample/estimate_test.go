package sample

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestOf(t *testing.T) {
	assert.Equal(t, Estimate{5, 5, 5, 3}, Of([]time.Duration{5, 5, 5}, true))
	e := Of([]time.Duration{9, 1, 2, 3, 4, 5, 6, 7, 8}, false)
	assert.Equal(t, time.Duration(5), e.Median)
	assert.Equal(t, []time.Duration{2, 8}, []time.Duration{e.Lo, e.Hi},
		"95 %% of nine samples is the second to the eighth")
	assert.Equal(t, Undecided, e.AtMost(7))
	assert.Equal(t, Within, e.AtMost(8))
	assert.Equal(t, Beyond, e.AtMost(1))
	few := Of([]time.Duration{1, 2}, false)
	assert.True(t, few.Open())
	assert.Equal(t, Undecided, few.AtMost(100), "two samples decide nothing")
	assert.True(t, Of([]time.Duration{5, 5, 6}, true).Open(),
		"samples that differ are not one value, be the device steady")
	assert.Equal(t, Undecided, Estimate{}.AtMost(100), "none even less")
}
