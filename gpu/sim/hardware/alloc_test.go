package hardware

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gpu-overlap/overlap/schedule"
	"github.com/gpu-overlap/overlap/timeline"
)

// contended runs n works that contend for all that there is.
func contended(c *Chip, spans []timeline.Span, n int) {
	c.Reset(spans)
	for i := range int32(n) {
		w := kernel(i%8, i%4, 10)
		w.Class = Class(i % 4)
		w.Priority = -int8(i % 6)
		w.Connection = c.Connect(w.Stream, 0)
		id := c.Add(w)
		if i > 8 {
			c.After(id, []int32{i - 8, i - 5})
		}
		c.Issue(id)
	}
	c.Drain()
}

// A repetition after the first allocates nothing; a chip that forgets its works, its waits or its queue does.
func TestNoAllocation(t *testing.T) {
	ops := []schedule.Op{{SMs: 40, Bandwidth: 70}, {SMs: 30, Waves: 1}, {Bandwidth: 60}, {SMs: 80, Bandwidth: 20}}
	for name, forget := range map[string]func(*Chip){
		"":      func(*Chip) {},
		"works": func(c *Chip) { c.works = nil },
		"waits": func(c *Chip) { c.edges = nil },
		"queue": func(c *Chip) { c.queue = nil },
	} {
		c, spans := newChip(Spec{SMs: 4, Connections: 3, Grids: 3}, ops...)
		contended(c, spans, 4096)
		got := testing.AllocsPerRun(5, func() {
			forget(c)
			contended(c, spans, 4096)
		})
		assert.Equal(t, name != "", got > 0, "%q forgotten: %v allocations", name, got)
	}
}
